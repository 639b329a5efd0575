import type { Order, Payment, PaymentRequest } from '../../../contract/index.js';
import type { APIError } from '../../../errors/api.js';
import type { ResolvedPolling } from '../../polling.js';
import type { Instant, JournalRecord, PaymentEntry } from '../journal/record.js';
import type { Doubt, Limits, Watch } from '../lost-response.js';
import { NOT_WATCHED } from '../lost-response.js';
import { CLOCK_SKEW_MS, SERVICE_SKEW_MS } from '../matching.js';
import type { PaymentOverrides } from '../overrides.js';
import type { ServiceTime } from '../service-time.js';
import type { SettleContext } from './context.js';
import type { DigestedTender, OfferedTender } from './tenders.js';

/** The last reading of the order that succeeded. */
export interface Reading {
  readonly order: Order;
  /** Whether nothing was sent or asked since, and it is some seconds old at most. */
  readonly isFresh: boolean;
}

/** How long a run has waited for one thing, reading the order. */
export interface Waited {
  /** What for; another thing begins anew. */
  readonly what: string;
  readonly ms: number;
  /** Readings while it waited. */
  readonly readings: number;
}

/** What is known of an undecided entry besides the record. */
export interface EntryKnowledge {
  readonly doubt: Doubt;
  readonly watch: Watch;
  /** Whether the reading began after the last sending of this run. */
  readonly wasReadSince: boolean;
  /** How often this call has sent it. */
  readonly sentNow: number;
  /** Whether the service's clock was known when it was sent first. */
  readonly skewMs: number;
}

/** All that the next step depends on. */
export interface Known {
  readonly orderId: string;
  readonly record: JournalRecord;
  readonly reading: Reading | undefined;
  /** False where nothing may be sent: `resume` without tenders, `resolve({ replay: false })`. */
  readonly sends: boolean;
  /** The one entry to decide (`resolve`); `undefined` for all. */
  readonly only: string | undefined;
  /** Keys whose tender this call knows. */
  readonly tenders: Pick<ReadonlySet<string>, 'has'>;
  /** Tenders of this call that are not in the record yet. */
  readonly unsent: readonly OfferedTender[];
  /** A tender that would charge an instrument a second time with another amount, if any: what was charged. */
  readonly raised: PaymentEntry | undefined;
  /** Keys that were declined, and of which the handler was not asked yet. */
  readonly declined: readonly string[];
  /** The declined key that the handler wants to be sent again. */
  readonly retried: string | undefined;
  /** Whether the handler has answered that nothing more is sent, or that the order is cancelled. */
  readonly isStopped: boolean;
  readonly isCancelled: boolean;
  /** Milliseconds that must pass before the next sending: a rate limit, a back-off. */
  readonly pauseMs: number;
  readonly waited: Waited;
  readonly about: (entry: PaymentEntry) => EntryKnowledge;
  readonly polling: ResolvedPolling;
  readonly limits: Limits;
  readonly rules: Pick<PaymentOverrides, 'matches' | 'isFinal'>;
}

/** The request of an entry, as it leaves. */
export interface SentBody {
  readonly body: PaymentRequest;
  readonly digest: string;
}

/** What a run has come to know besides record and order; a change replaces what it names. */
export interface Findings {
  /** Tenders by the key of their entry. */
  readonly tenders: ReadonlyMap<string, DigestedTender>;
  readonly unsent: readonly DigestedTender[];
  readonly raised: PaymentEntry | undefined;
  readonly bodies: ReadonlyMap<string, SentBody>;
  /** Keys under which the service keeps a failed payment: to repeat them changes nothing. */
  readonly exhausted: ReadonlySet<string>;
  /** Payment records seen, reasons and errors of refusals, by key. */
  readonly payments: ReadonlyMap<string, Payment>;
  readonly reasons: ReadonlyMap<string, string>;
  readonly errors: ReadonlyMap<string, APIError>;
  readonly declined: readonly string[];
  readonly retried: string | undefined;
  readonly isStopped: boolean;
  readonly isCancelled: boolean;
  /** What lost the response of a key, or kept the order from being read. */
  readonly failure: unknown;
}

