import type { Change } from '../event/event-changes.js';
import { compareTimes, laterTime, type ServiceTime } from '../event/service-time.js';
import { fillState, isBehind, type StateText, sameState, splitState } from '../event/state-text.js';

/** What is known of one facet of a subject. */
export interface KnownFacet {
  /** The newest state that a delivery or a reading has shown. */
  state: StateText;
  /** When it began, or the latest time at which it was seen to hold, by the service's clock. */
  at?: ServiceTime;
  /** The state before it. */
  before?: StateText;
  /** Its place in the sequence of states seen. */
  place: number;
  /** Seen by the reconciler when it first read the facet; no handler got it. */
  noted?: true;
  /** The reconciler read another state of the same instant: if it reads it again, that one is the newer. */
  doubted?: true;
  /** The inventory no longer lists the item, so that its state has no time of its own. */
  gone?: true;
  /** Name of the item, for the event that reports its disappearance. */
  name?: string;
  /** Changes that the reconciler found out, and whose delivery has not come yet. */
  awaited?: AwaitedDelivery[];
}

/** A state, and the times between which it began; `until` is null when the record that was read has no time. */
export type AwaitedDelivery = [state: StateText, after: number, until: number | null];

/** Everything known of a subject, by facet. */
export type Known = ReadonlyMap<string, KnownFacet>;

/** A change is `handled` when handlers had it already, `stale` when they had a newer one, otherwise `fresh`. */
export type Verdict = 'fresh' | 'stale' | 'handled';

/** The deliveries awaited for one facet at most; older ones are given up. */
const MOST_AWAITED = 8;

/**
 * An event may be dated some milliseconds after the record that it reports (gap EVT-8). Within this time it still is the
 * change that was read, as long as no other state is known to have come after it.
 */
const EVENT_DELAY_MS = 5_000;

/** Compares a delivered change with what is known. */
export function judge(known: Known, change: Change): Verdict {
  const facet = known.get(change.facet);
  if (change.fact) return facet && !facet.noted ? 'handled' : 'fresh';
  if (facet && awaitedIndex(facet, change) >= 0) return 'handled';
  return isOutdated(known, facet, change) ? 'stale' : 'fresh';
}

/** What is known of the facet after a delivered change. */
export function afterDelivery(facet: KnownFacet | undefined, change: Change, verdict: Verdict): KnownFacet | undefined {
  if (verdict === 'stale') return facet;
  if (verdict === 'handled') return facet && withoutAwaited(facet, change);
  return { ...nextState(facet, change), at: laterTime(facet?.at, change.at), awaited: facet?.awaited };
}

/** What is known after the reconciler had a missed change handled: its delivery, should it come late, is recognised. */
export function afterMissedChange(facet: KnownFacet | undefined, change: Change): KnownFacet {
  const next: KnownFacet = { ...nextState(facet, change), at: change.at ?? facet?.at };
  if (change.fact) return next;
  const awaited: AwaitedDelivery = [change.state, facet?.at?.[0] ?? 0, change.at?.[1] ?? null];
  return { ...next, awaited: [...(facet?.awaited ?? []), awaited].slice(-MOST_AWAITED) };
}

/** What is known after the reconciler read a facet for the first time, which no handler gets. */
export function firstNote(change: Change): KnownFacet {
  return { state: change.state, at: change.at, place: 1, noted: true };
}

/** What is known after reading the same state once more, or an older one. */
export function afterReading(facet: KnownFacet, change: Change): KnownFacet {
  const order = compareTimes(change.at, facet.at);
  if (!sameState(facet.state, change.state)) return order === 0 ? { ...facet, doubted: true } : facet;
  return order > 0 ? { ...facet, at: change.at } : facet;
}

/** Whether a state that was read now, by the reconciler, is one that handlers have not had. */
export function isMissed(facet: KnownFacet, change: Change): boolean {
  if (sameState(facet.state, change.state)) return false;
  if (facet.gone) return true;
  const order = compareTimes(change.at, facet.at);
  // A delivery may have overtaken the reading.
  if (order !== 0) return order > 0;
  return facet.doubted || facet.before === undefined || !sameState(facet.before, change.state);
}

function isOutdated(known: Known, facet: KnownFacet | undefined, change: Change): boolean {
  // After a cancellation there is no other status, whatever the times say.
  const cancelled = change.facet === 'status' && known.has('cancelled');
  if (cancelled && splitState(change.state)[0] !== 'CANCELLED') return true;
  return facet !== undefined && isOlder(facet, change);
}

/** Whether a change is older than the state that is known. */
export function isOlder(facet: KnownFacet, change: Change): boolean {
  const order = compareTimes(change.at, facet.at);
  if (sameState(facet.state, change.state)) return order < 0 && !facet.noted;
  if (order !== 0) return order < 0;
  if (change.previous !== undefined && sameState(change.previous, facet.state)) return false;
  if (facet.before !== undefined && sameState(facet.before, change.state)) return true;
  return change.facet === 'status' && isBehind(change.state, facet.state);
}

function nextState(facet: KnownFacet | undefined, change: Change): KnownFacet {
  return {
    state: fillState(change.state, facet?.state),
    before: change.previous ?? facet?.state,
    place: (facet?.place ?? 0) + 1,
    name: facet?.name,
  };
}

function awaitedIndex(facet: KnownFacet, change: Change): number {
  return (facet.awaited ?? []).findIndex((awaited) => {
    const [state, after, until] = awaited;
    if (!sameState(state, change.state)) return false;
    if (change.at === undefined) return true;
    const [earliest, latest] = change.at;
    if (latest < after) return false;
    if (until !== null && earliest <= until) return true;
    // Later than what was read: the same change only while nothing else is known to have come in between.
    const isLast = sameState(facet.state, state) || compareTimes(facet.at, change.at) > 0;
    return isLast && (until === null || earliest <= until + EVENT_DELAY_MS);
  });
}

/**
 * The awaited deliveries after one came. A delivery dated before the end of its span may be an earlier passage of the
 * same state (A, B, A between two readings), so that the rest of the span stays awaited.
 */
function withoutAwaited(facet: KnownFacet, change: Change): KnownFacet {
  const index = awaitedIndex(facet, change);
  if (index < 0) return facet;
  const awaited = [...facet.awaited!];
  const [state, , until] = awaited[index]!;
  const cameAt = change.at?.[1];
  if (cameAt !== undefined && (until === null || cameAt < until)) awaited[index] = [state, cameAt, until];
  else awaited.splice(index, 1);
  return { ...facet, awaited: awaited.length > 0 ? awaited : undefined };
}
