import type { ResponseIssue } from '../../errors/response.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Where money of a record does not add up: the identities that the interface document states, each reported at the field that
 * is the sum. What is missing or of another type is nothing to add, and was reported by the schemas.
 */
export type Sums = (record: unknown, at: string) => readonly ResponseIssue[];

/** "Cart" and "CartItem". */
export const sumsOfCart: Sums = (record, at) => {
  const cart = fieldsOf(record);
  const items = recordsOf(cart.items);
  const itemTotals = items.map(({ item_total }) => centsOf(item_total));
  return [
    ...items.flatMap((item, index) => unless(isLineTotal(item), `${at}items[${index}].item_total`)),
    // Discounts of items lower the subtotal, and are not shown in a cart (gap CART-3).
    ...unless(isAtMost(centsOf(cart.subtotal), total(itemTotals)), `${at}subtotal`),
    ...sumsOfTotals(cart, at),
  ];
};

/** "PriceCalculation". */
export const sumsOfPrice: Sums = (record, at) => {
  const price = fieldsOf(record);
  const lines = recordsOf(price.line_items);
  return [
    ...lines.flatMap((line, index) => sumsOfLine(line, `${at}line_items[${index}].`)),
    ...unless(equal(centsOf(price.subtotal), total(lines.map((line) => centsOf(line.item_subtotal)))), `${at}subtotal`),
    ...unless(equal(centsOf(price.total_discount), totalOf(price.discounts)), `${at}total_discount`),
    ...sumsOfTotals(price, at),
  ];
};

/** "Checkout result": it does not show the fees, so that its total is that of the others at least. */
export const sumsOfCheckout: Sums = (record, at) => {
  const { subtotal, total_tax, total_discount, total: whole } = fieldsOf(record);
  const rest = total([centsOf(subtotal), centsOf(total_tax), negative(centsOf(total_discount))]);
  return unless(isAtMost(rest, centsOf(whole)), `${at}total`);
};

/** "Order": its lines are those of a price calculation (gap ORD-4), its balance that of gap PAY-10. */
export const sumsOfOrder: Sums = (record, at) => {
  const order = fieldsOf(record);
  const refunds = recordsOf(order.refunds);
  return [
    ...recordsOf(order.items).flatMap((line, index) => sumsOfLine(line, `${at}items[${index}].`)),
    ...sumsOfTotals(order, at),
    ...sumsOfBalance(order, at),
    ...recordsOf(order.payments).flatMap((payment, index) => sumsOfPayment(payment, `${at}payments[${index}].`)),
    ...refunds.flatMap((refund, index) => sumsOfRefund(refund, `${at}refunds[${index}].`)),
  ];
};

/** What went back to a tender is not more than it paid. */
export const sumsOfPayment: Sums = (record, at) => {
  const { amount, amount_refunded } = fieldsOf(record);
  return unless(isAtMost(centsOf(amount_refunded), centsOf(amount)), `${at}amount_refunded`);
};

/** The shares of a refund are the refund (gap REF-4). */
export const sumsOfRefund: Sums = (record, at) => {
  const { amount, distributions } = fieldsOf(record);
  return unless(equal(centsOf(amount), totalOf(distributions)), `${at}amount`);
};

/** subtotal + total_tax + total_fees - total_discount, and the fees themselves. */
function sumsOfTotals({ subtotal, total_tax, total_fees, total_discount, fees, total: whole }: Fields, at: string) {
  const parts = [subtotal, total_tax, total_fees].map(centsOf);
  const sum = total([...parts, negative(centsOf(total_discount))]);
  return [
    ...unless(equal(centsOf(total_fees), totalOf(fees)), `${at}total_fees`),
    ...unless(equal(centsOf(whole), sum), `${at}total`),
  ];
}

function sumsOfLine(line: Fields, at: string) {
  const discounts = line.discounts === undefined ? 0 : totalOf(line.discounts);
  const unit = total([centsOf(line.base_price), centsOf(line.modifier_total), negative(discounts)]);
  const sum = total([centsOf(line.item_subtotal), centsOf(line.item_tax)]);
  return [
    ...unless(equal(centsOf(line.item_subtotal), times(unit, line.quantity)), `${at}item_subtotal`),
    ...unless(equal(centsOf(line.item_total), sum), `${at}item_total`),
  ];
}

/** Payments under way may lower the balance too, so that it is at most what is not paid. */
function sumsOfBalance({ total: whole, amount_paid, amount_refunded, balance_due }: Fields, at: string) {
  const open = total([centsOf(whole), negative(centsOf(amount_paid))]);
  const most = open === undefined ? undefined : Math.max(0, open);
  return [
    ...unless(isAtMost(centsOf(balance_due), most), `${at}balance_due`),
    ...unless(isAtMost(centsOf(amount_refunded), centsOf(amount_paid)), `${at}amount_refunded`),
  ];
}

function isLineTotal({ base_price, modifier_total, quantity, item_total }: Fields): boolean {
  return equal(centsOf(item_total), times(total([centsOf(base_price), centsOf(modifier_total)]), quantity));
}

const NONE: readonly ResponseIssue[] = [];

const unless = (fits: boolean, path: string): readonly ResponseIssue[] => (fits ? NONE : [{ path, kind: 'sum' }]);

const equal = (one: number | undefined, other: number | undefined): boolean =>
  one === undefined || other === undefined || one === other;

const isAtMost = (one: number | undefined, most: number | undefined): boolean =>
  one === undefined || most === undefined || one <= most;

const negative = (cents: number | undefined): number | undefined => (cents === undefined ? undefined : -cents);

function total(amounts: readonly (number | undefined)[]): number | undefined {
  let sum = 0;
  for (const cents of amounts) {
    if (cents === undefined) return undefined;
    sum += cents;
  }
  return sum;
}

const totalOf = (records: unknown): number | undefined =>
  Array.isArray(records) ? total(recordsOf(records).map(({ amount }) => centsOf(amount))) : undefined;

const times = (cents: number | undefined, quantity: unknown): number | undefined =>
  cents === undefined || typeof quantity !== 'number' ? undefined : cents * quantity;

/** Money, or whole cents (gap PAY-10). */
function centsOf(amount: unknown): number | undefined {
  const cents = typeof amount === 'object' && amount !== null ? (amount as Fields).amount : amount;
  return typeof cents === 'number' ? cents : undefined;
}

const fieldsOf = (record: unknown): Fields => (typeof record === 'object' && record !== null ? (record as Fields) : {});

const recordsOf = (list: unknown): readonly Fields[] => (Array.isArray(list) ? list.map(fieldsOf) : []);
