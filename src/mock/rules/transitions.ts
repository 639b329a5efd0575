import type { FulfillmentStatus, HandoffModeName, OrderStatus, PaymentRecordStatus } from '../../contract/index.js';

type Table = Readonly<Record<string, readonly string[]>>;

const untilReady = {
  PENDING: ['IN_PROGRESS', 'CANCELLED'],
  IN_PROGRESS: ['PREPARING', 'CANCELLED'],
  PREPARING: ['READY_FOR_PICKUP'],
} as const;

const handedOver: Table = {
  ...untilReady,
  READY_FOR_PICKUP: ['FULFILLED'],
  FULFILLED: ['RETURNED'],
  RETURNED: [],
  CANCELLED: [],
};

/** "Fulfillment status": what may follow, by handoff mode. FULFILLED and DELIVERED exclude each other. */
export const FULFILLMENT_TRANSITIONS: Readonly<Record<HandoffModeName, Table>> = {
  PICKUP: handedOver,
  CURBSIDE: handedOver,
  DELIVERY: { ...untilReady, READY_FOR_PICKUP: ['DELIVERED'], DELIVERED: ['RETURNED'], RETURNED: [], CANCELLED: [] },
  // A store that accepts by itself skips two states (gap ORD-10).
  KIOSK: { ...handedOver, PENDING: ['IN_PROGRESS', 'PREPARING', 'CANCELLED'] },
};

/** "Order status"; gap ORD-2 */
export const ORDER_TRANSITIONS: Table = {
  PENDING: ['CONFIRMED', 'FAILED', 'VOIDED', 'CANCELLED'],
  CONFIRMED: ['COMPLETED', 'CANCELLED'],
  COMPLETED: [],
  FAILED: ['CANCELLED'],
  VOIDED: ['CANCELLED'],
  CANCELLED: [],
};

/** "Payment record status"; gaps PAY-5 and PAY-6 */
export const PAYMENT_TRANSITIONS: Table = {
  PENDING: ['AUTHORIZED', 'FAILED', 'VOIDED'],
  AUTHORIZED: ['CAPTURED', 'FAILED', 'VOIDED'],
  CAPTURED: ['COMPLETED', 'FAILED', 'REFUNDED'],
  COMPLETED: ['REFUNDED'],
  FAILED: [],
  VOIDED: [],
  REFUNDED: [],
};

/** The way from one fulfillment state to another, without the first and with the last; `undefined` when there is none. */
export function fulfillmentPath(
  mode: HandoffModeName,
  from: FulfillmentStatus,
  to: FulfillmentStatus,
): readonly FulfillmentStatus[] | undefined {
  if (to === 'CANCELLED') return FULFILLMENT_TRANSITIONS[mode][from]?.includes(to) ? [to] : undefined;
  const path: FulfillmentStatus[] = [];
  for (let status = nextFulfillment(mode, from); status; status = nextFulfillment(mode, status)) {
    path.push(status);
    if (status === to) return path;
  }
  return undefined;
}

/** What the store does next in the ordinary course. */
export function nextFulfillment(mode: HandoffModeName, from: FulfillmentStatus): FulfillmentStatus | undefined {
  return FULFILLMENT_TRANSITIONS[mode][from]?.[0];
}

/** FULFILLED, or DELIVERED for a delivery. */
export const isHandedOver = (status: FulfillmentStatus): boolean => status === 'FULFILLED' || status === 'DELIVERED';

/** From any status while preparation has not begun ("Order status", cancel; gap ORD-9). */
export function isCancellable(order: { status: OrderStatus; fulfillment_status: FulfillmentStatus }): boolean {
  const notBegun = order.fulfillment_status === 'PENDING' || order.fulfillment_status === 'IN_PROGRESS';
  return notBegun && (ORDER_TRANSITIONS[order.status]?.includes('CANCELLED') ?? false);
}

export const mayFollow = (table: Table, from: string, to: string): boolean => table[from]?.includes(to) ?? false;

/** Neither COMPLETED, FAILED, VOIDED nor REFUNDED. */
export const isUnderWay = (status: PaymentRecordStatus): boolean =>
  status === 'PENDING' || status === 'AUTHORIZED' || status === 'CAPTURED';
