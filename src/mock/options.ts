import type { BehaviourChange } from './behaviour/behaviour.js';
import type { RateLimits } from './kernel/rate-limits.js';
import { type Duration, milliseconds } from './time/duration.js';
import type { DeliveryOptions } from './webhooks/deliveries.js';

export interface MockServiceOptions {
  /** The same seed gives the same ids, secrets, menus and shuffles: a whole number. @defaultValue 1 */
  readonly seed?: number | undefined;
  /**
   * `virtual` stands still, at noon of a Tuesday, until it is moved; `real` is the system's clock.
   * @defaultValue 'virtual'
   */
  readonly clock?: 'virtual' | 'real' | undefined;
  /** Requests per minute, by tier; `false` switches all limits off. */
  readonly rateLimits?: RateLimits | false | undefined;
  /** Real milliseconds that every answer takes. @defaultValue 0 */
  readonly latency?: number | undefined;
  /** Retries of webhook deliveries. */
  readonly deliveries?: DeliveryOptions | undefined;
  /** Refuses a payment by a method that a restricted item does not allow, which the service plans to do. @defaultValue false */
  readonly enforceTenders?: boolean | undefined;
  /** Makes the service unkind where the interface document promises nothing; `service.behaviour` changes it later. */
  readonly behaviour?: BehaviourChange | undefined;
  /** Lets the store lead each confirmed order to its handoff by itself, one step each `'30s'`. */
  readonly autoAdvance?: Duration | undefined;
}

export interface ResolvedOptions {
  readonly seed: number;
  readonly clock: 'virtual' | 'real';
  readonly rateLimits: RateLimits | false;
  readonly latencyMs: number;
  readonly deliveries: DeliveryOptions;
  readonly enforceTenders: boolean;
  readonly behaviour: BehaviourChange;
  readonly autoAdvanceMs: number | undefined;
}

export function resolveOptions(options: MockServiceOptions): ResolvedOptions {
  const {
    seed = 1,
    clock = 'virtual',
    rateLimits = {},
    latency = 0,
    deliveries = {},
    enforceTenders = false,
    behaviour = {},
  } = options;
  if (!Number.isSafeInteger(seed)) throw new TypeError(`The option "seed" is ${seed}; it must be a whole number.`);
  if (clock !== 'virtual' && clock !== 'real') {
    throw new TypeError(`The option "clock" is ${JSON.stringify(clock)}; write 'virtual' or 'real'.`);
  }
  if (!(Number.isFinite(latency) && latency >= 0)) {
    throw new TypeError(`The option "latency" is ${latency}; it counts milliseconds, from 0 on.`);
  }
  checkLimits(rateLimits);
  const autoAdvanceMs = options.autoAdvance === undefined ? undefined : milliseconds(options.autoAdvance);
  return { seed, clock, rateLimits, latencyMs: latency, deliveries, enforceTenders, behaviour, autoAdvanceMs };
}

function checkLimits(rateLimits: RateLimits | false): void {
  if (rateLimits === false) return;
  for (const [tier, limit] of Object.entries(rateLimits) as [string, unknown][]) {
    if (limit === undefined || limit === false || (Number.isInteger(limit) && (limit as number) > 0)) continue;
    throw new TypeError(
      `The rate limit "${tier}" is ${String(limit)}; it counts requests per minute from 1 on, and false switches it off.`,
    );
  }
}
