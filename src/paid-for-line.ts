import type { Money, Order, OrderLineItem } from './contract/index.js';
import { RequestValidationError } from './errors/local.js';
import { money } from './money.js';

/** Which line, and what was paid for it. */
export interface PaidForLineOptions {
  /** Units of the line that go back; the amount is rounded down to a cent. @defaultValue all of them */
  quantity?: number | undefined;
  /**
   * Whether the discounts of the order cover a line. An order does not say which of its items the menu marks
   * `non_discountable`; where you sell such items, decide from the menu. @defaultValue they cover every line
   */
  discountable?: ((line: OrderLineItem) => boolean) | undefined;
}

/**
 * What the customer paid for a line of an order: its price and tax, less its share of the discounts of the whole order.
 * Refund this, and not `item_total`, or a promo code is paid out in cash.
 *
 * Discounts are spread by `item_subtotal`, the cents left over to the largest remainders, so that all lines together come
 * to `total` less `total_fees`. Fees belong to no line.
 *
 * @param lineId - `id` of the order's line.
 * @throws {RequestValidationError} The order has no such line, or not so many units of it.
 * @see Interface document, "PriceCalculation"; gaps DISC-3 and REF-3
 * @example
 * const { amount } = paidForLine(order, line.id);
 * await client.orders.refunds.create(order.id, {
 *   amount,
 *   line_items: [{ order_item_id: line.id, quantity: line.quantity, amount }],
 * });
 */
export function paidForLine(
  order: Pick<Order, 'items' | 'total_discount'>,
  lineId: string,
  { quantity, discountable = () => true }: PaidForLineOptions = {},
): Money {
  const line = order.items.find(({ id }) => id === lineId);
  if (!line) throw refusal('lineId', 'is no line of this order; give the `id` of one of `order.items`');
  const units = quantity ?? line.quantity;
  if (!Number.isInteger(units) || units < 1 || units > line.quantity) {
    throw refusal('quantity', `must be a whole number from 1 to ${line.quantity}, the units of the line`);
  }
  const share = discountShares(order.items.filter(discountable), order.total_discount.amount).get(line) ?? 0;
  const paid = line.item_total.amount - share;
  return money(Math.floor((paid * units) / line.quantity), line.item_total.currency);
}

/** Cents of the order's discounts that fall on each line. */
function discountShares(lines: readonly OrderLineItem[], discount: number): Map<OrderLineItem, number> {
  const subtotal = lines.reduce((sum, line) => sum + subtotalOf(line), 0);
  const spread = Math.min(discount, subtotal);
  if (spread <= 0) return new Map();
  const shares = lines.map((line) => {
    const product = spread * subtotalOf(line);
    return { line, cents: Math.floor(product / subtotal), remainder: product % subtotal };
  });
  let left = shares.reduce((rest, { cents }) => rest - cents, spread);
  for (const share of shares.toSorted((a, b) => b.remainder - a.remainder)) {
    if (left === 0) break;
    share.cents += 1;
    left -= 1;
  }
  return new Map(shares.map(({ line, cents }) => [line, cents]));
}

function subtotalOf({ item_subtotal, item_tax, item_total }: OrderLineItem): number {
  return item_subtotal?.amount ?? item_total.amount - (item_tax?.amount ?? 0);
}

function refusal(field: string, text: string): RequestValidationError {
  const message = `"${field}" ${text}`;
  return new RequestValidationError(`The share of a line was not computed: ${message}.`, {
    problems: [{ field, message }],
  });
}
