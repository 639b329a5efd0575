import type { Change } from '../event/event-changes.js';
import { compareTimes, isBehind, sameState } from './state-order.js';

/** What is known of one facet of a subject. */
export interface KnownFacet {
  /** The newest state that anybody told of. */
  state: string;
  /** When it began, or the latest time at which it was seen to hold, by the service's clock, in milliseconds. */
  at?: number;
  /** The state before it. */
  before?: string;
  /** Its place in the sequence of states seen. */
  place: number;
  /** Seen by the reconciler at its first look; no handler was told. */
  noted?: true;
  /** The reconciler read another state of the same instant: if it reads it again, that one is the newer. */
  doubted?: true;
  /** The inventory no longer lists the item, so that its state has no time of its own. */
  gone?: true;
  /** Name of the item, for the event that tells of its disappearance. */
  name?: string;
  /**
   * Changes that the reconciler found out, and whose delivery has not come yet: the new state, and the time between
   * which it must have begun.
   */
  awaited?: [state: string, after: number, until: number][];
}

/** Everything known of a subject, by facet. */
export type Known = ReadonlyMap<string, KnownFacet>;

/** A change is `handled` when handlers had it already, `stale` when they had a newer one, otherwise `fresh`. */
export type Verdict = 'fresh' | 'stale' | 'handled';

/** The deliveries awaited for one facet at most; older ones are given up. */
const MOST_AWAITED = 8;

/** Compares a delivered change with what is known. */
export function judge(known: Known, change: Change): Verdict {
  const facet = known.get(change.facet);
  if (change.fact) return facet && !facet.noted ? 'handled' : 'fresh';
  if (facet && awaitedIndex(facet, change) >= 0) return 'handled';
  return isOutdated(known, facet, change) ? 'stale' : 'fresh';
}

/** What is known after a delivered change. */
export function withChange(known: Known, change: Change, verdict: Verdict): Known {
  const facet = known.get(change.facet);
  if (verdict === 'handled') return facet ? withFacet(known, change.facet, withoutAwaited(facet, change)) : known;
  if (verdict === 'stale') return known;
  return withFacet(known, change.facet, {
    ...nextState(facet, change),
    at: latest(facet?.at, change.at),
    awaited: facet?.awaited,
  });
}

/** What is known after the reconciler had a missed change handled: its delivery, should it come late, is recognised. */
export function withMissedChange(known: Known, change: Change, readAt: number): Known {
  const facet = known.get(change.facet);
  const next: KnownFacet = { ...nextState(facet, change), at: change.at ?? facet?.at };
  if (!change.fact) {
    const awaited: NonNullable<KnownFacet['awaited']> = [...(facet?.awaited ?? [])];
    awaited.push([change.state, facet?.at ?? 0, change.at ?? readAt]);
    next.awaited = awaited.slice(-MOST_AWAITED);
  }
  return withFacet(known, change.facet, next);
}

/** What is known after the reconciler's first look at a facet, of which no handler is told. */
export function withNote(known: Known, change: Change): Known {
  return withFacet(known, change.facet, { state: change.state, at: change.at, place: 1, noted: true });
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

/** What is known after reading the same state once more, or an older one. */
export function withReading(known: Known, change: Change): Known {
  const facet = known.get(change.facet)!;
  const order = compareTimes(change.at, facet.at);
  if (!sameState(facet.state, change.state)) {
    return order === 0 ? withFacet(known, change.facet, { ...facet, doubted: true }) : known;
  }
  return order > 0 ? withFacet(known, change.facet, { ...facet, at: change.at }) : known;
}

/** One facet changed, as `Map` in a copy. */
export function withFacet(known: Known, name: string, facet: KnownFacet): Known {
  return new Map(known).set(name, facet);
}

function isOutdated(known: Known, facet: KnownFacet | undefined, change: Change): boolean {
  // After a cancellation there is no other status, whatever the times say.
  const cancelled = change.facet === 'status' && known.has('cancelled');
  if (cancelled && !change.state.startsWith('CANCELLED')) return true;
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
    state: filled(change.state, facet?.state),
    before: change.previous ?? facet?.state,
    place: (facet?.place ?? 0) + 1,
    name: facet?.name,
  };
}

/** A state whose empty fields are taken from the one before. */
function filled(state: string, before: string | undefined): string {
  if (before === undefined || !state.includes('|')) return state;
  const old = before.split('|');
  return state
    .split('|')
    .map((field, index) => field || (old[index] ?? ''))
    .join('|');
}

function awaitedIndex(facet: KnownFacet, change: Change): number {
  return (facet.awaited ?? []).findIndex(
    ([state, after, until]) =>
      sameState(state, change.state) &&
      (change.at === undefined || (compareTimes(change.at, after) >= 0 && compareTimes(change.at, until) <= 0)),
  );
}

function withoutAwaited(facet: KnownFacet, change: Change): KnownFacet {
  const index = awaitedIndex(facet, change);
  const awaited = (facet.awaited ?? []).filter((_, place) => place !== index);
  return { ...facet, awaited: awaited.length > 0 ? awaited : undefined };
}

function latest(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.max(one, other);
}
