import { describe, expect } from 'vitest';
import { isPlain } from '../support/catalogue.js';
import type { Order } from '../support/records.js';
import { conflict, expectRefusal, expectStatus } from '../support/shapes.js';
import {
  addItem,
  checkout,
  createCart,
  everyLocation,
  findItem,
  found,
  HANDOFFS,
  MODES,
  type Mode,
  paidOrder,
  pay,
  placeOrder,
  readOrder,
  requestFor,
  serves,
} from '../support/shop.js';
import { type ControlledTarget, needs, openMock } from '../support/target.js';

const needsStore = needs('the part of the store');

const UNTIL_READY = ['IN_PROGRESS', 'PREPARING', 'READY_FOR_PICKUP'] as const;
const ENDS: Readonly<Record<Mode, 'FULFILLED' | 'DELIVERED'>> = {
  PICKUP: 'FULFILLED',
  CURBSIDE: 'FULFILLED',
  DELIVERY: 'DELIVERED',
  KIOSK: 'FULFILLED',
};
type State = Parameters<ControlledTarget['mock']['orders']['advance']>[1];

/** An order that the store has led to `state`. */
async function startedAt(controlled: ControlledTarget, mode: Mode, state: string): Promise<Order> {
  const order = await orderAt(controlled, mode, state);
  const path: string[] = ['PENDING', ...UNTIL_READY, ENDS[mode], 'RETURNED'];
  for (const step of path.slice(path.indexOf(order.fulfillment_status) + 1, path.indexOf(state) + 1)) {
    await controlled.mock.orders.advance(order.id, step as State);
  }
  return readOrder(controlled.target, order.id);
}

/** An order to lead to `state`: kiosk orders that are paid may be beyond it, where the store accepts them by itself. */
async function orderAt(controlled: ControlledTarget, mode: Mode, state: string): Promise<Order> {
  const mayBeSkipped = mode === 'KIOSK' && (state === 'PENDING' || state === 'IN_PROGRESS');
  return mayBeSkipped ? placeOrder(controlled.target, mode) : paidOrder(controlled.target, mode);
}

/** True when the service refused to move the order, and left it where it was. */
async function refuses({ mock, target }: ControlledTarget, order: Order, to: string): Promise<boolean> {
  try {
    await mock.orders.advance(order.id, to as State);
  } catch {
    return (await readOrder(target, order.id)).fulfillment_status === order.fulfillment_status;
  }
  return false;
}

const steps = MODES.flatMap((mode) => {
  const path = [...UNTIL_READY, ENDS[mode], 'RETURNED'];
  return path.map((to, index) => [mode, index === 0 ? 'PENDING' : path[index - 1]!, to] as const);
});

describe('The way of an order', () => {
  needsStore.each(steps)('States, fulfillment: a %s order goes from %s to %s', async (mode, from, to) => {
    const controlled = openMock();
    const order = await startedAt(controlled, mode, from);
    expect(order.fulfillment_status).toBe(from);

    await controlled.mock.orders.advance(order.id, to as State);

    expect((await readOrder(controlled.target, order.id)).fulfillment_status).toBe(to);
  });

  needsStore.each(['PICKUP', 'CURBSIDE', 'KIOSK'] as const)(
    'States, fulfillment: DELIVERED does not occur in a %s order',
    async (mode) => {
      const controlled = openMock();
      const order = await startedAt(controlled, mode, 'READY_FOR_PICKUP');

      expect(await refuses(controlled, order, 'DELIVERED')).toBe(true);
    },
  );

  needsStore('States, fulfillment: FULFILLED does not occur in a DELIVERY order', async () => {
    const controlled = openMock();
    const order = await startedAt(controlled, 'DELIVERY', 'READY_FOR_PICKUP');

    expect(await refuses(controlled, order, 'FULFILLED')).toBe(true);
  });

  needsStore.each([
    ['IN_PROGRESS', 'PENDING'],
    ['PREPARING', 'IN_PROGRESS'],
    ['READY_FOR_PICKUP', 'PREPARING'],
    ['FULFILLED', 'READY_FOR_PICKUP'],
    ['RETURNED', 'FULFILLED'],
  ])('States, fulfillment: %s does not go back to %s', async (from, to) => {
    const controlled = openMock();
    const order = await startedAt(controlled, 'PICKUP', from);

    expect(await refuses(controlled, order, to)).toBe(true);
  });

  needsStore('States, fulfillment: only a handed over order is returned', async () => {
    const controlled = openMock();
    const order = await startedAt(controlled, 'PICKUP', 'PENDING');
    await controlled.target.post(`/orders/${order.id}/cancel`);
    const cancelled = await readOrder(controlled.target, order.id);

    expect(await refuses(controlled, cancelled, 'RETURNED')).toBe(true);
  });

  needsStore('States, fulfillment: a cancelled order is not prepared', async () => {
    const controlled = openMock();
    const order = await startedAt(controlled, 'PICKUP', 'PENDING');
    await controlled.target.post(`/orders/${order.id}/cancel`);
    const cancelled = await readOrder(controlled.target, order.id);

    expect(await refuses(controlled, cancelled, 'IN_PROGRESS')).toBe(true);
  });

  needsStore.each(MODES)('States, order (gap ORD-2): a %s order is COMPLETED at its terminal state', async (mode) => {
    const controlled = openMock();

    const order = await startedAt(controlled, mode, ENDS[mode]);

    expect(order).toMatchObject({ status: 'COMPLETED', fulfillment_status: ENDS[mode], payment_status: 'PAID' });
  });

  needsStore.each(UNTIL_READY)('States, order (gap ORD-2): an order at %s is still CONFIRMED', async (state) => {
    expect((await startedAt(openMock(), 'PICKUP', state)).status).toBe('CONFIRMED');
  });
});

