import type { Order, Payment, Refund } from '../../contract/index.js';
import { amountsOf, centsOf } from './amounts.js';
import type { Baseline } from './journal/record.js';
import type { Seen, Sign } from './lost-response.js';
import type { PaymentOverrides, SentPayment } from './overrides.js';

/** Tells whether a payment record of the order can be the outcome of a request (gap PAY-4). */
export type MatchesPayment = NonNullable<PaymentOverrides['matches']>;

/** How far the clocks of two machines may differ. */
export const CLOCK_SKEW_MS = 5 * 60_000;
/** How far the service's clock may differ from the one by which it dates its records. */
export const SERVICE_SKEW_MS = 60_000;

/**
 * The default of {@link MatchesPayment}: the idempotency key alone, where the record shows one; otherwise the same
 * method and amount, and a creation not before the request less `skewMs`.
 */
export function matchesByFields(payment: Payment, sent: SentPayment, skewMs = CLOCK_SKEW_MS): boolean {
  if (typeof payment.idempotency_key === 'string') return payment.idempotency_key === sent.idempotencyKey;
  return (
    payment.payment_method === sent.payment_method &&
    centsOf(payment.amount) === sent.cents &&
    isCreatedSince(payment.created_at, sent.startedAt, skewMs)
  );
}

/** A time that is missing or unreadable excludes nothing. */
export function isCreatedSince(createdAt: string | undefined, startedAt: Date, skewMs = CLOCK_SKEW_MS): boolean {
  const createdAtMs = instantOf(createdAt);
  return createdAtMs === undefined || createdAtMs >= startedAt.getTime() - skewMs;
}

const ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/i;

