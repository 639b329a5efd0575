import type { Payment } from '../../contract/index.js';
import { centsOf } from './amounts.js';
import type { PaymentOverrides, SentPayment } from './overrides.js';

/** Tells whether a payment record of the order can be the outcome of a request (gap PAY-4). */
export type MatchesPayment = NonNullable<PaymentOverrides['matches']>;

/** How far the clocks of two machines may differ. */
export const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * The default of {@link MatchesPayment}: the idempotency key alone, where the record shows one; otherwise the same
 * method and amount, and a creation not before the request less five minutes.
 */
export const matchesByFields: MatchesPayment = (payment, sent) => {
  if (typeof payment.idempotency_key === 'string') return payment.idempotency_key === sent.idempotencyKey;
  return (
    payment.payment_method === sent.payment_method &&
    centsOf(payment.amount) === sent.cents &&
    isCreatedSince(payment.created_at, sent.startedAt)
  );
};

/** A time that is missing or unreadable excludes nothing. */
export function isCreatedSince(createdAt: string | undefined, startedAt: Date): boolean {
  const createdAtMs = createdAt === undefined ? Number.NaN : Date.parse(createdAt);
  return Number.isNaN(createdAtMs) || createdAtMs >= startedAt.getTime() - CLOCK_SKEW_MS;
}

/**
 * What the status of a payment means for the next step.
 *
 * - `paid`: the money moved. `REFUNDED` and `VOIDED` follow a cancel, and are told apart by the order's status.
 * - `failed`: it ended without money.
 * - `under_way`: anything else, states to come included: it may still take the money.
 */
export type PaymentStanding = 'paid' | 'failed' | 'under_way';

export function standingOf(payment: Payment): PaymentStanding {
  switch (payment.status) {
    case 'COMPLETED':
    case 'REFUNDED':
      return 'paid';
    case 'FAILED':
    case 'VOIDED':
      return 'failed';
    default:
      return 'under_way';
  }
}

export interface MatchingOptions {
  readonly matches?: MatchesPayment | undefined;
  /** Ids of payments that belong to something else: they were there before, or answer another key. */
  readonly taken?: ReadonlySet<string> | undefined;
  /**
   * How many identical payments are accounted for though their record's id is not known: the answer of a decline
   * carries none (gap PAY-7), and a service may leave it out of a success.
   */
  readonly accountedFor?: { readonly paid: number; readonly failed: number } | undefined;
}

/**
 * The record of an order that is the outcome of the request, or `undefined`.
 *
 * Of several candidates the one that moved money comes first, then one that may still move it: to adopt it charges
 * nothing, to overlook it could charge twice.
 */
export function findPayment(
  payments: readonly Payment[],
  sent: SentPayment,
  { matches = matchesByFields, taken = new Set(), accountedFor = { paid: 0, failed: 0 } }: MatchingOptions = {},
): Payment | undefined {
  const candidates = payments.filter((payment) => !taken.has(payment.id) && matches(payment, sent));
  const byStanding = (standing: PaymentStanding) => candidates.filter((payment) => standingOf(payment) === standing);
  const own = candidates.filter((payment) => payment.idempotency_key === sent.idempotencyKey);
  if (own.length > 0) return own.find((payment) => standingOf(payment) !== 'failed') ?? own[0];
  return (
    byStanding('paid')[accountedFor.paid] ?? byStanding('under_way')[0] ?? byStanding('failed')[accountedFor.failed]
  );
}