/** A paid KIOSK order at each location that takes them, by the state in which it then is. */
async function paidKioskOrders({ target }: ControlledTarget): Promise<Map<string, Order>> {
  const orders = new Map<string, Order>();
  for (const location of await everyLocation(target)) {
    if (!location.online_ordering_enabled || !serves(location, 'KIOSK')) continue;
    const item = await findItem(target, location.id, 'a plain item', isPlain);
    const cart = await createCart(target, location.id);
    await addItem(target, cart.id, requestFor(item, 4));
    const result = await checkout(target, cart.id, { handoff_mode: HANDOFFS.KIOSK });
    await pay(target, result.order_id, 'CREDIT_CARD', result.total.amount);
    const order = await readOrder(target, result.order_id);
    orders.set(order.fulfillment_status, order);
  }
  return orders;
}

describe('Where orders start', () => {
  needsStore(
    'States, fulfillment (gap ORD-10): a paid KIOSK order skips to PREPARING where the store accepts by itself, and waits elsewhere',
    async () => {
      const orders = await paidKioskOrders(openMock());

      expect([...orders.keys()].sort()).toEqual(['PENDING', 'PREPARING']);
    },
  );

  needsStore('States, fulfillment: a KIOSK order that was accepted by itself is not cancelled: 409', async () => {
    const controlled = openMock();
    const accepted = found((await paidKioskOrders(controlled)).get('PREPARING'), 'an accepted order');

    expectRefusal(await controlled.target.post(`/orders/${accepted.id}/cancel`), conflict('Order cannot be cancelled'));
  });

  needsStore.each(MODES)('States, fulfillment: a %s order starts at PENDING', async (mode) => {
    expect((await placeOrder(openMock().target, mode)).fulfillment_status).toBe('PENDING');
  });
});

describe('Cancel and fulfillment', () => {
  needsStore.each(['PENDING', 'IN_PROGRESS'])('States, fulfillment: an order at %s is cancelled', async (state) => {
    const controlled = openMock();
    const order = await startedAt(controlled, 'PICKUP', state);

    const answer = await controlled.target.post<Order>(`/orders/${order.id}/cancel`);

    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({ status: 'CANCELLED', fulfillment_status: 'CANCELLED' });
  });

  const late = MODES.flatMap((mode) =>
    ['PREPARING', 'READY_FOR_PICKUP', ENDS[mode], 'RETURNED'].map((state) => [mode, state] as const),
  );

  needsStore.each(late)('States, fulfillment: a %s order at %s is not cancelled: 409', async (mode, state) => {
    const controlled = openMock();
    const order = await startedAt(controlled, mode, state);
    expect(order.fulfillment_status).toBe(state);

    const answer = await controlled.target.post(`/orders/${order.id}/cancel`);

    expectRefusal(answer, conflict('Order cannot be cancelled'));
    expect(await readOrder(controlled.target, order.id)).toEqual(order);
  });
});
