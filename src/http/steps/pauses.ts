import { BoundedMap } from '../../platform/bounded-map.js';
import { type Clock, monotonicNow } from '../../platform/clock.js';

/** An endpoint at a location; the location is empty for endpoints without one. */
export interface Scope {
  readonly endpoint: string;
  readonly locationId: string;
}

/**
 * What a rate limit may hold for: an endpoint at a location, the endpoint everywhere, the location, or the whole key
 * (interface document, "Limits").
 */
export type Width = string;

const WHOLE_KEY: Width = '*@*';
/** Refusals by one limit come, or end, this near to each other: `Retry-After` counts whole seconds. */
const COINCIDENCE_MS = 2000;
/** The token endpoint has a limit of its own, which says nothing about the others. */
const TOKEN_ENDPOINT = 'POST /auth/token';
const MOST_SCOPES = 1000;
const FORGET_EVERY_MS = 1000;

/** From the narrowest to the widest. */
export function widthsOf({ endpoint, locationId }: Scope): readonly Width[] {
  const own = `${endpoint}@${locationId}`;
  return locationId === '' ? [own, `${endpoint}@*`, WHOLE_KEY] : [own, `${endpoint}@*`, `*@${locationId}`, WHOLE_KEY];
}

/** A 429, and what later responses have shown about the limit behind it. */
interface Refusal {
  readonly scope: Scope;
  readonly at: number;
  readonly until: number;
  /** Limits that cannot have been hit, since they let a later request of another scope pass. */
  readonly ruledOut: Set<Width>;
}

/**
 * What is paused, and until when, on the monotonic reading.
 *
 * One refusal pauses its endpoint at its location. Two that come, or end, at the same time show the limit that they have
 * in common, and pause that: an endpoint at two locations the endpoint, two endpoints of a location the location, two
 * endpoints of different locations the whole key. No wider pause lasts longer than either of the two.
 */
export class Pauses {
  readonly #clock: Clock;
  readonly #ends = new BoundedMap<Width, number>(4 * MOST_SCOPES);
  readonly #refusals = new BoundedMap<Width, Refusal>(MOST_SCOPES);
  #forgetAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#ends.size === 0;
  }

  /** True when no refusal is remembered either: what is accepted then teaches nothing. */
  get knowsNothing(): boolean {
    return this.#ends.size === 0 && this.#refusals.size === 0;
  }

  /** Notes a refusal; gives the pauses that begin or last longer than before. */
  refuse(scope: Scope, until: number): Width[] {
    const now = monotonicNow(this.#clock);
    const [own = ''] = widthsOf(scope);
    const refusal: Refusal = { scope, at: now, until, ruledOut: new Set() };
    const paused = this.extend(own, until) ? [own] : [];
    for (const [key, other] of this.#refusals) {
      if (other.until <= now) this.#refusals.delete(key);
      else {
        const width = commonLimit(refusal, other);
        if (width !== undefined && this.extend(width, Math.min(until, other.until))) paused.push(width);
      }
    }
    this.#refusals.set(own, refusal);
    return paused;
  }

  /** A request of this scope was accepted: limits that hold for it, too, were not the reason of earlier refusals. */
  accept(scope: Scope, sentAt: number): void {
    if (this.#refusals.size === 0) return;
    const [, ...wider] = widthsOf(scope);
    for (const { at, ruledOut } of this.#refusals.values())
      if (at < sentAt) for (const width of wider) ruledOut.add(width);
  }

  /** Pauses a width, unless it is paused for longer already; returns whether it did. */
  extend(width: Width, until: number): boolean {
    if ((this.#ends.get(width) ?? Number.NEGATIVE_INFINITY) >= until) return false;
    this.#ends.set(width, until);
    return true;
  }

  /** Ends a pause early, unless it has been extended meanwhile. */
  end(width: Width, until: number): void {
    if (this.#ends.get(width) === until) this.#ends.delete(width);
  }

  endAll(): void {
    this.#ends.clear();
    this.#refusals.clear();
  }

  /** The instant at which a call in this scope may go; at or before now when nothing holds it. */
  pausedUntil(scope: Scope): number {
    const now = monotonicNow(this.#clock);
    let latest = Number.NEGATIVE_INFINITY;
    for (const width of widthsOf(scope)) {
      const until = this.#ends.get(width);
      if (until === undefined) continue;
      if (until <= now) this.#ends.delete(width);
      else latest = Math.max(latest, until);
    }
    this.#forget(now);
    return latest;
  }

  #forget(now: number): void {
    if (now < this.#forgetAt) return;
    this.#forgetAt = now + FORGET_EVERY_MS;
    for (const [width, until] of this.#ends) if (until <= now) this.#ends.delete(width);
  }
}

/** The limit that explains both refusals; `undefined` when they have nothing to do with each other. */
function commonLimit(one: Refusal, other: Refusal): Width | undefined {
  const isCoincidence =
    Math.abs(one.at - other.at) <= COINCIDENCE_MS || Math.abs(one.until - other.until) <= COINCIDENCE_MS;
  const width = isCoincidence ? commonWidth(one.scope, other.scope) : undefined;
  return width === undefined || one.ruledOut.has(width) || other.ruledOut.has(width) ? undefined : width;
}

function commonWidth(one: Scope, other: Scope): Width | undefined {
  const isSameEndpoint = one.endpoint === other.endpoint;
  const isSameLocation = one.locationId === other.locationId;
  if (isSameEndpoint) return isSameLocation ? undefined : `${one.endpoint}@*`;
  if (one.endpoint === TOKEN_ENDPOINT || other.endpoint === TOKEN_ENDPOINT) return undefined;
  return isSameLocation && one.locationId !== '' ? `*@${one.locationId}` : WHOLE_KEY;
}
