import type { Clock } from '../../platform/clock.js';
import { unlessAborted } from '../../platform/unless-aborted.js';
import type { Store } from '../../stores/store.js';
import { type Change, changesOf, withChanges } from '../event/event-changes.js';
import type { ReceivedEvent } from '../event/events.js';
import { judge, type Known, type Verdict, withChange } from '../state/known-state.js';
import { KnownStore } from '../state/known-store.js';
import { type Lease, takeLease } from '../state/lease.js';
import { compareTimes } from '../state/state-order.js';
import { SubjectLocks } from '../state/subject-locks.js';
import type { HandlerContext, Handlers } from './handlers.js';

export interface EventEngineOptions {
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

/** Handles each event once: the part of a receiver that deliveries and the reconciler share. */
export class EventEngine {
  readonly options: EventEngineOptions;
  readonly known: KnownStore;
  readonly #locks: SubjectLocks;

  constructor(options: EventEngineOptions) {
    this.options = options;
    this.known = new KnownStore(options.store, options.prefix);
    this.#locks = new SubjectLocks(options);
  }

  /** Takes the event, unless it is done or in other hands. The caller finishes what it took with `finish`. */
  take(eventId: string): Promise<Lease | 'busy' | 'done'> {
    return takeLease({ ...this.options, key: `${this.options.prefix}event:${eventId}` });
  }

  /** Runs the handlers of a taken event, and marks it done; after a failure it is open again, and the error thrown. */
  async finish(event: ReceivedEvent, lease: Lease): Promise<EventOutcome> {
    try {
      const outcome = await unlessAborted(this.#handle(event, lease), lease.signal);
      if (outcome === 'busy') await lease.release();
      else await lease.complete(this.options.rememberMs);
      return outcome;
    } catch (error) {
      await lease.release().catch(() => {}); // It expires by itself.
      throw error;
    }
  }

  /** Runs the work while nobody else touches the subject. */
  alone<Result>(subject: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result | 'busy'> {
    return this.#locks.run(subject, work);
  }

  async #handle(event: ReceivedEvent, lease: Lease): Promise<EventOutcome> {
    const { handlers } = this.options;
    if (!event.known) {
      await handlers.run(event, { source: 'webhook', stale: false, received: event, signal: lease.signal });
      return 'handled';
    }
    const { subject, changes } = changesOf(event);
    return this.alone(subject, async (lock) => {
      const reading = await this.known.load(subject);
      const plan = planDelivery(reading.known, changes, this.options.ordering);
      const remaining = withChanges(event, plan.kept);
      const context: HandlerContext = {
        source: 'webhook',
        stale: plan.stale || isOvertaken(changes, reading.known),
        received: event,
        signal: AbortSignal.any([lease.signal, lock]),
      };
      if (remaining) await handlers.run(remaining, context);
      await this.known.save(subject, reading, plan.known);
      if (remaining) return 'handled';
      return plan.stale ? 'stale' : 'duplicate';
    });
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
  let known = before;
  const verdicts: Verdict[] = [];
  for (const change of changes) {
    const verdict = judge(known, change);
    verdicts.push(verdict);
    known = withChange(known, change, verdict);
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
