import type { Clock } from '../../platform/clock.js';
import type { BehaviourSwitches } from '../behaviour/control.js';
import { countedStream, secretFrom, uuidFrom } from '../seed/seed.js';
import type {
  Drawn,
  LocationRecord,
  MemberDefinition,
  PartnerRecord,
  PromoDefinition,
  RuleOptions,
  ServiceState,
} from './state.js';

/** What the service knows when it starts. */
export interface FirstData {
  readonly locations: readonly LocationRecord[];
  readonly promoCodes: readonly PromoDefinition[];
  readonly members: readonly MemberDefinition[];
}

export interface StateDeps {
  readonly seed: number;
  readonly clock: Clock;
  readonly samples: FirstData;
  /** What an earlier service drew from the seed. */
  readonly drawn?: Drawn | undefined;
  readonly rules: RuleOptions;
  readonly keep: ServiceState['keep'];
  readonly behaviour: BehaviourSwitches;
  readonly wait: ServiceState['wait'];
  readonly emit: ServiceState['emit'];
}

/** What a new service remembers: the sample stores, no partner yet. */
export function createState(deps: StateDeps): ServiceState {
  const { seed, clock, samples, drawn, rules, keep, behaviour, wait, emit } = deps;
  // Streams of their own: asking for one more token must not change the ids of the orders that follow.
  const ids = countedStream(seed, 'ids', drawn?.ids);
  let orders = drawn?.orders ?? 0;
  const secrets = countedStream(seed, 'secrets', drawn?.secrets);
  return {
    clock,
    rules,
    keep,
    behaviour,
    wait,
    emit,
    nextId: () => uuidFrom(ids.next),
    nextOrderNumber: () => (orders += 1),
    nextSecret: (prefix) => secretFrom(secrets.next, prefix),
    drawn: () => ({ ids: ids.drawn(), secrets: secrets.drawn(), orders }),
    partners: new Map(),
    locations: new Map(samples.locations.map((record) => [record.location.id, record])),
    promoCodes: new Map(samples.promoCodes.map((promo) => [promo.code, promo])),
    members: new Map(samples.members.map((member) => [member.customerId, member])),
    carts: new Map(),
    orders: new Map(),
    subscriptions: new Map(),
    tokens: new Map(),
    ledger: new Map(),
    payments: { declines: [], settlement: undefined, giftCardBalances: new Map(), instrumentOf: new Map() },
  };
}

/** Adds a partner with credentials of the seed. */
export function addPartner(state: ServiceState, locationIds: Iterable<string>): PartnerRecord {
  const partner: PartnerRecord = {
    id: state.nextId(),
    clientId: state.nextId(),
    clientSecret: state.nextSecret('sk_test_'),
    locationIds: new Set(locationIds),
    withoutFeatures: new Set(),
  };
  state.partners.set(partner.id, partner);
  return partner;
}
