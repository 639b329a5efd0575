import type { OrderSummary } from '../../contract/index.js';
import { monotonicNow } from '../../platform/clock.js';
import { orderSubject } from '../event/event-changes.js';
import { milliseconds } from '../event/service-time.js';
import { joinState } from '../event/state-text.js';
import { ORDER_TTL_MS } from '../state/known-store.js';
import { planOrder } from './plan-order.js';
import type { ReconcileRun } from './reconcile-run.js';
import type { ReconcilerClient, ReconcilerOrdersQuery } from './reconciler-client.js';

/**
 * Where the reading of a list of orders stands. All times are the service's own (`created_at`): nothing depends on how
 * this machine's clock is set.
 */
interface OrdersMark {
  /** Orders that are not known and were created since are new. */
  since: number;
  /** The latest creation that was read. */
  newest: number;
  /** How many orders the last complete reading of the window had. */
  windowOrders: number;
  /** Locations whose orders were read. */
  locations?: readonly string[];
  /** Orders that may still change, or whose handlers failed: when each was created. */
  open: Record<string, number>;
}

/** Orders which were still open at the last reading of past orders. */
interface PastMark {
  open: Record<string, number>;
}

/** The lists of two runs overlap, for orders that were on their way. */
const OVERLAP_MS = 600_000;
/** Up to so many orders (five pages) the whole window is read at each run, otherwise once an hour. */
const SMALL_WINDOW = 500;
const WINDOW_EVERY_MS = 3_600_000;
/** How often returns, and open orders older than `openOrderMs`, are looked for. */
const PAST_EVERY_MS = 86_400_000;
/** Orders that are read one by one at most; beyond that their list costs less. */
const MOST_SINGLE_READS = 40;
/** Open orders remembered from before `openOrderMs` at most; the newest are kept. */
const MOST_PAST_OPEN = 5_000;

const OPEN_STATUSES = ['PENDING', 'CONFIRMED'] as const;

/** Orders whose present state was compared already, so that it need not be looked up in the store again. */
export type SettledOrders = Map<string, { readonly state: string; readonly touchedAt: number }>;

/** Whose orders are read: of one location, of some out of the list of all, or of all. */
export interface OrdersScope {
  /** Name of the mark in the store. */
  readonly key: string;
  readonly locationId?: string | undefined;
  readonly locations?: ReadonlySet<string> | undefined;
}

/** Compares the orders of a scope with what is known. */
export async function reconcileOrders(
  client: ReconcilerClient,
  run: ReconcileRun,
  scope: OrdersScope,
  settled: SettledOrders,
): Promise<void> {
  await new OrdersReading(client, run, scope, settled).read();
}

class OrdersReading {
  readonly #client: ReconcilerClient;
  readonly #run: ReconcileRun;
  readonly #scope: OrdersScope;
  readonly #settled: SettledOrders;
  readonly #open = new Map<string, number>();
  readonly #seen = new Set<string>();
  /** Were open at the last reading, and are too old for the lists of this one. */
  readonly #grownOld = new Map<string, number>();
  #mark: OrdersMark | undefined;
  #newest = 0;
  #since = 0;

  constructor(client: ReconcilerClient, run: ReconcileRun, scope: OrdersScope, settled: SettledOrders) {
    this.#client = client;
    this.#run = run;
    this.#scope = scope;
    this.#settled = settled;
  }

  async read(): Promise<void> {
    const { orderWindowMs, openOrderMs } = this.#run.options;
    const key = `orders:${this.#scope.key}`;
    const mark = await this.#run.readMark<OrdersMark>(key);
    this.#mark = mark;
    this.#newest = mark?.newest ?? (await this.#newestCreation());
    const windowFrom = this.#newest - Math.max(orderWindowMs, OVERLAP_MS);
    this.#since = mark?.since ?? this.#run.options.since ?? windowFrom;
    const openFrom = this.#newest - openOrderMs;

    const isWhole = await this.#isWindowDue();
    const from = mark && !isWhole ? this.#newest - OVERLAP_MS : Math.min(windowFrom, mark ? windowFrom : this.#since);
    await this.#list({ date_from: date(from) });
    const windowOrders = isWhole ? this.#seen.size : (mark?.windowOrders ?? 0);
    if (openFrom < from) await this.#listOpen(openFrom, from);
    await this.#readEnded(mark?.open ?? {}, openFrom, windowFrom);
    await this.#run.writeMark(key, {
      since: this.#since,
      newest: this.#newest,
      windowOrders,
      locations: this.#scope.locations && [...this.#scope.locations],
      open: Object.fromEntries(this.#open),
    } satisfies OrdersMark);
    if (isWhole) await this.#run.writeMark(`window:${this.#scope.key}`, 1, WINDOW_EVERY_MS);
    await this.#readPast(openFrom);
    for (const orderId of this.#settled.keys()) if (isWhole && !this.#seen.has(orderId)) this.#settled.delete(orderId);
  }

