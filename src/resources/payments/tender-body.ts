import type { Money, PaymentRequest } from '../../contract/index.js';
import type { PaymentOverrides } from './overrides.js';

type WithoutAmount<Request> = Request extends unknown ? Omit<Request, 'amount'> : never;

/**
 * One way to pay, and how much: the instrument fields of a payment, with an amount that may be `'remaining'`.
 *
 * @see Interface document, "Payment rules"; gap PAY-1
 */
export type Tender = WithoutAmount<PaymentRequest> & {
  /** Whole cents, `Money`, or `'remaining'`: what is still due when its turn comes. */
  amount: number | Money | 'remaining';
};

/** The body of the payment of one tender. Its keys are sorted, so that a repetition has the same bytes. */
export function paymentBody(tender: Tender, cents: number, { toRequest }: PaymentOverrides = {}): PaymentRequest {
  const body = toRequest?.({ ...tender }, cents) ?? { ...tender, amount: cents };
  return sortKeys(body) as PaymentRequest;
}

/** A copy with the keys of every object in order, and without undefined values. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sortKeys(member)]),
  );
}
