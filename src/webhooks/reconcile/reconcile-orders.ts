import type { OrderSummary } from '../../contract/index.js';
import { joinState, milliseconds, orderSubject } from '../event/event-changes.js';
import { reconcileSubject } from './missed-change.js';
import { planOrder } from './plan-order.js';
import type { ReconcileRun } from './reconcile-run.js';
import type { ReconcilerClient, ReconcilerOrdersQuery } from './reconciler-client.js';

/** What a list of orders looked like the last time. */
interface OrdersMark {
  /** Orders created later are news. */
  since: number;
  startedAt: number;
  /** Orders that may still change, or whose handlers failed: when each was created. */
  open: Record<string, number>;
}

/** The last run's end and this one's beginning overlap, for clocks that differ and orders that were on their way. */
const OVERLAP_MS = 600_000;

const OPEN_STATUSES = ['PENDING', 'CONFIRMED'] as const;

/** Orders whose present state was compared already, so that it need not be looked up in the store again. */
export type SettledOrders = Map<string, string>;

/** Compares the orders of one location, or of all, with what is known. */
export async function reconcileOrders(
  client: ReconcilerClient,
  run: ReconcileRun,
  locationId: string | undefined,
  settled: SettledOrders,
): Promise<void> {
  const { clock, signal, orderWindowMs, openOrderMs } = run.options;
  const startedAt = clock.now();
  const key = `orders:${locationId ?? '*'}`;
  const mark = await run.readMark<OrdersMark>(key);
  const since = mark?.since ?? run.options.since ?? startedAt;
  // After a pause, or at a first run with `since`, as far back as that.
  const from = Math.min(startedAt - orderWindowMs, mark ? mark.startedAt - OVERLAP_MS : since);
  const horizon = startedAt - openOrderMs;
  const open = new Map<string, number>();
  const seen = new Set<string>();

  const look = async (order: OrderSummary): Promise<void> => {
    if (seen.has(order.id)) return;
    seen.add(order.id);
    const createdAt = milliseconds(order.created_at) ?? startedAt;
    if (OPEN_STATUSES.some((status) => status === order.status)) open.set(order.id, createdAt);
    if (!(await settle(order, run, since, settled))) open.set(order.id, createdAt);
  };
  const walk = async (query: ReconcilerOrdersQuery): Promise<void> => {
    const filters = locationId === undefined ? query : { ...query, location_id: locationId };
    for await (const order of client.orders.list({ ...filters, limit: 100 }, { signal })) await look(order);
  };

  await walk({ date_from: new Date(from) });
  if (horizon < from) {
    for (const status of OPEN_STATUSES) {
      await walk({ status, date_from: new Date(horizon), date_to: new Date(from) });
    }
  }
  // What was open and is in no list any more has ended since.
  for (const [orderId, createdAt] of Object.entries(mark?.open ?? {})) {
    if (seen.has(orderId) || createdAt < horizon) continue;
    await look(await client.orders.retrieve(orderId, { signal }));
  }
  for (const orderId of settled.keys()) if (!seen.has(orderId)) settled.delete(orderId);
  await run.writeMark(key, { since, startedAt, open: Object.fromEntries(open) } satisfies OrdersMark);
}

/** Handles what was missed of one order; false when that failed and has to be tried again. */
async function settle(order: OrderSummary, run: ReconcileRun, since: number, settled: SettledOrders): Promise<boolean> {
  const state = joinState(order.status, order.fulfillment_status, order.payment_status, order.updated_at);
  if (settled.get(order.id) === state) return true;
  const { engine, clock } = run.options;
  const readAt = clock.now();
  let isCertain = true;
  const done = await run.attempt(`order ${order.id}`, () =>
    reconcileSubject(engine, orderSubject(order.id), (known) => {
      const steps = planOrder(known, { order, readAt, since });
      isCertain = !steps.at(-1)?.known.get('status')?.doubted;
      return steps;
    }),
  );
  if (done && isCertain) settled.set(order.id, state);
  return done;
}