  /** The service's time, as far as its newest order shows it; far in the past when there are no orders. */
  async #newestCreation(): Promise<number> {
    const { signal } = this.#run.options;
    const query = this.#scope.locationId === undefined ? {} : { location_id: this.#scope.locationId };
    for await (const order of this.#client.orders.list({ ...query, limit: 1 }, { signal })) {
      return milliseconds(order.created_at) ?? 0;
    }
    return 0;
  }

  async #isWindowDue(): Promise<boolean> {
    const mark = this.#mark;
    if (!mark || !this.#run.options.onlyDue || mark.windowOrders <= SMALL_WINDOW) return true;
    if (this.#isNewLocation()) return true;
    return (await this.#run.readMark(`window:${this.#scope.key}`)) === undefined;
  }

  #isNewLocation(locationId?: string): boolean {
    const { locations } = this.#scope;
    const known = this.#mark?.locations;
    if (!locations || !known) return false;
    if (locationId !== undefined) return !known.includes(locationId);
    return [...locations].some((id) => !known.includes(id));
  }

  async #listOpen(from: number, to: number): Promise<void> {
    for (const status of OPEN_STATUSES) await this.#list({ status, date_from: date(from), date_to: date(to) });
  }

  /** What was open and is in no list any more has ended since. */
  async #readEnded(open: Readonly<Record<string, number>>, openFrom: number, windowFrom: number): Promise<void> {
    const unseen = Object.entries(open).filter(([orderId]) => !this.#seen.has(orderId));
    const ended = unseen.filter(([, createdAt]) => createdAt >= openFrom);
    for (const [orderId, createdAt] of unseen) if (createdAt < openFrom) this.#grownOld.set(orderId, createdAt);
    if (ended.length > MOST_SINGLE_READS) await this.#list({ date_from: date(windowFrom) });
    for (const [orderId] of ended) {
      if (this.#seen.has(orderId)) continue;
      await this.#compare(await this.#client.orders.retrieve(orderId, { signal: this.#run.options.signal }));
    }
  }

  /** Once a day: returns however late, and orders that stay open for longer than `openOrderMs`, or were until just now. */
  async #readPast(openFrom: number): Promise<void> {
    const key = `past:${this.#scope.key}`;
    const isDue = (await this.#run.readMark(`${key}:done`)) === undefined;
    if (!isDue && this.#grownOld.size === 0) return;
    const mark = await this.#run.readMark<PastMark>(key);
    const openBefore = { ...mark?.open, ...Object.fromEntries(this.#grownOld) };
    if (!isDue) {
      const kept = Object.entries(openBefore).slice(-MOST_PAST_OPEN);
      return this.#run.writeMark(key, { open: Object.fromEntries(kept) } satisfies PastMark);
    }
    const pastFrom = this.#newest - this.#run.options.pastOrderMs;
    this.#open.clear();
    const isFirst = !mark;
    await this.#list({ fulfillment_status: 'RETURNED', date_from: date(pastFrom) }, isFirst);
    if (pastFrom < openFrom) {
      for (const status of OPEN_STATUSES) {
        await this.#list({ status, date_from: date(pastFrom), date_to: date(openFrom) }, isFirst);
      }
    }
    const open = [...this.#open].slice(0, MOST_PAST_OPEN);
    for (const orderId of Object.keys(openBefore)) {
      if (this.#seen.has(orderId)) continue;
      await this.#compare(await this.#client.orders.retrieve(orderId, { signal: this.#run.options.signal }));
    }
    await this.#run.writeMark(key, { open: Object.fromEntries(open) } satisfies PastMark);
    await this.#run.writeMark(`${key}:done`, 1, PAST_EVERY_MS);
  }

  async #list(query: ReconcilerOrdersQuery, isFirst = !this.#mark): Promise<void> {
    const { locationId, locations } = this.#scope;
    const { signal } = this.#run.options;
    const filters = locationId === undefined ? query : { ...query, location_id: locationId };
    for await (const order of this.#client.orders.list({ ...filters, limit: 100 }, { signal })) {
      if (!locations || (order.location_id !== undefined && locations.has(order.location_id))) {
        await this.#compare(order, isFirst);
      }
    }
  }

  async #compare(order: OrderSummary, isFirst = false): Promise<void> {
    if (this.#seen.has(order.id)) return;
    this.#seen.add(order.id);
    const createdAt = milliseconds(order.created_at) ?? this.#newest;
    this.#newest = Math.max(this.#newest, createdAt);
    if (OPEN_STATUSES.some((status) => status === order.status)) this.#open.set(order.id, createdAt);
    if (!(await this.#settle(order, isFirst))) this.#open.set(order.id, createdAt);
  }

  /** Handles what was missed of one order; false when that failed and has to be tried again. */
  async #settle(order: OrderSummary, isFirstRun: boolean): Promise<boolean> {
    const { clock } = this.#run.options;
    const state = joinState(order.status, order.fulfillment_status, order.payment_status, order.updated_at);
    const last = this.#settled.get(order.id);
    const now = monotonicNow(clock);
    // What is known of an order expires: one that is still listed is kept from being forgotten.
    const touch = last !== undefined && now - last.touchedAt > ORDER_TTL_MS / 3;
    if (last?.state === state && !touch) return true;
    const isFirst = isFirstRun || this.#isNewLocation(order.location_id);
    let isCertain = true;
    const done = await this.#run.attempt(`order ${order.id}`, () =>
      this.#run.reconcile({
        subject: orderSubject(order.id),
        touch: touch || last === undefined,
        plan: (known) => {
          const steps = planOrder(known, {
            order,
            readAt: clock.now(),
            newSince: this.#newSince(isFirst),
            isFirst,
          });
          isCertain = !steps.at(-1)?.known.get('status')?.doubted;
          return steps;
        },
      }),
    );
    if (done && isCertain) this.#settled.set(order.id, { state, touchedAt: now });
    return done;
  }

  #newSince(isFirst: boolean): number {
    const { since } = this.#run.options;
    if (isFirst) return since ?? Number.POSITIVE_INFINITY;
    // Beyond this age an order may have been known, and forgotten.
    return Math.max(this.#since, this.#newest - ORDER_TTL_MS * 0.9);
  }
}

function date(atMs: number): Date {
  return new Date(Math.max(0, atMs));
}
