import { expect } from 'vitest';
import { isLive } from './live.js';
import type { Cart, ErrorBody, Money, Page, PriceCalculation } from './records.js';
import type { Answer } from './target.js';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
/** ISO 8601 date-time in UTC ("General conventions"). */
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/;
export const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Well-formed ids that no resource has. */
export const NO_SUCH_ID = '3f0b7c1e-5a52-4d0e-9f38-6b1f0a9c2d47';

export function expectMoney(value: unknown): void {
  expect(value).toEqual({ amount: expect.any(Number), currency: 'USD' });
  expect(Number.isInteger((value as Money).amount), 'minor units are integers').toBe(true);
}

export function expectTimestamp(value: unknown): void {
  expect(value).toMatch(TIMESTAMP);
  expect(Number.isNaN(Date.parse(value as string))).toBe(false);
}

/** What an error row of the document says about a response. */
export interface Refusal {
  readonly status: number | readonly number[];
  readonly code: string;
  /** A part of `message` that the document names. */
  readonly message?: string | RegExp;
  readonly field?: string | RegExp;
}

/** The error envelope, whole, and the row of the error table. */
export function expectRefusal(answer: Answer<unknown>, expected: Refusal): ErrorBody['error'] {
  const statuses = typeof expected.status === 'number' ? [expected.status] : expected.status;
  const wanted = statuses.includes(answer.status) ? answer.status : statuses[0];
  expect(answer.status, `the response was ${answer.text.slice(0, 400)}`).toBe(wanted);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(Object.keys(answer.body as ErrorBody)).toEqual(['error']);
  const { error } = answer.body as ErrorBody;
  expect(error.code).toBe(expected.code);
  expect(error.message).toMatch(/\S/);
  expect(error.detail).toMatch(/\S/);
  expect(error.request_id).toMatch(UUID);
  if (error.field !== undefined && error.field !== null) expect(error.field).toMatch(/\S/);
  if (typeof expected.message === 'string') expect(error.message).toContain(expected.message);
  if (expected.message instanceof RegExp) expect(error.message).toMatch(expected.message);
  // "Some responses omit `field`": the mock tells it wherever it is known.
  if (isLive && (error.field ?? null) === null) return error;
  if (typeof expected.field === 'string') expect(error.field).toBe(expected.field);
  if (expected.field instanceof RegExp) expect(error.field).toMatch(expected.field);
  return error;
}

export const badRequest = (message?: string | RegExp, field?: string | RegExp): Refusal =>
  refusal(400, 'INVALID_REQUEST_ERROR', message, field);
export const unauthorized = (message?: string | RegExp): Refusal => refusal(401, 'AUTHENTICATION_ERROR', message);
export const forbidden = (message?: string | RegExp): Refusal => refusal(403, 'AUTHENTICATION_ERROR', message);
export const notFound = (message?: string | RegExp): Refusal => refusal(404, 'NOT_FOUND_ERROR', message);
export const conflict = (message?: string | RegExp): Refusal => refusal(409, 'CONFLICT_ERROR', message);
export const unprocessable = (message?: string | RegExp, field?: string | RegExp): Refusal =>
  refusal(422, 'INVALID_REQUEST_ERROR', message, field);
/** For slips where the document names neither 400 (format) nor 422 (business rule): both are a refusal of the request. */
export const invalid = (field?: string | RegExp): Refusal =>
  refusal([400, 422], 'INVALID_REQUEST_ERROR', undefined, field);

function refusal(
  status: number | readonly number[],
  code: string,
  message?: string | RegExp,
  field?: string | RegExp,
): Refusal {
  return { status, code, ...(message === undefined ? {} : { message }), ...(field === undefined ? {} : { field }) };
}

/** A success, or the text of what came instead. */
export function expectStatus(answer: Answer<unknown>, status: number): void {
  expect(answer.status, answer.text.slice(0, 400)).toBe(status);
}

export function expectPage<T>(answer: Answer<Page<T>>): Page<T> {
  expectStatus(answer, 200);
  const page = answer.body;
  expect(Array.isArray(page.data)).toBe(true);
  expect(typeof page.pagination.has_more).toBe('boolean');
  if (page.pagination.has_more) expect(page.pagination.next_cursor).toMatch(/\S/);
  else expect(page.pagination.next_cursor).toBeNull();
  return page;
}

export const cents = (money: Money): number => money.amount;
export const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Every field of the Cart table, and the sums that the table states. */
export function expectCart(cart: Cart): void {
  expect(cart.id).toMatch(UUID);
  expect(cart.location_id).toMatch(UUID);
  expect(['ACTIVE', 'CHECKED_OUT', 'ABANDONED']).toContain(cart.status);
  expect(cart.promo_codes.length).toBeLessThanOrEqual(1);
  expect(typeof cart.age_verification_required).toBe('boolean');
  for (const name of ['subtotal', 'total_tax', 'total_discount', 'total_fees', 'total'] as const)
    expectMoney(cart[name]);
  expectTimestamp(cart.created_at);
  expectTimestamp(cart.updated_at);
  for (const item of cart.items) {
    expect(cents(item.item_total)).toBe((cents(item.base_price) + cents(item.modifier_total)) * item.quantity);
  }
  expect(cents(cart.subtotal)).toBe(sum(cart.items.map((item) => cents(item.item_total))));
  expect(cents(cart.total_fees)).toBe(sum(cart.fees.map((fee) => cents(fee.amount))));
  expect(cents(cart.total)).toBe(
    cents(cart.subtotal) + cents(cart.total_tax) + cents(cart.total_fees) - cents(cart.total_discount),
  );
}

/** The identities of the PriceCalculation table, to the cent. */
export function expectPriceIdentities(price: PriceCalculation): void {
  for (const line of price.line_items) {
    const discounts = sum(line.discounts.map((discount) => cents(discount.amount)));
    // The formula takes the discounts before it multiplies: their amounts are per unit.
    const unitPrice = cents(line.base_price) + cents(line.modifier_total) - discounts;
    expect(cents(line.item_subtotal)).toBe(unitPrice * line.quantity);
    expect(cents(line.item_total)).toBe(cents(line.item_subtotal) + cents(line.item_tax));
  }
  expect(cents(price.subtotal)).toBe(sum(price.line_items.map((line) => cents(line.item_subtotal))));
  expect(cents(price.total_tax)).toBe(sum(price.line_items.map((line) => cents(line.item_tax))));
  expect(cents(price.total_fees)).toBe(sum(price.fees.map((fee) => cents(fee.amount))));
  expect(cents(price.total_discount)).toBe(sum(price.discounts.map((discount) => cents(discount.amount))));
  expect(cents(price.total)).toBe(
    cents(price.subtotal) + cents(price.total_tax) + cents(price.total_fees) - cents(price.total_discount),
  );
  expect(cents(price.taxable_amount)).toBeGreaterThanOrEqual(0);
  expect(cents(price.taxable_amount)).toBeLessThanOrEqual(cents(price.subtotal) - cents(price.total_discount));
}
