import type { Order } from '../../../contract/index.js';
import type { AdvanceTo } from '../../control/orders.js';
import { modeOf } from '../../operations/orders/order-changes.js';
import { FULFILLMENT_TRANSITIONS, isCancellable, mayFollow, ORDER_TRANSITIONS } from '../../rules/transitions.js';
import { type Bench, type ControlRoute, found } from '../control-route.js';
import { fields, listOf, ref } from '../schemas.js';

const MOVES: readonly AdvanceTo[] = [
  'IN_PROGRESS',
  'PREPARING',
  'READY_FOR_PICKUP',
  'FULFILLED',
  'DELIVERED',
  'RETURNED',
  'CANCELLED',
  'FAILED',
  'VOIDED',
];

function orderNamed({ state }: Bench, orderId: string): Order {
  return found(state().orders.get(orderId.toLowerCase())?.order, 'order', orderId, '/_mock/orders');
}

/** What may happen to an order next, one step each. */
function nextMoves(order: Order): AdvanceTo[] {
  if (order.status === 'CANCELLED') return [];
  const isOver = order.status === 'FAILED' || order.status === 'VOIDED';
  const kitchen = isOver ? [] : (FULFILLMENT_TRANSITIONS[modeOf(order)][order.fulfillment_status] ?? []);
  return MOVES.filter((move) => {
    if (move === 'FAILED' || move === 'VOIDED') return mayFollow(ORDER_TRANSITIONS, order.status, move);
    return move === 'CANCELLED' ? !isOver && isCancellable(order) : kitchen.includes(move);
  });
}

const CHANGING = ['status', 'fulfillment_status', 'payment_status'] as const;

/** A line of what has happened to an order. */
interface Happening {
  readonly at: string;
  readonly what: string;
  /** Of lines with the same time the lower comes first: an order is made, paid, and then confirmed. */
  readonly rank: number;
}

function timelineOf(order: Order, { service }: Bench): Omit<Happening, 'rank'>[] {
  const events = service.webhooks.events().flatMap(({ event_type, created_at, data }): Happening[] => {
    if (!('order_id' in data) || data.order_id !== order.id) return [];
    const said: Readonly<Record<string, unknown>> = { ...data };
    const changes = CHANGING.filter((name) => said[`current_${name}`] !== said[`previous_${name}`]);
    const statuses = changes.map((name) => `${name} ${said[`current_${name}`]}`);
    const rank = event_type === 'order.created' ? 0 : 2;
    return [{ at: created_at, what: [event_type, ...statuses].join(' '), rank }];
  });
  const money = service.ledger(order.id).entries.map(({ kind, method, cents, at }) => ({
    at,
    what: `${kind} ${method} ${(cents / 100).toFixed(2)}`,
    rank: 1,
  }));
  return [...events, ...money]
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.rank - b.rank)
    .map(({ at, what }) => ({ at, what }));
}

export const routes: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/orders',
    name: 'listOrders',
    tag: 'Orders',
    summary: 'Every order of every partner, oldest first.',
    response: listOf(ref('Order')),
    run: (_, { service }) => service.orders(),
  },
  {
    method: 'GET',
    path: '/orders/{order_id}',
    name: 'readOrder',
    tag: 'Orders',
    summary: 'One order, with what may happen to it next, what has happened, and its ledger.',
    response: {
      type: 'object',
      properties: {
        order: ref('Order'),
        next: listOf({ enum: MOVES }),
        timeline: listOf({ type: 'object', properties: { at: { type: 'string' }, what: { type: 'string' } } }),
        ledger: ref('Ledger'),
      },
    },
    run({ params }, bench) {
      const order = orderNamed(bench, params.order_id!);
      return {
        order,
        next: nextMoves(order),
        timeline: timelineOf(order, bench),
        ledger: bench.service.ledger(order.id),
      };
    },
  },
  {
    method: 'POST',
    path: '/orders/{order_id}/advance',
    name: 'advanceOrder',
    tag: 'Orders',
    summary: 'Does what the store does: leads the order to a status, through all those in between.',
    body: fields({ status: { enum: MOVES } }),
    response: ref('Order'),
    changes: 'orders',
    run({ params, body }, bench) {
      const { id } = orderNamed(bench, params.order_id!);
      return bench.service.orders.advance(id, body.status as AdvanceTo);
    },
  },
  {
    method: 'GET',
    path: '/orders/{order_id}/ledger',
    name: 'readLedger',
    tag: 'Orders',
    summary: 'Every movement of money of an order.',
    response: ref('Ledger'),
    run: ({ params }, bench) => bench.service.ledger(orderNamed(bench, params.order_id!).id),
  },
  {
    method: 'GET',
    path: '/carts',
    name: 'listCarts',
    tag: 'Carts',
    summary: 'Every cart, oldest first, each with the price that was worked out for it.',
    response: listOf({ type: 'object', properties: { cart: ref('Cart'), pricing: { type: 'object' } } }),
    run: (_, { state }) => [...state().carts.values()].map(({ cart, pricing }) => ({ cart, pricing })),
  },
];
