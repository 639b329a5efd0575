import type { CheckoutRequest, HandoffMode, MenuItem } from '../../contract/index.js';
import { isObject, type JsonObject } from '../refusals/read-fields.js';
import { invalidBody, Refusal, unprocessable } from '../refusals/refusal.js';
import type { RuleReadings } from '../state/readings.js';
import { type ChangeReasonName, changeReasons, type PriceChange } from './change-reasons.js';
import { readHandoff } from './handoff.js';
import { checkModifiers, type Selection } from './modifiers.js';

/** Reads the optional body of a checkout. `expected_total` is whole cents. */
export function readCheckout(value: unknown): CheckoutRequest {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw invalidBody(null, 'The body must be a JSON object.');
  const expectedTotal = readExpectedTotal(value);
  const given = value.handoff_mode !== undefined && value.handoff_mode !== null;
  return {
    ...(given && { handoff_mode: readBodyHandoff(value.handoff_mode) }),
    ...(expectedTotal !== null && { expected_total: expectedTotal }),
  };
}

function readBodyHandoff(value: unknown): HandoffMode {
  if (!isObject(value))
    throw invalidBody('handoff_mode', 'handoff_mode must be a handoff object, such as {"mode": …}.');
  return readHandoff(value, 'handoff_mode.');
}

function readExpectedTotal(body: JsonObject): number | null {
  const value = body.expected_total;
  if (value === undefined || value === null) return null;
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw invalidBody('expected_total', 'expected_total must be a whole number of cents, such as 2093.');
}

/** A line of the cart as checkout looks at it. */
export interface CheckoutLine {
  /** `undefined` when the current menu has no such item. */
  readonly item: MenuItem | undefined;
  readonly selections: readonly Selection[];
  /** Why it cannot be bought now; null when it can. */
  readonly unavailability: string | null;
}

/** Cart rule 6, as far as it can be said before prices: at least one item, and a handoff. */
export function checkCheckoutReady(lines: readonly CheckoutLine[], handoff: HandoffMode | null): HandoffMode {
  if (lines.length === 0) throw unprocessable('Cart is empty', 'Add at least one item before the checkout.'); // gap CART-6
  if (handoff) return handoff;
  const detail = 'Set the handoff of the cart, or send handoff_mode with the checkout.';
  throw unprocessable('Missing handoff mode', detail, 'handoff_mode');
}

/** Modifier constraints against the current menu, for the lines that can be bought. */
export function checkCheckoutModifiers(lines: readonly CheckoutLine[], readings: RuleReadings): void {
  lines.forEach((line, index) => {
    if (!line.item || line.unavailability) return;
    try {
      checkModifiers(line.item, line.selections, readings);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal({ ...error.facts, field: `items[${index}].${error.facts.field}` });
    }
  });
}

export interface TotalCheck extends Omit<PriceChange, 'itemUnavailable'> {
  readonly lines: readonly CheckoutLine[];
  /** Whole cents; `undefined` accepts the current price. */
  readonly expectedTotal: number | undefined;
}

/**
 * The last two conditions of cart rule 6. With an expected total, a line that went out of stock is a change of the
 * total (409, `ITEM_UNAVAILABLE`); without one it is the broken rule itself (422, gap CART-12).
 */
export function checkTotal({ lines, expectedTotal, ...change }: TotalCheck): void {
  const firstUnavailable = lines.findIndex((line) => line.unavailability !== null);
  const itemUnavailable = firstUnavailable >= 0;
  if (expectedTotal !== undefined && expectedTotal !== change.now.total.amount) {
    throw totalMismatch(changeReasons({ ...change, itemUnavailable }), change.now.total.amount);
  }
  if (itemUnavailable) {
    const reason = lines[firstUnavailable]!.unavailability!;
    throw unprocessable('Item is not available', reason, `items[${firstUnavailable}].menu_item_id`);
  }
}

function totalMismatch(reasons: readonly ChangeReasonName[], currentCents: number): Refusal {
  return new Refusal({
    status: 409,
    code: 'CONFLICT_ERROR',
    message: 'Expected total mismatch',
    detail: `The current total is ${currentCents} cents. Calculate the cart again before the checkout.`,
    field: 'expected_total',
    changeReasons: reasons,
  });
}
