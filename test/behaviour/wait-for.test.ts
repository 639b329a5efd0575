import { type HandoffMode, RequestValidationError } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import { orderToPay } from './order-to-pay.js';

const ORDER = 'GET /orders/{order_id}';
const HANDOFFS: Record<string, HandoffMode> = {
  PICKUP: { mode: 'PICKUP' },
  CURBSIDE: { mode: 'CURBSIDE', vehicle_make: 'Honda', vehicle_model: 'Fit', vehicle_color: 'blue' },
  DELIVERY: {
    mode: 'DELIVERY',
    delivery_address: { street: '12 Elm Street', city: 'Columbus', state: 'OH', postal_code: '43004' },
  },
};

async function paidOrder(handoff?: HandoffMode) {
  const order = await orderToPay(handoff ? { handoff } : {});
  const { service, client, orderId } = order;
  const tenders = [{ payment_method: 'CREDIT_CARD', amount: 'remaining' } as const];
  await service.clock.runUntil(client.orders.settle(orderId, { tenders }));
  return order;
}

const later = (service: Awaited<ReturnType<typeof orderToPay>>['service'], delayMs: number, act: () => void) =>
  service.clock.setTimer(act, delayMs);

describe('waiting for an order', () => {
  test.each([
    ['PICKUP', 'FULFILLED'],
    ['CURBSIDE', 'FULFILLED'],
    ['DELIVERY', 'DELIVERED'],
  ] as const)('knows that %s is handed over when it is %s', async (mode, state) => {
    const { service, client, orderId } = await paidOrder(HANDOFFS[mode]);
    later(service, 60_000, () => service.orders.advance(orderId, 'READY_FOR_PICKUP'));
    later(service, 120_000, () => service.orders.advance(orderId, state));

    const wait = await service.clock.runUntil(client.orders.waitFor(orderId, 'handed_over'));

    expect(wait).toMatchObject({ reached: true, order: { fulfillment_status: state } });
  });

  test('is over at once for an order that is past the goal', async () => {
    const { service, client, orderId } = await paidOrder();
    service.orders.advance(orderId, 'FULFILLED');
    const before = service.requests().length;

    const wait = await service.clock.runUntil(client.orders.waitFor(orderId, 'ready'));

    expect(wait).toMatchObject({ reached: true, order: { fulfillment_status: 'FULFILLED' } });
    expect(service.requests()).toHaveLength(before + 1);
  });

  test('reads after 2 s, then at twice the wait, up to 30 s', async () => {
    const { service, client, orderId } = await paidOrder();
    const begin = service.clock.now();
    const before = service.requests().length;
    later(service, 100_000, () => service.orders.advance(orderId, 'READY_FOR_PICKUP'));

    await service.clock.runUntil(client.orders.waitFor(orderId, 'ready'));

    const reads = service
      .requests()
      .slice(before)
      .map(({ at }) => (Date.parse(at) - begin) / 1000);
    expect(reads).toEqual([0, 2, 6, 14, 30, 60, 90, 120]);
  });

  test('for a payment ends when the order is paid', async () => {
    const { service, client, orderId, total } = await orderToPay();
    later(service, 5000, () => {
      void client.orders.payments.create(orderId, { payment_method: 'CREDIT_CARD', amount: total });
    });

    const wait = await service.clock.runUntil(client.orders.waitFor(orderId, 'paid'));

    expect(wait).toMatchObject({ reached: true, order: { payment_status: 'PAID' } });
  });

  test('takes a predicate', async () => {
    const { service, client, orderId } = await paidOrder();
    later(service, 10_000, () => service.orders.advance(orderId, 'PREPARING'));

    const wait = await service.clock.runUntil(
      client.orders.waitFor(orderId, (order) => order.fulfillment_status === 'PREPARING'),
    );

    expect(wait.reached).toBe(true);
  });

  test('ends typed when the order is cancelled, failed or voided', async () => {
    for (const [state, ended] of [
      ['CANCELLED', 'cancelled'],
      ['FAILED', 'failed'],
      ['VOIDED', 'voided'],
    ] as const) {
      const { service, client, orderId } = await orderToPay();
      later(service, 10_000, () => service.orders.advance(orderId, state));

      const wait = await service.clock.runUntil(client.orders.waitFor(orderId, 'ready'));

      expect(wait).toMatchObject({ reached: false, ended });
    }
  });

  test('ends typed when the order was returned', async () => {
    const { service, client, orderId } = await paidOrder();
    service.orders.advance(orderId, 'RETURNED');

    const wait = await service.clock.runUntil(client.orders.waitFor(orderId, 'handed_over'));

    expect(wait).toMatchObject({ reached: false, ended: 'returned' });
  });

  test('for a predicate that an order has ended without ends, too', async () => {
    const { service, client, orderId } = await paidOrder();
    service.orders.advance(orderId, 'FULFILLED');

    const wait = await service.clock.runUntil(client.orders.waitFor(orderId, () => false));

    expect(wait).toMatchObject({ reached: false, ended: 'completed' });
  });

  test('goes on over a failure of the service', async () => {
    const { service, client, orderId } = await paidOrder();
    service.faults.next(ORDER, { status: 503, times: 6 });
    later(service, 60_000, () => service.orders.advance(orderId, 'READY_FOR_PICKUP'));

    const wait = await service.clock.runUntil(client.orders.waitFor(orderId, 'ready'));

    expect(wait.reached).toBe(true);
  });

  test('stops with the signal, and with the deadline', async () => {
    const { service, client, orderId } = await paidOrder();
    const controller = new AbortController();
    later(service, 7000, () => controller.abort(new Error('the customer left')));

    const aborted = service.clock.runUntil(client.orders.waitFor(orderId, 'ready', { signal: controller.signal }));
    await expect(aborted).rejects.toMatchObject({ name: 'APIUserAbortError', cause: new Error('the customer left') });
    const late = service.clock.runUntil(client.orders.waitFor(orderId, 'ready', { deadline: 60_000 }));
    await expect(late).rejects.toMatchObject({ name: 'DeadlineExceededError' });
  });

  test('rejects for an order that does not exist, and for an unknown goal', async () => {
    const { service, client, orderId } = await paidOrder();

    const unknown = client.orders.waitFor('0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11', 'ready');
    await expect(service.clock.runUntil(unknown)).rejects.toMatchObject({ name: 'NotFoundError' });
    await expect(client.orders.waitFor(orderId, 'eaten' as never)).rejects.toBeInstanceOf(RequestValidationError);
  });

  test('tells of the order at the first read, and at each change up to the goal', async () => {
    const { service, client, orderId } = await paidOrder();
    later(service, 60_000, () => service.orders.advance(orderId, 'PREPARING'));
    later(service, 300_000, () => service.orders.advance(orderId, 'READY_FOR_PICKUP'));
    const told: string[] = [];

    await service.clock.runUntil(
      client.orders.waitFor(orderId, 'ready', { onChange: (order) => void told.push(order.fulfillment_status) }),
    );

    expect(told).toEqual(['PENDING', 'PREPARING', 'READY_FOR_PICKUP']);
  });

  test('is over when onChange throws', async () => {
    const { service, client, orderId } = await paidOrder();
    const onChange = async () => {
      throw new Error('the display is gone');
    };

    const wait = service.clock.runUntil(client.orders.waitFor(orderId, 'ready', { onChange }));

    await expect(wait).rejects.toThrow('the display is gone');
  });
});
