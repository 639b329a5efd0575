import { monotonicNow } from '../../platform/clock.js';
import { GAP_ROWS, GAPS } from '../../profile/gaps.js';
import type { Choices } from '../../profile/profile.js';
import type { Behaviour } from '../behaviour/behaviour.js';
import type { WaitingFault } from '../faults/faults.js';
import type { KeptReply } from '../kernel/idempotency.js';
import type { WrittenReply } from '../kernel/kernel.js';
import { OrderVersions } from '../state/order-versions.js';
import type { Drawn, OrderRecord, ServiceState } from '../state/state.js';
import type { KeptPushes } from '../webhooks/deliver-to.js';
import type { KeptDeliveries } from '../webhooks/deliveries.js';
import type { RecordedEvent } from '../webhooks/event-log.js';

/** Records of the service that are kept as they are. */
const RECORDS = [
  'partners',
  'locations',
  'promoCodes',
  'members',
  'carts',
  'subscriptions',
  'tokens',
  'ledger',
] as const satisfies readonly (keyof ServiceState)[];

type KeptOrder = Omit<OrderRecord, 'versions' | 'executing'>;

export interface KeptState extends Pick<ServiceState, (typeof RECORDS)[number] | 'payments'> {
  readonly orders: ReadonlyMap<string, KeptOrder>;
}

/** Everything that a service remembers, apart from its requests. */
export interface Snapshot {
  readonly version: 1;
  readonly seed: number;
  /** Those of the profile with which the service spoke. */
  readonly choices: Choices;
  /** Wall time of the service, in milliseconds. */
  readonly nowMs: number;
  readonly drawn: Drawn & { readonly eventIds: number; readonly requestIds: number };
  readonly state: KeptState;
  readonly replies: readonly KeptReply<WrittenReply>[];
  readonly events: readonly RecordedEvent[];
  readonly deliveries: KeptDeliveries;
  readonly pushes: KeptPushes;
  readonly behaviour: Behaviour;
  readonly faults: readonly WaitingFault[];
}

export function keptState(state: ServiceState): KeptState {
  const records = Object.fromEntries(RECORDS.map((name) => [name, state[name]])) as Pick<
    ServiceState,
    (typeof RECORDS)[number]
  >;
  const orders = new Map<string, KeptOrder>();
  for (const [id, { versions, executing, ...kept }] of state.orders) orders.set(id, kept);
  return { ...records, payments: state.payments, orders };
}

/** Puts what was kept in place of what a new service begins with. */
export function restoreState(state: ServiceState, kept: KeptState): void {
  for (const name of RECORDS) replace<unknown>(state[name], kept[name]);
  // What was being executed when the service ended got no response, and was not done. Reads do not lag behind a restart.
  const bornMs = monotonicNow(state.clock);
  state.orders.clear();
  for (const [id, record] of kept.orders) {
    state.orders.set(id, { ...record, versions: new OrderVersions(bornMs), executing: 0 });
  }
  const { declines, settlement, giftCardBalances, instrumentOf } = kept.payments;
  state.payments.declines.push(...declines);
  state.payments.settlement = settlement;
  replace(state.payments.giftCardBalances, giftCardBalances);
  replace(state.payments.instrumentOf, instrumentOf);
}

function replace<T>(map: Map<string, T>, by: ReadonlyMap<string, T>): void {
  map.clear();
  for (const [id, record] of by) map.set(id, record);
}

/** As text: JSON, with maps and sets as `{ "$map": […] }` and `{ "$set": […] }`. */
export function snapshotText(snapshot: Snapshot): string {
  return JSON.stringify(snapshot, (_, value: unknown) => {
    if (value instanceof Map) return { $map: [...value] };
    return value instanceof Set ? { $set: [...value] } : value;
  });
}

/** @throws TypeError when the text is none of `service.snapshot()`. */
export function readSnapshot(text: string): Snapshot {
  const snapshot = parsed(text);
  if (isWhole(snapshot)) return { ...snapshot, choices: snapshot.choices ?? {} };
  throw new TypeError(
    snapshot?.version === undefined || snapshot.version === 1
      ? 'createMockService: "snapshot" is no snapshot; give it what service.snapshot() returned.'
      : `createMockService: "snapshot" is of version ${snapshot.version}; this package reads version 1. Begin anew, or use the package that wrote it.`,
  );
}

const isWhole = (snapshot: Partial<Snapshot> | undefined): snapshot is Snapshot =>
  snapshot?.version === 1 && snapshot.state !== undefined && snapshot.drawn !== undefined;

/**
 * The first row in which a profile differs from that of a snapshot, in words. What the service keeps, behaviour and
 * responses of keys included, is of one profile: no other can go on with it.
 */
export function differenceOf({ choices: kept }: Snapshot, given: Choices): string | undefined {
  const row = GAP_ROWS.find((name) => (kept[name] ?? GAPS[name][0]) !== (given[name] ?? GAPS[name][0]));
  return row && `${row} was "${kept[row] ?? GAPS[row][0]}", and is "${given[row] ?? GAPS[row][0]}"`;
}

function parsed(text: string): Partial<Snapshot> | undefined {
  try {
    return JSON.parse(text, (_, value: unknown) => {
      const { $map, $set } = (value ?? {}) as { $map?: [string, unknown][]; $set?: unknown[] };
      if (Array.isArray($map)) return new Map($map);
      return Array.isArray($set) ? new Set($set) : value;
    }) as Partial<Snapshot>;
  } catch {
    return undefined;
  }
}
