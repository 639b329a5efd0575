import { type Clock, monotonicNow } from '../../platform/clock.js';

/** An endpoint at a location; the location is empty for endpoints without one. */
export interface Scope {
  readonly endpoint: string;
  readonly locationId: string;
}

/** As many paused endpoints pause their location, as many paused locations the partner. */
const ENDPOINTS_PER_LOCATION = 3;
const LOCATIONS_PER_PARTNER = 2;
/** A pause that ended this long ago, in milliseconds, needs nobody to go first any more. */
const FORGOTTEN_AFTER_MS = 60_000;

export function scopeKey({ endpoint, locationId }: Scope): string {
  return `${endpoint}@${locationId}`;
}

/**
 * Which scopes are paused, and until when.
 *
 * The wider pauses are not stored but read off the narrow ones: a location is paused while three of its endpoints are,
 * so that no pause is ever longer than those that were seen.
 */
export class Pauses {
  readonly #clock: Clock;
  readonly #ends = new Map<string, { readonly scope: Scope; readonly until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#ends.size === 0;
  }

  /** Notes a pause; an earlier one that lasts longer stays. Tells whether anything changed. */
  pause(scope: Scope, until: number): boolean {
    const key = scopeKey(scope);
    if ((this.#ends.get(key)?.until ?? 0) >= until) return false;
    this.#ends.set(key, { scope, until });
    return true;
  }

  /** The instant at which a call in this scope may go; at or before now when it is not paused. */
  pausedUntil(scope: Scope): number {
    const now = monotonicNow(this.#clock);
    this.#forget(now - FORGOTTEN_AFTER_MS);
    const own = this.#ends.get(scopeKey(scope))?.until ?? 0;
    const active = [...this.#ends.values()].filter(({ until }) => until > now);
    if (active.length < ENDPOINTS_PER_LOCATION) return own;

    const byLocation = new Map<string, number[]>();
    for (const { scope: paused, until } of active) {
      byLocation.set(paused.locationId, [...(byLocation.get(paused.locationId) ?? []), until]);
    }
    const ofLocation = nthLargest(byLocation.get(scope.locationId) ?? [], ENDPOINTS_PER_LOCATION);
    const locations = [...byLocation.values()].map((ends) => nthLargest(ends, ENDPOINTS_PER_LOCATION));
    return Math.max(own, ofLocation, nthLargest(locations, LOCATIONS_PER_PARTNER));
  }

  /** Forgets the scope's own pause once it is over. */
  release(scope: Scope): void {
    const key = scopeKey(scope);
    if ((this.#ends.get(key)?.until ?? 0) <= monotonicNow(this.#clock)) this.#ends.delete(key);
  }

  #forget(before: number): void {
    for (const [key, { until }] of this.#ends) if (until < before) this.#ends.delete(key);
  }

  /** Pauses under way, to be shared with other processes. */
  active(): { scope: Scope; until: number }[] {
    return [...this.#ends.values()].filter(({ until }) => until > monotonicNow(this.#clock));
  }
}

/** The instant at which fewer than `count` of these are left; 0 when there are fewer already. */
function nthLargest(values: readonly number[], count: number): number {
  return [...values].sort((a, b) => b - a)[count - 1] ?? 0;
}
