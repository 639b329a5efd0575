import type { LeaseOptions } from '../../concurrency/lease.js';
import type { Clock } from '../../platform/clock.js';
import { unlessAborted } from '../../platform/unless-aborted.js';
import type { Store } from '../../stores/store.js';
import { type Change, changesOf, type EventChanges, withChanges } from '../event/event-changes.js';
import type { KnownEvent, ReceivedEvent } from '../event/events.js';
import { compareTimes } from '../event/service-time.js';
import { type EventLease, takeEvent } from '../state/event-lease.js';
import { afterDelivery, judge, type Known, type Verdict } from '../state/known-state.js';
import { KnownStore } from '../state/known-store.js';
import { SubjectLocks } from '../state/subject-locks.js';
import type { HandlerContext, Handlers } from './handlers.js';

export interface EventEngineOptions {
  /** With a time for each operation. */
  readonly store: Store;
  readonly clock: Clock;
  readonly handlers: Handlers;
  /** Stands before every key of the store. */
  readonly prefix: string;
  readonly ordering: 'as_delivered' | 'latest';
  readonly leaseMs: number;
  readonly longestHandlerMs: number;
  readonly lockWaitMs: number;
  readonly rememberMs: number;
}

/** What became of a verified event. */
export type EventOutcome = 'handled' | 'duplicate' | 'stale' | 'busy';

/** What an event comes with beside itself. */
export interface EventOrigin {
  readonly source: HandlerContext['source'];
  readonly tx?: unknown;
  /** Where the known states are kept for this event: in the transaction of an inbox, for example. */
  readonly store?: Store | undefined;
  /** Commits the transaction of an inbox. */
  readonly commit?: (() => Promise<void>) | undefined;
}

const FROM_WEBHOOK: EventOrigin = { source: 'webhook' };

/** Handles each event once: the part of a receiver that deliveries, the inbox and the reconciler share. */
export class EventEngine {
  readonly options: EventEngineOptions;
  readonly known: KnownStore;
  readonly #lease: Pick<LeaseOptions, 'store' | 'clock' | 'ttlMs' | 'longestMs'>;
  readonly #locks: SubjectLocks;

  constructor(options: EventEngineOptions) {
    const { store, clock, prefix, leaseMs, longestHandlerMs, lockWaitMs } = options;
    this.options = options;
    this.known = new KnownStore(options.store, options.prefix);
    this.#lease = { store, clock, ttlMs: leaseMs, longestMs: longestHandlerMs };
    this.#locks = new SubjectLocks({ ...this.#lease, prefix, lockWaitMs });
  }

  /** Takes the event, unless it is done or another delivery has it. The caller finishes what it took with `finish`. */
  take(eventId: string): Promise<EventLease | 'busy' | 'done'> {
    return takeEvent({ ...this.#lease, key: `${this.options.prefix}event:${eventId}` });
  }

  /** Runs the handlers of a taken event, and marks it done; after a failure it is open again, and the error thrown. */
  async finish(event: ReceivedEvent, lease: EventLease, origin = FROM_WEBHOOK): Promise<EventOutcome> {
    try {
      const outcome = await unlessAborted(this.handle(event, lease.signal, origin), lease.signal);
      if (outcome === 'busy') await lease.release();
      else await lease.complete(this.options.rememberMs);
      return outcome;
    } catch (error) {
      // Not awaited: if the store is what failed, the delivery has waited for it long enough.
      void lease.release();
      throw error;
    }
  }

  /** Runs the work while it has the lock of the subject. */
  alone<Result>(subject: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result | 'busy'> {
    return this.#locks.run(subject, work);
  }

  /** Runs the handlers of an event that the caller has, by a lease or by a transaction. */
  async handle(event: ReceivedEvent, signal: AbortSignal, origin: EventOrigin): Promise<EventOutcome> {
    if (!event.known) {
      await this.#run(event, event, false, signal, origin);
      await origin.commit?.();
      return 'handled';
    }
    const about = changesOf(event);
    return this.alone(about.subject, async (lock) => {
      const both = AbortSignal.any([signal, lock]);
      if (origin.source === 'webhook') return this.#handleDelivery(event, about, both, origin);
      // The reconciler has noted the change when it found it.
      await this.#run(event, event, false, both, origin);
      await origin.commit?.();
      return 'handled';
    });
  }

  async #handleDelivery(
    event: KnownEvent,
    { subject, changes }: EventChanges,
    signal: AbortSignal,
    origin: EventOrigin,
  ): Promise<EventOutcome> {
    const known = origin.store ? new KnownStore(origin.store, this.options.prefix) : this.known;
    const reading = await known.load(subject);
    const plan = planDelivery(reading.known, changes, this.options.ordering);
    const remaining = withChanges(event, plan.kept);
    const isStale = plan.stale || isOvertaken(changes, reading.known);
    if (remaining) await this.#run(remaining, event, isStale, signal, origin);
    // In the transaction where that is possible; otherwise after it, for what was not committed must not be known.
    if (origin.store) await known.save(subject, reading, plan.known);
    await origin.commit?.();
    if (!origin.store) await known.save(subject, reading, plan.known);
    if (remaining) return 'handled';
    return plan.stale ? 'stale' : 'duplicate';
  }

  #run(
    event: ReceivedEvent,
    received: ReceivedEvent,
    stale: boolean,
    signal: AbortSignal,
    { source, tx }: EventOrigin,
  ): Promise<void> {
    return this.options.handlers.run(event, { source, stale, received, signal, tx });
  }
}

interface DeliveryPlan {
  /** For each change, whether handlers get it. */
  readonly kept: readonly boolean[];
  readonly stale: boolean;
  /** What is known once they had it. */
  readonly known: Known;
}

function planDelivery(
  before: Known,
  changes: readonly Change[],
  ordering: EventEngineOptions['ordering'],
): DeliveryPlan {
  // One copy for the whole event: an event of stock may carry thousands of items.
  const known = new Map(before);
  const verdicts: Verdict[] = [];
  for (const change of changes) {
    const verdict = judge(known, change);
    verdicts.push(verdict);
    const facet = afterDelivery(known.get(change.facet), change, verdict);
    if (facet) known.set(change.facet, facet);
  }
  const isKept = (verdict: Verdict) => verdict === 'fresh' || (verdict === 'stale' && ordering === 'as_delivered');
  // An event about no item at all is still an event.
  const kept = changes.length === 0 ? [true] : verdicts.map(isKept);
  return { kept, stale: verdicts.includes('stale'), known };
}

/** Facts are never dropped, but the status that `order.created` carries may be outdated. */
function isOvertaken([change]: readonly Change[], known: Known): boolean {
  const status = known.get('status');
  return (
    change?.fact === true &&
    change.facet === 'created' &&
    (known.has('cancelled') || (status !== undefined && (!status.noted || compareTimes(status.at, change.at) > 0)))
  );
}
