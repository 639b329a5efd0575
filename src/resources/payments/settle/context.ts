import type { Order, Payment, PaymentRequest } from '../../../contract/index.js';
import type { Closing } from '../../../http/exchange/closing.js';
import type { Clock } from '../../../platform/clock.js';
import type { Random } from '../../../platform/random.js';
import type { TimeLimitOptions } from '../../time-limit.js';
import type { PaymentJournal } from '../journal/journal.js';
import type { OrderOrigin } from '../journal/record.js';
import type { OrderReading } from '../order-reading.js';
import type { PaymentRules } from '../overrides.js';
import type { Digests } from './tenders.js';

export interface KeyedCall extends TimeLimitOptions {
  readonly idempotencyKey: string;
  /** Called where the bytes leave; if it throws, nothing is sent. */
  readonly checkBeforeSending?: () => void;
}

/** What settling needs of the orders resource. */
export interface OrdersApi {
  read(orderId: string, options: TimeLimitOptions): Promise<OrderReading>;
  /** One attempt at one payment, without a wait of its own; an order in place of the payment is understood (gap PAY-2). */
  pay(orderId: string, body: PaymentRequest, options: KeyedCall): Promise<Payment | Order>;
  cancel(orderId: string, options: KeyedCall): Promise<Order>;
}

/** What stays the same for all settlements of a client. */
export interface SettleContext {
  readonly api: OrdersApi;
  readonly clock: Clock;
  readonly random: Random;
  readonly rules: PaymentRules;
  /** Where runs are written down when the caller names no journal. */
  readonly journal: PaymentJournal;
  /** Whose orders they are, so that a journal of another service is refused. */
  readonly origin: OrderOrigin | null;
  readonly newKey: () => string;
  readonly digests: Digests;
  readonly leaseMs: number;
  /** Retries of a payment that was not executed, and the longest wait before one, in milliseconds. */
  readonly maxRetries: number;
  readonly maxWait: number;
  /** The end of the client, which ends waits. */
  readonly closing?: Closing | undefined;
}
