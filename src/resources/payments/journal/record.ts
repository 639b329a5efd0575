import { PaymentStateError } from '../../../errors/payment.js';
import { fromFormat1 } from './format-1.js';

/**
 * How far one tender is.
 *
 * - `PLANNED`: nothing was sent; it may still be left out.
 * - `SENT`: its request may have left; also while a payment under way is followed.
 * - `UNKNOWN`: it was sent, and the run ended before its outcome was known.
 * - `DONE`: the money moved.
 * - `REFUSED`: it was declined, or refused; no money moved.
 */
export type EntryState = 'PLANNED' | 'SENT' | 'UNKNOWN' | 'DONE' | 'REFUSED';

/** An instant by two clocks, in milliseconds since the Unix epoch. */
export interface Instant {
  /** On the service's clock; `null` when the service had not told it. */
  readonly serviceMs: number | null;
  /** On the clock of the process. */
  readonly localMs: number;
}

/** What the order showed just before a sending: what is there besides came later. */
export interface Baseline {
  /** `amount_paid` and `amount_refunded` in cents; `null` where they could not be read. */
  readonly paidCents: number | null;
  readonly refundedCents: number | null;
  readonly paymentIds: readonly string[];
  readonly refundIds: readonly string[];
}

/**
 * How a sending was refused after an earlier one of the same key whose outcome is unknown: the refusal may be a
 * consequence of that one (`'sign'`: the balance is used up, it is a duplicate), or may not (`'plain'`).
 */
export type LateRefusal = 'plain' | 'sign';

/** One tender of a run. It holds no instrument: of a tender only the keyed digest is kept. */
export interface PaymentEntry {
  readonly key: string;
  readonly method: string;
  /** As asked for: whole cents, or what remains. */
  readonly amount: number | 'remaining';
  /** What the request says; `null` until it is fixed, just before sending. */
  readonly cents: number | null;
  readonly state: EntryState;
  /** Digest of the tender. */
  readonly digest: string;
  /** Digest of the request's bytes; `null` until they are fixed. */
  readonly bodyDigest: string | null;
  /** How many times the request was about to leave. */
  readonly sendings: number;
  /** How many of these sendings may have been executed, as far as is known. */
  readonly inDoubt: number;
  readonly firstSentAt: Instant | null;
  readonly lastSentAt: Instant | null;
  /** When an error in the service's own envelope showed that the last sending is executed no longer. */
  readonly endedAt: Instant | null;
  readonly lateRefusal: LateRefusal | null;
  /** The order just before the last sending. */
  readonly baseline: Baseline | null;
  readonly paymentId: string | null;
  /** What the payment record says was taken; `null` while nothing was. */
  readonly chargedCents: number | null;
  /** Declines of this key so far. */
  readonly declines: number;
  /** Key of the declined entry that this one stands in for. */
  readonly replaces: string | null;
}

/** One attempt to pay the order: it ends when its call returns, and stays open when the process dies. */
export interface PaymentRun {
  readonly id: string;
  readonly openedAtMs: number;
  readonly ended: boolean;
  readonly entries: readonly PaymentEntry[];
  /** Set before a cancel leaves, so that a run that died is ended by the same cancel. */
  readonly cancelKey: string | null;
}

/** Who works on the order; a holder that stops renewing loses it. */
export interface OrderLock {
  readonly owner: string;
  readonly host: string;
  readonly pid: number;
  readonly leaseMs: number;
  /** What proves that the holder is gone: the machine's boot, the namespace of its process numbers, its start. */
  readonly boot?: string | undefined;
  readonly pidNamespace?: string | undefined;
  readonly startTime?: string | undefined;
}

/** Whose order it is: ids are unique at one service, for one partner. */
export interface OrderOrigin {
  readonly baseUrl: string;
  readonly clientId: string;
}

/** All that is known of the payments of one order: lock, fencing number and runs, written as one. */
export interface JournalRecord {
  readonly format: 2;
  /** In lower case. */
  readonly orderId: string;
  /** `null` in a record that an earlier version began. */
  readonly origin: OrderOrigin | null;
  /** `created_at` of the order; `null` until it was read. */
  readonly orderCreatedAt: string | null;
  /** Grows with every write, renewals included. */
  readonly version: number;
  /** Grows whenever the order changes hands. */
  readonly fence: number;
  readonly lock: OrderLock | null;
  /** Salt of every digest of this record. */
  readonly salt: string;
  readonly runs: readonly PaymentRun[];
}

/** Ids are compared in lower case: a service may take them in either. */
export function journalId(orderId: string): string {
  return orderId.toLowerCase();
}

export function emptyRecord(orderId: string, salt: string, origin: OrderOrigin | null = null): JournalRecord {
  const id = journalId(orderId);
  return { format: 2, orderId: id, origin, orderCreatedAt: null, version: 0, fence: 0, lock: null, salt, runs: [] };
}

