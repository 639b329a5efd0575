import type { Order, Payment, PaymentRequest } from '../../../contract/index.js';
import { isReplayable, type TwoClocks } from '../../../http/response/replay-window.js';
import type { Clock } from '../../../platform/clock.js';
import type { ResolvedPolling } from '../../orders/polling.js';
import type { TimeLimit, TimeLimitOptions } from '../../time-limit.js';
import type { FormerDigest } from '../journal/former-digest.js';
import type { PaymentJournal } from '../journal/journal.js';
import type { OrderBook } from '../journal/order-lock.js';
import type { PaymentEntry } from '../journal/record.js';
import type { OrderReading } from '../order-reading.js';
import type { PaymentOverrides } from '../overrides.js';
import type { Tender } from '../tender-body.js';
import type { DeclineHandler } from './decline.js';
import type { DigestedTender } from './tender.js';

export interface KeyedCall extends TimeLimitOptions {
  readonly idempotencyKey: string;
}

/** What settling needs of the orders resource. */
export interface OrdersApi {
  read(orderId: string, options: TimeLimitOptions): Promise<OrderReading>;
  /** One payment; an order in place of the payment is understood (gap PAY-2). */
  pay(orderId: string, body: PaymentRequest, options: KeyedCall): Promise<Payment | Order>;
  cancel(orderId: string, options: KeyedCall): Promise<Order>;
}

/** How tenders are made unreadable in the journal. */
export interface Digests {
  newSalt(): string;
  ofTender(tender: Tender, salt: string): Promise<FormerDigest>;
}

/** What stays the same for all settlements of a client. */
export interface SettleContext {
  readonly api: OrdersApi;
  readonly clock: Clock;
  readonly overrides: PaymentOverrides;
  /** Where runs are written down when the caller names no journal. */
  readonly journal: PaymentJournal;
  readonly newKey: () => string;
  readonly digests: Digests;
  readonly leaseMs: number;
}

/** One settlement while it runs. */
export interface Work {
  readonly orderId: string;
  readonly context: SettleContext;
  readonly journal: PaymentJournal;
  readonly book: OrderBook;
  readonly limit: TimeLimit;
  readonly polling: ResolvedPolling;
  readonly onDeclined: DeclineHandler | undefined;
  /** Tenders by the key of their entry. */
  readonly tenders: Map<string, DigestedTender>;
  /** Requests as they went out in this call, by key. */
  readonly bodies: Map<string, PaymentRequest>;
  /** Keys under which the service keeps a failed payment: to repeat them changes nothing. */
  readonly exhausted: Set<string>;
  /** False where nothing may be sent: `resume` without tenders, `resolve({ replay: false })`. */
  readonly mayRepeat: boolean;
  /** Payment records seen, and reasons of refusals, by key; for the result only. */
  readonly payments: Map<string, Payment>;
  readonly reasons: Map<string, string>;
  /** The order as last read. */
  order: Order | undefined;
  /** The service's clock less ours, in milliseconds. */
  serverAheadMs: number;
}

export async function readOrder(work: Work): Promise<Order> {
  const { context, orderId, limit } = work;
  const { order, serverNowMs } = await context.api.read(orderId, limit.forCall());
  work.order = order;
  if (serverNowMs !== undefined) work.serverAheadMs = serverNowMs - context.clock.now();
  return order;
}

/** Whether the key of an entry is young enough to be sent again; what was never sent is not. */
export function isYoungEnough(work: Work, { startedAtMs, startedAtLocalMs }: PaymentEntry): boolean {
  if (startedAtMs === null || startedAtLocalMs === null) return false;
  return isReplayable({ startedAtMs, startedAtLocalMs }, bothClocks(work));
}

export function bothClocks({ context, serverAheadMs }: Work): TwoClocks {
  const nowLocalMs = context.clock.now();
  return { nowMs: nowLocalMs + serverAheadMs, nowLocalMs };
}