export const NOTHING_FOUND: Findings = {
  tenders: new Map(),
  unsent: [],
  raised: undefined,
  bodies: new Map(),
  exhausted: new Set(),
  payments: new Map(),
  reasons: new Map(),
  errors: new Map(),
  declined: [],
  retried: undefined,
  isStopped: false,
  isCancelled: false,
  failure: undefined,
};

/** All that a run knows at one moment, as values: no function that gets it can change the run. */
export interface Snapshot extends Omit<Known, keyof Findings>, Findings {
  readonly context: SettleContext;
  /** The time by both clocks. */
  readonly now: Instant;
  /** Whether there is a handler to be asked about declines. */
  readonly hasHandler: boolean;
}

/** What comes of a step, as a value; the run takes it over. */
export interface Change {
  /** The record as it is from now on, durable before the next step. */
  readonly record?: (record: JournalRecord) => JournalRecord;
  readonly found?: Partial<Findings>;
  /** The order as a response showed it: as good as a reading. */
  readonly order?: Order;
  /** What the last sending of the key turned out to be: not executed, or executed no longer. */
  readonly sending?: { readonly key: string; readonly was: 'not_executed' | 'ended' };
  /** Nothing is sent before so many milliseconds have passed. */
  readonly pauseMs?: number;
  /** Ends the run, once the rest is noted. */
  readonly error?: unknown;
}

/** What this run has done about one key; instants are monotonic. */
export interface KeyHistory {
  readonly sent?: { readonly firstMs: number; readonly lastMs: number; readonly times: number } | undefined;
  /** When the service's own error showed that the last sending is executed no longer. */
  readonly endedMs?: number | undefined;
  readonly watch?: Watch | undefined;
}

/** The clocks of a run; instants are monotonic. */
export interface RunTimes {
  readonly nowMs: number;
  /** Since when this run holds the order. */
  readonly startedMs: number;
  /** When the last successful reading began. */
  readonly readMs: number | undefined;
  readonly leaseMs: number;
  readonly service: ServiceTime;
}

/**
 * What is known of an entry. How long ago its key was sent is told as far as it is proven: exactly where this run sent
 * it; else at least since this run holds the order, or as long as the service's clock shows.
 */
export function knowledgeOf(
  entry: PaymentEntry,
  { sent, endedMs, watch = NOT_WATCHED }: KeyHistory,
  { nowMs, startedMs, readMs, leaseMs, service }: RunTimes,
): Omit<EntryKnowledge, 'doubt'> & { readonly doubt: Omit<Doubt, 'isClosed'> } {
  const { inDoubt, declines, firstSentAt, lastSentAt, endedAt, lateRefusal } = entry;
  const sinceStartMs = nowMs - startedMs;
  // Another process may have sent it up to a third of its lease after it wrote the time down.
  const byServiceMs = lastSentAt ? service.leastAgeMs(lastSentAt) - leaseMs / 3 : 0;
  const endedByServiceMs = endedAt ? Math.max(sinceStartMs, service.leastAgeMs(endedAt)) : null;
  return {
    doubt: {
      inDoubt,
      wasDeclined: declines > 0,
      ageMs: sent ? nowMs - sent.lastMs : Math.max(sinceStartMs, byServiceMs),
      endedAgeMs: endedMs === undefined ? endedByServiceMs : nowMs - endedMs,
      lateRefusal,
      // Rule 4: by both clocks, and by the monotonic one.
      isTooOld: firstSentAt !== null && service.isTooOld(firstSentAt, sent ? nowMs - sent.firstMs : 0),
    },
    watch,
    wasReadSince: readMs !== undefined && readMs >= (sent?.lastMs ?? startedMs),
    sentNow: sent?.times ?? 0,
    skewMs: firstSentAt?.serviceMs == null ? CLOCK_SKEW_MS : SERVICE_SKEW_MS,
  };
}
