import type { ResponseIssue } from '../../errors/response.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reports where money of a record does not add up: the identities that the interface document states, each reported at the field
 * that is the sum. What is missing or of another type is nothing to add, and was reported by the schemas.
 *
 * Every response passes here, so that nothing is allocated while everything adds up: paths are written where one does not.
 */
export type Sums = (record: unknown, at: string, issues: ResponseIssue[]) => void;

/** What a record that does not add up reports; emptied at once. */
const reported: ResponseIssue[] = [];

/** True when everything in a record adds up. */
export function addsUp(sums: Sums, record: unknown): boolean {
  sums(record, '', reported);
  if (reported.length === 0) return true;
  reported.length = 0;
  return false;
}

/** "Cart" and "CartItem". */
export const sumsOfCart: Sums = (record, at, issues) => {
  const cart = fieldsOf(record);
  const items = listOf(cart.items);
  for (let index = 0; index < items.length; index += 1) {
    if (!isLineTotal(fieldsOf(items[index]))) report(issues, `${at}items[${index}].item_total`);
  }
  // A service may take discounts of items off the subtotal, and a cart shows none of them (gap CART-3).
  if (!isAtMost(centsOf(cart.subtotal), totalOf(items, 'item_total'))) report(issues, `${at}subtotal`);
  sumsOfTotals(cart, at, issues);
};

/** "PriceCalculation". */
export const sumsOfPrice: Sums = (record, at, issues) => {
  const price = fieldsOf(record);
  const lines = listOf(price.line_items);
  for (let index = 0; index < lines.length; index += 1)
    sumsOfLine(fieldsOf(lines[index]), at, 'line_items', index, issues);
  if (!isEqual(centsOf(price.subtotal), totalOf(lines, 'item_subtotal'))) report(issues, `${at}subtotal`);
  if (!isEqual(centsOf(price.total_discount), totalOf(price.discounts))) report(issues, `${at}total_discount`);
  sumsOfTotals(price, at, issues);
};

/** "Checkout result": it does not show the fees, so that its total is that of the others at least. */
export const sumsOfCheckout: Sums = (record, at, issues) => {
  const { subtotal, total_tax, total_discount, total: whole } = fieldsOf(record);
  const rest = less(plus(centsOf(subtotal), centsOf(total_tax)), centsOf(total_discount));
  if (!isAtMost(rest, centsOf(whole))) report(issues, `${at}total`);
};

/** "Order": its lines are those of a price calculation (gap ORD-4), its balance that of gap PAY-10. */
export const sumsOfOrder: Sums = (record, at, issues) => {
  const order = fieldsOf(record);
  const lines = listOf(order.items);
  const payments = listOf(order.payments);
  const refunds = listOf(order.refunds);
  for (let index = 0; index < lines.length; index += 1) sumsOfLine(fieldsOf(lines[index]), at, 'items', index, issues);
  sumsOfTotals(order, at, issues);
  sumsOfBalance(order, at, issues);
  for (let index = 0; index < payments.length; index += 1) {
    if (!isPaymentSum(payments[index])) report(issues, `${at}payments[${index}].amount_refunded`);
  }
  for (let index = 0; index < refunds.length; index += 1) {
    if (!isRefundSum(refunds[index])) report(issues, `${at}refunds[${index}].amount`);
  }
};

/** What went back to a tender is not more than it paid. */
export const sumsOfPayment: Sums = (record, at, issues) => {
  if (!isPaymentSum(record)) report(issues, `${at}amount_refunded`);
};

function isPaymentSum(payment: unknown): boolean {
  const { amount, amount_refunded } = fieldsOf(payment);
  return isAtMost(centsOf(amount_refunded), centsOf(amount));
}

/** The shares of a refund are the refund (gap REF-4). */
export const sumsOfRefund: Sums = (record, at, issues) => {
  if (!isRefundSum(record)) report(issues, `${at}amount`);
};

function isRefundSum(refund: unknown): boolean {
  const { amount, distributions } = fieldsOf(refund);
  return isEqual(centsOf(amount), totalOf(distributions));
}

/** subtotal + total_tax + total_fees - total_discount, and the fees themselves. */
function sumsOfTotals(record: Fields, at: string, issues: ResponseIssue[]): void {
  const fees = centsOf(record.total_fees);
  const parts = plus(plus(centsOf(record.subtotal), centsOf(record.total_tax)), fees);
  if (!isEqual(fees, totalOf(record.fees))) report(issues, `${at}total_fees`);
  if (!isEqual(centsOf(record.total), less(parts, centsOf(record.total_discount)))) report(issues, `${at}total`);
}

function sumsOfLine(line: Fields, at: string, list: string, index: number, issues: ResponseIssue[]): void {
  const discounts = line.discounts === undefined ? 0 : totalOf(line.discounts);
  const unit = less(plus(centsOf(line.base_price), centsOf(line.modifier_total)), discounts);
  const subtotal = centsOf(line.item_subtotal);
  if (!isEqual(subtotal, times(unit, line.quantity))) report(issues, `${at}${list}[${index}].item_subtotal`);
  const sum = plus(subtotal, centsOf(line.item_tax));
  if (!isEqual(centsOf(line.item_total), sum)) report(issues, `${at}${list}[${index}].item_total`);
}

/** Payments under way may lower the balance too, so that it is at most what is not paid. */
function sumsOfBalance(order: Fields, at: string, issues: ResponseIssue[]): void {
  const paid = centsOf(order.amount_paid);
  const open = less(centsOf(order.total), paid);
  const most = open === undefined ? undefined : Math.max(0, open);
  if (!isAtMost(centsOf(order.balance_due), most)) report(issues, `${at}balance_due`);
  if (!isAtMost(centsOf(order.amount_refunded), paid)) report(issues, `${at}amount_refunded`);
}

function isLineTotal({ base_price, modifier_total, quantity, item_total }: Fields): boolean {
  return isEqual(centsOf(item_total), times(plus(centsOf(base_price), centsOf(modifier_total)), quantity));
}

const NOTHING: Fields = {};
const EMPTY: readonly unknown[] = [];

const report = (issues: ResponseIssue[], path: string): void => void issues.push({ path, kind: 'sum' });

const isEqual = (one: number | undefined, other: number | undefined): boolean =>
  one === undefined || other === undefined || one === other;

const isAtMost = (one: number | undefined, most: number | undefined): boolean =>
  one === undefined || most === undefined || one <= most;

const plus = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one + other;

const less = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one - other;

/** The sum of one field of each record; `undefined` when one has none. */
function totalOf(records: unknown, field = 'amount'): number | undefined {
  if (!Array.isArray(records)) return undefined;
  let sum: number | undefined = 0;
  for (let index = 0; index < records.length; index += 1) sum = plus(sum, centsOf(fieldsOf(records[index])[field]));
  return sum;
}

const times = (cents: number | undefined, quantity: unknown): number | undefined =>
  cents === undefined || typeof quantity !== 'number' ? undefined : cents * quantity;

/** Money, or whole cents (gap PAY-10). */
function centsOf(amount: unknown): number | undefined {
  const cents = typeof amount === 'object' && amount !== null ? (amount as Fields).amount : amount;
  return typeof cents === 'number' ? cents : undefined;
}

const fieldsOf = (record: unknown): Fields =>
  typeof record === 'object' && record !== null ? (record as Fields) : NOTHING;

const listOf = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list : EMPTY);
