import type { FulfillmentStatus, HandoffModeName, Order, OrderStatusChangedData } from '../../../contract/index.js';
import { monotonicNow } from '../../../platform/clock.js';
import { paymentFigures } from '../../rules/payment-figures.js';
import { isHandedOver, nextFulfillment } from '../../rules/transitions.js';
import type { RuleReadings } from '../../state/readings.js';
import type { OrderRecord, ServiceState } from '../../state/state.js';
import { timestampNow } from '../../time/timestamp.js';

/**
 * Changes an order: derives its figures and statuses anew afterwards, and emits an event when one of the three
 * statuses is another one.
 */
export function changeOrder(state: ServiceState, record: OrderRecord, change: (order: Order) => void): void {
  const { order } = record;
  const before = statusesOf(order);
  record.versions.keep(order, monotonicNow(state.clock));
  change(order);
  deriveFigures(order, state.rules.readings);
  order.updated_at = timestampNow(state.clock);
  announce(state, record, before);
  if (before.payment_status !== 'PAID' && order.payment_status === 'PAID') acceptAtKiosk(state, record);
  if (before.status === 'PENDING' && order.status === 'CONFIRMED') scheduleAdvance(state, record);
}

export function moveFulfillment(state: ServiceState, record: OrderRecord, status: FulfillmentStatus): void {
  changeOrder(state, record, (order) => {
    order.fulfillment_status = status;
    // gap ORD-2
    if (isHandedOver(status) && order.status === 'CONFIRMED') order.status = 'COMPLETED';
  });
}

export const modeOf = (order: Order): HandoffModeName => order.handoff.mode;

function deriveFigures(order: Order, readings: RuleReadings): void {
  const figures = paymentFigures(order.total.amount, order.payments);
  const money = (amount: number) => ({ amount, currency: order.total.currency });
  order.amount_paid = money(figures.paid);
  order.amount_refunded = money(figures.refunded);
  order.balance_due = money(figures.due);
  order.payment_status = figures.status;
  // gap ORD-2: the first completed payment, or the last that covers the total; gap ORD-13: nothing to pay
  const isBegun = order.payments.some(({ status }) => status === 'COMPLETED');
  const isPaid = readings['ORD-2'] === 'paid_in_full' ? figures.status === 'PAID' : isBegun;
  const isCovered = order.total.amount === 0 || isPaid;
  if (order.status === 'PENDING' && isCovered) {
    order.status = 'CONFIRMED';
  }
}

type Statuses = Pick<Order, 'status' | 'fulfillment_status' | 'payment_status'>;

const statusesOf = ({ status, fulfillment_status, payment_status }: Order): Statuses => ({
  status,
  fulfillment_status,
  payment_status,
});

function announce(state: ServiceState, { partnerId, order }: OrderRecord, before: Statuses): void {
  const isSame =
    before.status === order.status &&
    before.fulfillment_status === order.fulfillment_status &&
    before.payment_status === order.payment_status;
  if (isSame) return;
  const data: OrderStatusChangedData = {
    order_id: order.id,
    location_id: order.location_id,
    previous_status: before.status,
    current_status: order.status,
    previous_fulfillment_status: before.fulfillment_status,
    current_fulfillment_status: order.fulfillment_status,
    previous_payment_status: before.payment_status,
    current_payment_status: order.payment_status,
    changed_at: timestampNow(state.clock),
  };
  state.emit(partnerId, 'order.status_changed', data);
}

/** A kiosk order goes straight to preparation once it is paid, where the store accepts by itself (gap ORD-10). */
function acceptAtKiosk(state: ServiceState, record: OrderRecord): void {
  const { order } = record;
  const accepts = state.locations.get(order.location_id)?.autoAcceptsKiosk ?? false;
  if (accepts && modeOf(order) === 'KIOSK' && order.fulfillment_status === 'PENDING') {
    moveFulfillment(state, record, 'PREPARING');
  }
}

/** Lets the store lead an order to its handoff, where it does so by itself. */
export function scheduleAdvance(state: ServiceState, record: OrderRecord): void {
  const everyMs = state.rules.autoAdvanceMs;
  if (everyMs === undefined) return;
  const { order } = record;
  const step = (): void => {
    const next = nextFulfillment(modeOf(order), order.fulfillment_status);
    if (!next || next === 'RETURNED' || order.status === 'CANCELLED') return;
    moveFulfillment(state, record, next);
    state.clock.setTimer(step, everyMs);
  };
  state.clock.setTimer(step, everyMs);
}
