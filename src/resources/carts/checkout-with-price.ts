import type { ChangeReason, CheckoutResult, HandoffMode, PriceCalculation } from '../../contract/index.js';
import { ConflictError, ExpectedTotalMismatchError } from '../../errors/api.js';
import { ConfigurationError, RequestValidationError } from '../../errors/local.js';
import type { Closing } from '../../http/exchange/closing.js';
import { checkIdempotencyKey } from '../../http/steps/idempotency-key.js';
import type { Clock } from '../../platform/clock.js';
import { refuseUnknownOptions } from '../known-options.js';
import type { PaymentJournal } from '../payments/journal/journal.js';
import { startTimeLimit, type TimeLimit, type TimeLimitOptions } from '../time-limit.js';
import { type CheckoutAttempts, checkoutAttempts } from './checkout-attempts.js';

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
  /**
   * Makes the checkout repeatable: the same call with the same key, after a lost response or a crash, gives the order
   * that it made. Each price has a key of its own, derived from this one. A UUID v4.
   */
  idempotencyKey?: string | undefined;
  /**
   * Makes the checkout repeatable without a key to keep: each attempt is written down before it leaves, under the id of
   * the cart, and the same call goes on with the last one. A journal of payments, `fileJournal` or `storeJournal`.
   */
  journal?: PaymentJournal | undefined;
  /** Stored on the cart first, in place of the one there, since fees depend on it. */
  handoff_mode?: HandoffMode | undefined;
  /** Ends it at once, waits included. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for the whole of it; also the time that `onPriceChange` takes. */
  deadline?: number | undefined;
}

/** How a guarded checkout ended. */
export type CheckoutWithPriceResult =
  | {
      /** The order is placed. */
      readonly status: 'CHECKED_OUT';
      /** The service's response: the id of the order and what it costs. */
      readonly checkout: CheckoutResult;
      /** The price that was checked out. */
      readonly price: PriceCalculation;
    }
  /** The cart is still `ACTIVE`: the change was not accepted. */
  | {
      /** There is no order. */
      readonly status: 'STOPPED';
      /** `not_accepted`: your function said no. `max_rounds`: the price changed again each time. */
      readonly reason: 'not_accepted' | 'max_rounds';
      /** The last change, to be shown. */
      readonly change: PriceChange;
    };

export interface CheckoutCall extends TimeLimitOptions {
  readonly idempotencyKey?: string | undefined;
}

/** What a guarded checkout needs of the carts resource. */
export interface CartsApi {
  readonly clock: Clock;
  readonly closing?: Closing | undefined;
  calculate(cartId: string, options: TimeLimitOptions): Promise<PriceCalculation>;
  setHandoff(cartId: string, handoff: HandoffMode, options: TimeLimitOptions): Promise<unknown>;
  checkout(cartId: string, request: { expected_total: number }, options: CheckoutCall): Promise<CheckoutResult>;
}

const OPTIONS: Readonly<Record<keyof CheckoutWithPriceOptions, true>> = {
  onPriceChange: true,
  shown: true,
  maxRounds: true,
  idempotencyKey: true,
  journal: true,
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
  const { idempotencyKey, journal, shown, signal, deadline } = options;
  if (idempotencyKey !== undefined) checkIdempotencyKey(idempotencyKey);
  const limit = startTimeLimit(carts.clock, { signal, deadline } as TimeLimitOptions, {
    ...CHECKOUT_CALL,
    closing: carts.closing,
  });
  try {
    const attempts = checkoutAttempts({ cartId, idempotencyKey, journal, limit, clock: carts.clock });
    // What an earlier call was about to check out goes first: it may have made the order.
    const earlier = await attempts.last();
    if (options.handoff_mode && earlier === undefined) await setHandoff(carts, cartId, options, limit);
    let price = earlier ?? shown ?? (await carts.calculate(cartId, limit.forCall()));
    for (let round = 1; ; round += 1) {
      const attempt = await tryCheckout(carts, cartId, { price, limit, attempts });
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

/** Fees depend on the handoff: a price without it is not the one of the order. */
async function setHandoff(
  carts: CartsApi,
  cartId: string,
  { handoff_mode, idempotencyKey }: CheckoutWithPriceOptions,
  limit: TimeLimit,
): Promise<void> {
  if (!handoff_mode) return;
  try {
    await carts.setHandoff(cartId, handoff_mode, limit.forCall());
  } catch (error) {
    // An earlier call with this key may have checked the cart out; the checkout tells.
    const isRepeated = idempotencyKey !== undefined && error instanceof ConflictError;
    if (!isRepeated || error.scenario !== 'cart_already_checked_out') throw error;
  }
}

/** Each price is an operation of its own, under its own key. */
async function tryCheckout(
  carts: CartsApi,
  cartId: string,
  { price, limit, attempts }: { price: PriceCalculation; limit: TimeLimit; attempts: CheckoutAttempts },
): Promise<CheckoutResult | ExpectedTotalMismatchError> {
  const idempotencyKey = await attempts.keyFor(price);
  try {
    return await carts.checkout(cartId, { expected_total: price.total.amount }, { ...limit.forCall(), idempotencyKey });
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
  const answer = await limit.ask(() => onPriceChange(change));
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
