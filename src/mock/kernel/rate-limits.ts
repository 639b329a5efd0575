import type { Clock } from '../../platform/clock.js';
import { type RateLimitTier, Refusal } from '../refusals/refusal.js';
import type { Route } from './route.js';

/** Requests per minute; `false` switches a tier off (gap LIM-1). */
export interface RateLimits {
  /** All requests of one partner. @defaultValue 600 */
  readonly perKey?: number | false | undefined;
  /** All requests of one partner that concern one location. @defaultValue 300 */
  readonly perLocation?: number | false | undefined;
  /** GET requests of one partner to one endpoint. @defaultValue 240 */
  readonly reads?: number | false | undefined;
  /** Other requests of one partner to one endpoint. @defaultValue 120 */
  readonly writes?: number | false | undefined;
  /** Requests of one partner to the inventory endpoint. @defaultValue 480 */
  readonly inventory?: number | false | undefined;
  /** Token requests with one client id. @defaultValue 20 */
  readonly token?: number | false | undefined;
}

export const DEFAULT_RATE_LIMITS: Readonly<Record<RateLimitTier, number | false>> = {
  perKey: 600,
  perLocation: 300,
  reads: 240,
  writes: 120,
  inventory: 480,
  token: 20,
};

const WINDOW_MS = 60_000;

/** A limit that is undefined is one that was left out. */
function withDefaults(limits: RateLimits): Readonly<Record<RateLimitTier, number | false>> {
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return { ...DEFAULT_RATE_LIMITS, ...Object.fromEntries(given) };
}

export interface Counted {
  readonly route: Route;
  /** The partner, or the client id of a token request. */
  readonly caller: string;
  readonly locationId: string | undefined;
}

/** Counts requests in windows of one minute, which begin with their first request. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #limits: Required<RateLimits> | undefined;
  readonly #windows = new Map<string, { startedAtMs: number; count: number }>();
  #sweptAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, limits: RateLimits | false = {}) {
    this.#clock = clock;
    this.#limits = limits === false ? undefined : withDefaults(limits);
  }

  /** Counts the request in all its tiers, or refuses it in the first that is full; a refused one counts in none. */
  admit(counted: Counted): void {
    if (!this.#limits) return;
    this.#sweep();
    const windows = tiersOf(counted, this.#limits)
      .filter((tier): tier is Tier & { limit: number } => tier.limit !== false)
      .map(({ name, tier, limit }) => ({ window: this.#window(name), tier, limit }));
    const [longest] = windows
      .filter(({ window, limit }) => window.count >= limit)
      .map(({ window, tier }) => ({ tier, waitMs: this.#waitMs(window) }))
      .sort((a, b) => b.waitMs - a.waitMs);
    if (longest) throw tooMany(counted.route, longest.tier, Math.ceil(longest.waitMs / 1000));
    for (const { window } of windows) window.count += 1;
  }

  /** Windows that are counted in. */
  get size(): number {
    return this.#windows.size;
  }

  reset(): void {
    this.#windows.clear();
  }

  /** Once a minute: a window that has ended counts nothing, for any partner. */
  #sweep(): void {
    const nowMs = this.#clock.now();
    if (Math.abs(nowMs - this.#sweptAtMs) < WINDOW_MS) return;
    this.#sweptAtMs = nowMs;
    for (const [name, window] of this.#windows) if (this.#waitMs(window) <= 0) this.#windows.delete(name);
  }

  #window(name: string): { startedAtMs: number; count: number } {
    const current = this.#windows.get(name);
    if (current && this.#waitMs(current) > 0) return current;
    const fresh = { startedAtMs: this.#clock.now(), count: 0 };
    this.#windows.set(name, fresh);
    return fresh;
  }

  #waitMs(window: { startedAtMs: number }): number {
    return window.startedAtMs + WINDOW_MS - this.#clock.now();
  }
}

interface Tier {
  /** Of its window. */
  readonly name: string;
  readonly tier: RateLimitTier;
  readonly limit: number | false | undefined;
}

function tiersOf({ route, caller, locationId }: Counted, limits: Required<RateLimits>): Tier[] {
  if (route.public) return [{ name: `token ${caller}`, tier: 'token', limit: limits.token }];
  const endpoint = classOf(route);
  const tiers: Tier[] = [
    { name: `key ${caller}`, tier: 'perKey', limit: limits.perKey },
    { name: `endpoint ${caller} ${route.method} ${route.path}`, tier: endpoint, limit: limits[endpoint] },
  ];
  if (locationId !== undefined) {
    tiers.push({ name: `location ${caller} ${locationId}`, tier: 'perLocation', limit: limits.perLocation });
  }
  return tiers;
}

function classOf(route: Route): 'inventory' | 'reads' | 'writes' {
  if (route.path.endsWith('/inventory')) return 'inventory';
  return route.method === 'GET' ? 'reads' : 'writes';
}

function tooMany(route: Route, limitedBy: RateLimitTier, retryAfterSeconds: number): Refusal {
  return new Refusal({
    status: 429,
    code: 'RATE_LIMIT_ERROR',
    message: route.public ? 'Too many token requests' : 'Rate limit exceeded',
    detail: `Wait ${retryAfterSeconds} seconds before the next request.`,
    field: null,
    retryAfterSeconds,
    limitedBy,
  });
}
