import type { Profile } from '../profile/profile.js';
import type { BehaviourChange } from './behaviour/behaviour.js';
import {
  type Check,
  demand,
  eitherOf,
  listOf,
  objectOf,
  oneOf,
  optional,
  text,
  trueOrFalse,
  valueThat,
  wholeNumber,
} from './checks/check.js';
import { TENDER_ENFORCEMENT } from './checks/records.js';
import { Dialect, dialectOf } from './dialect/dialect.js';
import type { RateLimits } from './kernel/rate-limits.js';
import { OWN_DATA, type OwnData } from './samples/own-data.js';
import { differenceOf, readSnapshot, type Snapshot } from './snapshot/snapshot.js';
import { DEFAULT_KEEP, type Keep } from './state/keep.js';
import type { TenderEnforcement } from './state/state.js';
import { type Duration, milliseconds } from './time/duration.js';
import type { DeliveryOptions } from './webhooks/deliveries.js';

/** Options of `createMockService`. */
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
  /** Real milliseconds that every response takes. @defaultValue 0 */
  readonly latency?: number | undefined;
  /** Retries of webhook deliveries. */
  readonly deliveries?: DeliveryOptions | undefined;
  /**
   * Enforces the tenders of restricted items, which the service plans to do: `'payment'` (or `true`) refuses a payment by
   * another method, `'checkout'` also a checkout whose items accept no common tender, `'cart'` also the item that makes
   * it so. @defaultValue false
   */
  readonly enforceTenders?: boolean | 'payment' | 'checkout' | 'cart' | undefined;
  /**
   * Refuses what the interface document calls undefined, and what it asks for in words only: two payments of one order
   * at once, tenders out of order, selections without `nested_selections` (gap PAY-25). @defaultValue false
   */
  readonly strict?: boolean | undefined;
  /** Makes the service unkind where the interface document promises nothing; `service.behaviour` changes it later. */
  readonly behaviour?: BehaviourChange | undefined;
  /**
   * What the service chose where the interface document is silent (`online-ordering.profile.json`): the mock then speaks
   * as that service does. `behaviour` and `strict` win over it.
   */
  readonly profile?: Profile | undefined;
  /** Lets the store lead each confirmed order to its handoff by itself, one step each `'30s'`. */
  readonly autoAdvance?: Duration | undefined;
  /** Own locations with menus, promo codes, members and gift cards in place of the samples. */
  readonly data?: OwnData | undefined;
  /**
   * What `service.snapshot()` returned: the service goes on where that one stood, with its seed and its profile; `data`
   * does not count then.
   */
  readonly snapshot?: string | undefined;
  /** How much the service remembers of each kind; beyond it the oldest is forgotten. */
  readonly keep?: Keep | undefined;
}

export interface ResolvedOptions {
  readonly seed: number;
  readonly clock: 'virtual' | 'real';
  readonly rateLimits: RateLimits | false;
  readonly latencyMs: number;
  readonly deliveries: DeliveryOptions;
  readonly enforceTenders: TenderEnforcement;
  readonly strict: boolean;
  readonly behaviour: BehaviourChange;
  readonly dialect: Dialect;
  readonly autoAdvanceMs: number | undefined;
  readonly data: OwnData | undefined;
  readonly snapshot: Snapshot | undefined;
  readonly keep: Required<Keep>;
}

const limit: Check<number | false | undefined> = optional(
  valueThat(
    'requests per minute from 1 on, or false, which switches the limit off',
    (value) => value === false || (Number.isSafeInteger(value) && (value as number) > 0),
  ),
);

const RATE_LIMITS = objectOf<RateLimits>(
  { perKey: limit, perLocation: limit, reads: limit, writes: limit, inventory: limit, token: limit },
  { called: 'rate limit' },
);

const atLeastOne = optional(wholeNumber(1, 'a whole number from 1 on'));

