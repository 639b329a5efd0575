import type { FulfillmentStatusName, Order, OrderStatusName } from '../../contract/index.js';
import { cancelOrder } from '../operations/orders/cancel-order.js';
import { changeOrder, modeOf, moveFulfillment } from '../operations/orders/order-changes.js';
import { FULFILLMENT_TRANSITIONS, fulfillmentPath, mayFollow, ORDER_TRANSITIONS } from '../rules/transitions.js';
import type { OrderRecord, ServiceState } from '../state/state.js';

/** Where an order can be led: a fulfillment status, or `FAILED` or `VOIDED`, in which the service ends an order. */
export type AdvanceTo = FulfillmentStatusName | Extract<OrderStatusName, 'FAILED' | 'VOIDED'>;

/** Every order of the service, and what the store does with one. */
export interface OrderControl {
  /** Every order of every partner, oldest first; copies. */
  (): Order[];
  /**
   * Does what the store does: leads the order to a fulfillment status, through all those in between, each with its
   * `order.status_changed`. `FAILED` and `VOIDED` end an unpaid order, `CANCELLED` cancels it.
   *
   * @throws Error when the order's mode and present status do not lead there.
   */
  advance(orderId: string, status: AdvanceTo): Order;
}

export function createOrderControl(state: () => ServiceState): OrderControl {
  const list = (): Order[] => [...state().orders.values()].map(({ order }) => structuredClone(order));
  const advance = (orderId: string, status: AdvanceTo): Order => {
    const record = state().orders.get(orderId);
    if (!record) throw new Error(`The service has no order ${orderId}.`);
    if (status === 'FAILED' || status === 'VOIDED') endOrder(state(), record, status);
    else leadTo(state(), record, status);
    return structuredClone(record.order);
  };
  return Object.assign(list, { advance });
}

function leadTo(state: ServiceState, record: OrderRecord, status: FulfillmentStatusName): void {
  const { order } = record;
  const path = isOver(order) ? undefined : fulfillmentPath(modeOf(order), order.fulfillment_status, status);
  if (!path) throw impossible(order, status);
  if (status === 'CANCELLED') cancelOrder(state, record, { reason: null, idempotencyKey: null });
  else for (const step of path) moveFulfillment(state, record, step);
}

function endOrder(state: ServiceState, record: OrderRecord, status: 'FAILED' | 'VOIDED'): void {
  if (!mayFollow(ORDER_TRANSITIONS, record.order.status, status)) throw impossible(record.order, status);
  changeOrder(state, record, (order) => {
    order.status = status;
  });
}

/** The store has nothing more to do with it. */
const isOver = ({ status }: Order): boolean => status === 'CANCELLED' || status === 'FAILED' || status === 'VOIDED';

function impossible(order: Order, status: string): Error {
  const mode = modeOf(order);
  const next = FULFILLMENT_TRANSITIONS[mode][order.fulfillment_status]?.join(', ') || 'nothing';
  return new Error(
    `A ${mode} order that is ${order.status} and ${order.fulfillment_status} cannot become ${status}. What may follow its fulfillment: ${isOver(order) ? 'nothing' : next}.`,
  );
}
