import type { ChangeReason, CheckoutResult, HandoffMode, PriceCalculation } from '../../contract/index.js';
import { ExpectedTotalMismatchError } from '../../errors/api.js';
import { ConfigurationError, RequestValidationError } from '../../errors/local.js';
import type { Clock } from '../../platform/clock.js';
import { refuseUnknownOptions } from '../known-options.js';
import { startTimeLimit, type TimeLimit, type TimeLimitOptions } from '../time-limit.js';

/** A price that changed between two looks. */
export interface PriceChange {
  /** What the customer was shown last. */
  readonly before: PriceCalculation;
  /** What the order would cost now. */
  readonly after: PriceCalculation;
  /** Why, as the service says; empty when it did not. */
  readonly changeReasons: readonly ChangeReason[];
  /** How often the price has changed in this checkout, this time included. */
  readonly round: number;
}

/** Who accepts a price that changed, and which price was seen. */
export interface CheckoutWithPriceOptions {
  /** Asked when the price is no longer the one that was shown. Without it a change ends the checkout. */
  onPriceChange?: ((change: PriceChange) => 'accept' | 'stop' | Promise<'accept' | 'stop'>) | undefined;
  /**
   * The price that the customer has seen. Without it the cart is calculated first, and that price is the one compared
   * with.
   */
  shown?: PriceCalculation | undefined;
  /** How many changes are shown; one more ends the checkout. @defaultValue 3 */
  maxRounds?: number | undefined;
  /** Stored on the cart first, in place of the one there, since fees depend on it. */
  handoff_mode?: HandoffMode | undefined;
  /** Ends it at once, waits included. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for the whole of it; also the time that `onPriceChange` takes. */
  deadline?: number | undefined;
}

/** How a guarded checkout ended. */
export type CheckoutWithPriceResult =
  | { readonly status: 'CHECKED_OUT'; readonly checkout: CheckoutResult; readonly price: PriceCalculation }
  /** The cart is still `ACTIVE`: the change was not accepted. */
  | { readonly status: 'STOPPED'; readonly reason: 'not_accepted' | 'max_rounds'; readonly change: PriceChange };

/** What a guarded checkout needs of the carts resource. */
export interface CartsApi {
  readonly clock: Clock;
  calculate(cartId: string, options: TimeLimitOptions): Promise<PriceCalculation>;
  setHandoff(cartId: string, handoff: HandoffMode, options: TimeLimitOptions): Promise<unknown>;
  checkout(cartId: string, request: { expected_total: number }, options: TimeLimitOptions): Promise<CheckoutResult>;
}

const OPTIONS: Readonly<Record<keyof CheckoutWithPriceOptions, true>> = {
  onPriceChange: true,
  shown: true,
  maxRounds: true,
  handoff_mode: true,
  signal: true,
  deadline: true,
};

const CHECKOUT_CALL = { method: 'POST', path: '/carts/{cart_id}/checkout' };
const DEFAULT_ROUNDS = 3;

/** Checks a cart out at the price that was shown, and asks when it is another one. */
export async function checkoutWithPrice(
  carts: CartsApi,
  cartId: string,
  options: CheckoutWithPriceOptions,
): Promise<CheckoutWithPriceResult> {
  refuseUnknownOptions(options, OPTIONS);
  const maxRounds = checkedRounds(options.maxRounds);
  const limit = startTimeLimit(carts.clock, { signal: options.signal, deadline: options.deadline }, CHECKOUT_CALL);
  try {
    // Fees depend on the handoff: a price without it is not the one of the order.
    if (options.handoff_mode) await carts.setHandoff(cartId, options.handoff_mode, limit.forCall());
    let price = options.shown ?? (await carts.calculate(cartId, limit.forCall()));
    for (let round = 1; ; round += 1) {
      const attempt = await tryCheckout(carts, cartId, { price, limit });
      if (!('changeReasons' in attempt)) return { status: 'CHECKED_OUT', checkout: attempt, price };

      const after = await carts.calculate(cartId, limit.forCall());
      const change = { before: price, after, changeReasons: attempt.changeReasons, round };
      if (round > maxRounds) return { status: 'STOPPED', reason: 'max_rounds', change };
      const answer = await answerTo(change, options, limit);
      if (answer === 'stop') return { status: 'STOPPED', reason: 'not_accepted', change };
      price = after;
    }
  } finally {
    limit.end();
  }
}

/** Each price is an operation of its own, under its own key. */
async function tryCheckout(
  carts: CartsApi,
  cartId: string,
  { price, limit }: { price: PriceCalculation; limit: TimeLimit },
): Promise<CheckoutResult | ExpectedTotalMismatchError> {
  try {
    return await carts.checkout(cartId, { expected_total: price.total.amount }, limit.forCall());
  } catch (error) {
    if (error instanceof ExpectedTotalMismatchError) return error;
    throw error;
  }
}

async function answerTo(
  change: PriceChange,
  { onPriceChange }: CheckoutWithPriceOptions,
  limit: TimeLimit,
): Promise<'accept' | 'stop'> {
  if (!onPriceChange) return 'stop';
  const answer = await onPriceChange(change);
  limit.signal.throwIfAborted();
  if (answer === 'accept' || answer === 'stop') return answer;
  const message = "it must answer 'accept' or 'stop'";
  throw new RequestValidationError(`onPriceChange: ${message}. The cart was not checked out.`, {
    problems: [{ field: 'onPriceChange', message }],
  });
}

function checkedRounds(maxRounds = DEFAULT_ROUNDS): number {
  if (Number.isInteger(maxRounds) && maxRounds >= 1) return maxRounds;
  throw new ConfigurationError(
    `maxRounds is ${maxRounds}; it must be a whole number from 1. Leave it out for ${DEFAULT_ROUNDS}.`,
  );
}
