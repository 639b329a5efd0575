import { PaymentStateError } from '../../../errors/payment.js';

/**
 * How far one tender is.
 *
 * - `PLANNED`: nothing was sent; it may still be left out.
 * - `SENT`: its request may have left; also while a payment under way is followed.
 * - `UNKNOWN`: it was sent, and the run ended before an answer was sure.
 * - `DONE`: the money moved.
 * - `REFUSED`: it was declined, or refused; no money moved.
 */
export type EntryState = 'PLANNED' | 'SENT' | 'UNKNOWN' | 'DONE' | 'REFUSED';

/** One tender of a run. It holds no instrument: of a tender only the salted digest is kept. */
export interface PaymentEntry {
  readonly key: string;
  readonly method: string;
  /** As asked for: whole cents, or what remains. */
  readonly amount: number | 'remaining';
  /** What the request says; `null` until it is fixed, just before sending. */
  readonly cents: number | null;
  readonly state: EntryState;
  /** First sending of the key, on the service's clock, in milliseconds since the Unix epoch. */
  readonly startedAtMs: number | null;
  /** The same instant on the clock of the sending process. */
  readonly startedAtLocalMs: number | null;
  /** Digest of the tender. */
  readonly digest: string;
  /** Digest of the request's bytes; `null` until they are fixed. */
  readonly bodyDigest: string | null;
  readonly paymentId: string | null;
  /** What the payment record says was taken; `null` while nothing was. */
  readonly chargedCents: number | null;
  /** Payments that the order showed before the last sending: none of them can be its outcome. */
  readonly paymentsBefore: readonly string[];
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
  /** With these three the system can prove that the holder's process has ended. */
  readonly boot?: string | undefined;
  readonly pidNamespace?: string | undefined;
  readonly startTime?: string | undefined;
  readonly leaseMs: number;
}

/** All that is known of the payments of one order: lock, fencing number and runs, written as one. */
export interface JournalRecord {
  readonly format: 1;
  readonly orderId: string;
  /** Grows with every write, renewals included. */
  readonly version: number;
  /** Grows whenever the order changes hands. */
  readonly fence: number;
  readonly lock: OrderLock | null;
  /** Salt of every digest of this record. */
  readonly salt: string;
  readonly runs: readonly PaymentRun[];
}

export function emptyRecord(orderId: string, salt: string): JournalRecord {
  return { format: 1, orderId, version: 0, fence: 0, lock: null, salt, runs: [] };
}

/** Reads a record. A record that cannot be read is an error: to begin anew could charge twice. */
export function parseRecord(orderId: string, text: string): JournalRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unreadable(orderId, 'it is not JSON', cause);
  }
  if (!isObject(value) || value.format !== 1) throw unreadable(orderId, 'it is not of format 1');
  if (String(value.orderId).toLowerCase() !== orderId.toLowerCase())
    throw unreadable(orderId, 'it belongs to another order');
  if (!isNumber(value.version) || !isNumber(value.fence) || typeof value.salt !== 'string' || !isLock(value.lock)) {
    throw unreadable(orderId, 'its head is not whole');
  }
  if (!Array.isArray(value.runs) || !value.runs.every(isRun)) throw unreadable(orderId, 'its runs are not whole');
  return value as unknown as JournalRecord;
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
    typeof run.id === 'string' &&
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
    Array.isArray(entry.paymentsBefore) &&
    isOptional(entry.paymentId, isText) &&
    isOptional(entry.replaces, isText);
  // What was sent has a fixed amount and a time; without them it could be neither found nor repeated.
  const isFixed = isNumber(entry.cents) && isNumber(entry.startedAtMs) && isNumber(entry.startedAtLocalMs);
  return isWhole && (entry.state === 'PLANNED' || isFixed);
}

function isLock(lock: unknown): boolean {
  return isOptional(lock, (value) => isObject(value) && isText(value.owner) && isNumber(value.leaseMs));
}

const isOptional = (value: unknown, is: (value: unknown) => boolean): boolean => value === null || is(value);
const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