/** Milliseconds since the Unix epoch; a date-time without a zone is UTC, whatever the zone of this machine. */
export function instantOf(text: string | undefined): number | undefined {
  if (typeof text !== 'string') return undefined;
  const ms = Date.parse(text.includes('T') && !ZONE.test(text) ? `${text}Z` : text);
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * What the status of a payment means for the next step.
 *
 * - `paid`: the money moved. `REFUNDED` and `VOIDED` follow a cancel, and are told apart by the order's status.
 * - `failed`: it ended without money.
 * - `under_way`: anything else, states to come included: it may still take the money.
 */
export type PaymentStanding = 'paid' | 'failed' | 'under_way';

const UNDER_WAY: ReadonlySet<string> = new Set(['PENDING', 'AUTHORIZED', 'CAPTURED']);

export function standingOf(payment: Payment, isFinal?: PaymentOverrides['isFinal']): PaymentStanding {
  switch (payment.status) {
    case 'COMPLETED':
    case 'REFUNDED':
      return 'paid';
    case 'FAILED':
    case 'VOIDED':
      return 'failed';
    default:
      return isFinal?.(payment) ?? 'under_way';
  }
}

/** Whether the status is none of those that the interface document names. */
export function isUnknownStatus(payment: Payment, isFinal?: PaymentOverrides['isFinal']): boolean {
  return standingOf(payment, isFinal) === 'under_way' && !UNDER_WAY.has(payment.status);
}

export interface MatchingOptions {
  readonly matches?: MatchesPayment | undefined;
  readonly isFinal?: PaymentOverrides['isFinal'];
  /** Ids of payments that belong to something else: they were there before, or came back for another key. */
  readonly taken?: ReadonlySet<string> | undefined;
  /**
   * How many identical payments are accounted for though their record's id is not known: the response of a decline
   * carries none (gap PAY-7), and a service may leave it out of a success.
   */
  readonly accountedFor?: { readonly paid: number; readonly failed: number } | undefined;
  /** How far the clock of `startedAt` may differ from the one of the records. */
  readonly skewMs?: number | undefined;
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
  { matches, isFinal, taken, accountedFor = { paid: 0, failed: 0 }, skewMs }: MatchingOptions = {},
): Payment | undefined {
  const isMatch = (payment: Payment): boolean =>
    matches ? matches(payment, sent) : matchesByFields(payment, sent, skewMs);
  const candidates = payments.filter((payment) => !taken?.has(payment.id) && isMatch(payment));
  const own = candidates.filter((payment) => payment.idempotency_key === sent.idempotencyKey);
  const first = (among: readonly Payment[], standing: PaymentStanding, skipped = 0): Payment | undefined =>
    among.filter((payment) => standingOf(payment, isFinal) === standing)[skipped];
  if (own.length > 0) return first(own, 'paid') ?? first(own, 'under_way') ?? own[0];
  return (
    first(candidates, 'paid', accountedFor.paid) ??
    first(candidates, 'under_way') ??
    first(candidates, 'failed', accountedFor.failed)
  );
}

/** A payment that is looked for in an order. */
export interface ExpectedPayment extends MatchingOptions {
  readonly sent: SentPayment;
  /** The order just before the last sending; `null` where it was not read. */
  readonly baseline: Baseline | null;
  /** Ids of payments that other tenders have made, or that came back for other keys. */
  readonly claimed: ReadonlySet<string>;
  /** Cents that tenders of the journal have charged. */
  readonly chargedCents: number;
  /** False where the service's clock is not known: no time excludes a record from being a sign then. @defaultValue true */
  readonly isTimeKnown?: boolean | undefined;
}

/** What a reading of the order shows of a payment whose outcome is unknown. */
export function seenPayment(order: Order, expected: ExpectedPayment): Seen<Payment> {
  const { sent, baseline, claimed, isFinal, skewMs, isTimeKnown = true } = expected;
  if (!Array.isArray(order.payments))
    return { record: undefined, failed: undefined, isOwn: false, signs: [], isListed: false };

  const taken = new Set([...(baseline?.paymentIds ?? []), ...claimed]);
  const found = findPayment(order.payments, sent, { ...expected, taken });
  const isFailed = found !== undefined && standingOf(found, isFinal) === 'failed';
  const isNew = (payment: Payment): boolean =>
    !taken.has(payment.id) &&
    standingOf(payment, isFinal) !== 'failed' &&
    payment.id !== found?.id &&
    (!mayBeOlder({ baseline, isTimeKnown }) || isCreatedSince(payment.created_at, sent.startedAt, skewMs));
  const signs: Sign[] = [];
  if (order.payments.some(isNew)) signs.push('new_record');
  if (paidMoreThanKnown(order, expected)) signs.push('sum_rose');
  return {
    record: isFailed ? undefined : found,
    failed: isFailed ? found : undefined,
    isOwn: found !== undefined && found.idempotency_key === sent.idempotencyKey,
    signs,
    isListed: true,
  };
}

/**
 * Whether a record that is new to us may have been there before, so that its time decides. What an earlier reading did not
 * show was made since, however clocks that were set, or differ, date it.
 */
function mayBeOlder({ baseline, isTimeKnown = true }: Pick<ExpectedPayment, 'baseline' | 'isTimeKnown'>): boolean {
  return baseline === null && isTimeKnown;
}

/** Whether the order shows more as paid than before the sending, or, where that is not known, than its records come to. */
function paidMoreThanKnown(order: Order, { baseline, chargedCents, isFinal }: ExpectedPayment): boolean {
  const paidCents = amountsOf(order)?.paidCents;
  if (paidCents === undefined) return false;
  const before = baseline?.paidCents ?? paidByRecords(order, isFinal);
  return paidCents > Math.max(before, chargedCents);
}

function paidByRecords(order: Order, isFinal: PaymentOverrides['isFinal']): number {
  const paid = order.payments.filter(
    (payment) => standingOf(payment, isFinal) === 'paid' || payment.status === 'VOIDED',
  );
  return paid.reduce((sum, payment) => sum + (centsOf(payment.amount) ?? 0), 0);
}

/** A refund that is looked for in an order. */
export interface ExpectedRefund {
  readonly cents: number;
  readonly idempotencyKey: string;
  readonly startedAt: Date;
  readonly skewMs: number;
  readonly isTimeKnown?: boolean | undefined;
  readonly baseline: Baseline | null;
  /** Ids of refunds that came back for other keys. */
  readonly claimed: ReadonlySet<string>;
}

/**
 * What a reading of the order shows of a refund whose outcome is unknown: the same amount, made since the request
 * (gap REF-5).
 *
 * Without a list of refunds only their sum is there. While that is what it was before the request, or below the
 * amount, the refund was not made; else it may be an earlier one, and cannot be told.
 */
export function seenRefund(order: Order, expected: ExpectedRefund): Seen<Refund> {
  const { baseline, claimed, cents, idempotencyKey } = expected;
  const refundedCents = centsOf(order.amount_refunded);
  const nothing = { record: undefined, failed: undefined, isOwn: false, signs: [] as Sign[] };
  if (!Array.isArray(order.refunds)) {
    const before = baseline?.refundedCents ?? cents - 1;
    if (refundedCents === undefined) return { ...nothing, isListed: false };
    return refundedCents > before
      ? { ...nothing, signs: ['sum_rose'], isListed: true }
      : { ...nothing, isListed: true };
  }
  const taken = new Set([...(baseline?.refundIds ?? []), ...claimed]);
  const open = order.refunds.filter(({ id }) => !taken.has(id));
  const found = open.filter((refund) => isSameRefund(refund, expected));
  const own = found.filter((refund) => keyOf(refund) === idempotencyKey);
  const candidates = own.length > 0 ? own : found;
  const record =
    candidates.find(({ status }) => status === 'COMPLETED') ?? candidates.find(({ status }) => status !== 'FAILED');
  const failed = candidates.find(({ status }) => status === 'FAILED');
  const signs: Sign[] = [];
  const isNew = (refund: Refund): boolean =>
    refund.status !== 'FAILED' &&
    !found.includes(refund) &&
    (!mayBeOlder(expected) || isCreatedSince(refund.created_at, expected.startedAt, expected.skewMs));
  if (open.some(isNew)) signs.push('new_record');
  const before = baseline?.refundedCents ?? refundedByRecords(order.refunds);
  if (refundedCents !== undefined && refundedCents > before) signs.push('sum_rose');
  return { record, failed: record ? undefined : failed, isOwn: own.length > 0, signs, isListed: true };
}

function isSameRefund(refund: Refund, { cents, idempotencyKey, startedAt, skewMs }: ExpectedRefund): boolean {
  const key = keyOf(refund);
  if (typeof key === 'string') return key === idempotencyKey;
  return centsOf(refund.amount) === cents && isCreatedSince(refund.created_at, startedAt, skewMs);
}

function keyOf(refund: Refund): unknown {
  return (refund as { idempotency_key?: unknown }).idempotency_key;
}

function refundedByRecords(refunds: readonly Refund[]): number {
  const made = refunds.filter(({ status }) => status !== 'FAILED');
  return made.reduce((sum, { amount }) => sum + (centsOf(amount) ?? 0), 0);
}