/**
 * Reads a record. A record that cannot be read is an error: to begin anew could charge twice.
 *
 * @throws {PaymentStateError} `journal_unreadable`; `journal_of_another_order` when it was written for another service
 *   or partner.
 */
export function parseRecord(orderId: string, text: string, origin: OrderOrigin | null = null): JournalRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unreadable(orderId, 'it is not JSON', cause);
  }
  if (!isObject(value) || (value.format !== 1 && value.format !== 2)) {
    throw unreadable(orderId, 'it is of a format that this version does not know');
  }
  const known = value.format === 1 ? fromFormat1(value) : value;
  if (!isText(known.orderId) || journalId(known.orderId) !== journalId(orderId)) {
    throw unreadable(orderId, 'it belongs to another order');
  }
  if (!isNumber(known.version) || !isNumber(known.fence) || !isText(known.salt) || !isLock(known.lock)) {
    throw unreadable(orderId, 'its head is not whole');
  }
  if (!isOrigin(known.origin) || !isOptional(known.orderCreatedAt, isText)) {
    throw unreadable(orderId, 'its head is not whole');
  }
  if (!Array.isArray(known.runs) || !known.runs.every(isRun)) throw unreadable(orderId, 'its runs are not whole');
  const { open: _, ...rest } = known;
  const record = { ...rest, orderId: journalId(orderId) } as unknown as JournalRecord;
  if (record.origin === null) return { ...record, origin };
  checkOrigin(orderId, record.origin, origin);
  return record;
}

function checkOrigin(orderId: string, written: OrderOrigin, present: OrderOrigin | null): void {
  if (present === null) return;
  if (written.baseUrl === present.baseUrl && written.clientId === present.clientId) return;
  const what = written.baseUrl === present.baseUrl ? 'another client id' : 'another base address';
  throw new PaymentStateError(
    `The payment journal holds a record of order ${orderId} that was written for ${what}. Nothing was sent. ` +
      'Give each service and each partner a journal of its own (another directory, or another prefix).',
    { orderId, reason: 'journal_of_another_order' },
  );
}

function unreadable(orderId: string, why: string, cause?: unknown): PaymentStateError {
  return new PaymentStateError(
    `The payment journal holds a record of order ${orderId} that cannot be read (${why}). Nothing was sent. ` +
      'Read the order with client.orders.retrieve, and move the record away only when its payments are clear.',
    { orderId, reason: 'journal_unreadable' },
    { cause },
  );
}

const STATES: ReadonlySet<unknown> = new Set<EntryState>(['PLANNED', 'SENT', 'UNKNOWN', 'DONE', 'REFUSED']);

function isRun(run: unknown): boolean {
  return (
    isObject(run) &&
    isText(run.id) &&
    typeof run.ended === 'boolean' &&
    isOptional(run.cancelKey, isText) &&
    Array.isArray(run.entries) &&
    run.entries.every(isEntry)
  );
}

function isEntry(entry: unknown): boolean {
  if (!isObject(entry) || !STATES.has(entry.state)) return false;
  const isWhole =
    isText(entry.key) &&
    isText(entry.method) &&
    isText(entry.digest) &&
    (isNumber(entry.amount) || entry.amount === 'remaining') &&
    isNumber(entry.declines) &&
    isNumber(entry.sendings) &&
    isNumber(entry.inDoubt) &&
    isOptional(entry.endedAt, isInstant) &&
    isOptional(entry.lateRefusal, isText) &&
    isOptional(entry.baseline, isBaseline) &&
    isOptional(entry.paymentId, isText) &&
    isOptional(entry.replaces, isText);
  // What was sent has a fixed amount and a time; without them it could be neither found nor repeated.
  const isFixed = isNumber(entry.cents) && isInstant(entry.firstSentAt) && isInstant(entry.lastSentAt);
  return isWhole && (entry.state === 'PLANNED' || isFixed);
}

function isInstant(value: unknown): boolean {
  return isObject(value) && isNumber(value.localMs) && isOptional(value.serviceMs, isNumber);
}

function isBaseline(value: unknown): boolean {
  return (
    isObject(value) &&
    isOptional(value.paidCents, isNumber) &&
    isOptional(value.refundedCents, isNumber) &&
    Array.isArray(value.paymentIds) &&
    Array.isArray(value.refundIds)
  );
}

function isOrigin(value: unknown): boolean {
  return isOptional(value, (origin) => isObject(origin) && isText(origin.baseUrl) && isText(origin.clientId));
}

function isLock(value: unknown): boolean {
  return isOptional(value, (lock) => {
    if (!isObject(lock)) return false;
    const proofs = [lock.boot, lock.pidNamespace, lock.startTime];
    const areProofs = proofs.every((proof) => proof === undefined || isText(proof));
    return isText(lock.owner) && isNumber(lock.leaseMs) && areProofs;
  });
}

const isOptional = (value: unknown, is: (value: unknown) => boolean): boolean => value === null || is(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