const DELIVERIES = objectOf<DeliveryOptions>(
  {
    retryDelaysMs: optional(listOf(wholeNumber(0, 'whole milliseconds'))),
    disableAfter: atLeastOne,
    timeoutMs: atLeastOne,
  },
  { called: 'option' },
);

const OPTIONS = objectOf<MockServiceOptions>(
  {
    seed: optional(wholeNumber(Number.MIN_SAFE_INTEGER, 'a whole number')),
    clock: optional(oneOf('virtual', 'real')),
    rateLimits: optional({
      ...RATE_LIMITS,
      problem: (value: unknown, at: string) => (value === false ? undefined : RATE_LIMITS.problem(value, at)),
    } as Check<RateLimits | false>),
    latency: optional(
      valueThat('milliseconds, from 0 on', (value) => Number.isFinite(value) && (value as number) >= 0),
    ),
    deliveries: optional(DELIVERIES),
    enforceTenders: optional(TENDER_ENFORCEMENT),
    strict: optional(trueOrFalse),
    // Held to its switches where it is set.
    behaviour: valueThat<BehaviourChange | undefined>('an object of switches', () => true),
    // Read, and refused, by `dialectOf`.
    profile: valueThat<Profile | undefined>('a profile', () => true),
    // Read, and refused, by `milliseconds`.
    autoAdvance: optional(eitherOf<Duration>(valueThat("a duration such as '30s'", (value) => value !== null))),
    data: optional(OWN_DATA),
    snapshot: optional(text),
    keep: optional(
      objectOf<Keep>(
        {
          requests: atLeastOne,
          keys: atLeastOne,
          carts: atLeastOne,
          orders: atLeastOne,
          events: atLeastOne,
          deliveries: atLeastOne,
        },
        { called: 'kind' },
      ),
    ),
  },
  { called: 'option' },
);

export function resolveOptions(options: MockServiceOptions): ResolvedOptions {
  demand('createMockService', options, OPTIONS);
  const { rateLimits, deliveries = {}, enforceTenders = false, strict, behaviour = {}, autoAdvance, keep } = options;
  const snapshot = options.snapshot === undefined ? undefined : readSnapshot(options.snapshot);
  const dialect = dialectWith(options.profile, snapshot);
  const seed = options.seed ?? snapshot?.seed ?? 1;
  if (snapshot && snapshot.seed !== seed) {
    throw new TypeError(`createMockService: the snapshot is of the seed ${snapshot.seed}; leave "seed" out.`);
  }
  return {
    seed,
    clock: options.clock ?? 'virtual',
    rateLimits: rateLimits ?? {},
    latencyMs: options.latency ?? 0,
    deliveries,
    enforceTenders: enforceTenders === true ? 'payment' : enforceTenders,
    strict: strict ?? dialect.strict,
    behaviour: Object.keys(dialect.behaviour).length > 0 ? { ...dialect.behaviour, ...behaviour } : behaviour,
    dialect,
    autoAdvanceMs: autoAdvance === undefined ? undefined : milliseconds(autoAdvance),
    data: options.data,
    snapshot,
    keep: {
      requests: keep?.requests ?? DEFAULT_KEEP.requests,
      keys: keep?.keys ?? DEFAULT_KEEP.keys,
      carts: keep?.carts ?? DEFAULT_KEEP.carts,
      orders: keep?.orders ?? DEFAULT_KEEP.orders,
      events: keep?.events ?? DEFAULT_KEEP.events,
      deliveries: keep?.deliveries ?? DEFAULT_KEEP.deliveries,
    },
  };
}

/** The dialect of a profile; without one, that of the snapshot. */
function dialectWith(profile: Profile | undefined, snapshot: Snapshot | undefined): Dialect {
  const dialect = profile === undefined && snapshot ? new Dialect(snapshot.choices) : dialectOf(profile);
  const difference = snapshot && differenceOf(snapshot, dialect.choices);
  if (difference === undefined) return dialect;
  throw new TypeError(`createMockService: the snapshot is of another profile (${difference}); leave "profile" out.`);
}
