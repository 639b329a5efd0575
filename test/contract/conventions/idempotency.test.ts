import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { PROMO } from '../support/magic.js';
import type { Cart } from '../support/records.js';
import { badRequest, conflict, expectRefusal, expectStatus } from '../support/shapes.js';
import { filledCart, HANDOFFS, openLocation, paidOrder, paymentOf, placeOrder, requestFor } from '../support/shop.js';
import { needs, openTarget, type Target } from '../support/target.js';

/** A write that succeeds once, and the same write with another body. */
interface Write {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly otherBody?: unknown;
}

/** Every write endpoint of the document that needs a key, made ready. */
const WRITES: readonly (readonly [string, (target: Target) => Promise<Write>])[] = [
  [
    'POST /carts',
    async (target) => {
      const { id } = await openLocation(target);
      return {
        method: 'POST',
        path: '/carts',
        body: { location_id: id },
        otherBody: { location_id: id, customer_id: 'CUST-2' },
      };
    },
  ],
  [
    'POST /carts/{cart_id}/items',
    async (target) => {
      const { cart, plain } = await filledCart(target);
      return {
        method: 'POST',
        path: `/carts/${cart.id}/items`,
        body: requestFor(plain, 1),
        otherBody: requestFor(plain, 2),
      };
    },
  ],
  [
    'PUT /carts/{cart_id}/items/{item_id}',
    async (target) => {
      const { cart, plain } = await filledCart(target);
      const path = `/carts/${cart.id}/items/${cart.items[0]!.id}`;
      return { method: 'PUT', path, body: requestFor(plain, 3), otherBody: requestFor(plain, 4) };
    },
  ],
  [
    'DELETE /carts/{cart_id}/items/{item_id}',
    async (target) => {
      const { cart } = await filledCart(target);
      return { method: 'DELETE', path: `/carts/${cart.id}/items/${cart.items[0]!.id}` };
    },
  ],
  [
    'PUT /carts/{cart_id}/handoff',
    async (target) => {
      const { cart } = await filledCart(target);
      return {
        method: 'PUT',
        path: `/carts/${cart.id}/handoff`,
        body: HANDOFFS.PICKUP,
        otherBody: { mode: 'PICKUP', pickup_time: null },
      };
    },
  ],
  [
    'POST /carts/{cart_id}/checkout',
    async (target) => {
      const { cart } = await filledCart(target);
      const path = `/carts/${cart.id}/checkout`;
      return {
        method: 'POST',
        path,
        body: { handoff_mode: HANDOFFS.PICKUP },
        otherBody: { handoff_mode: HANDOFFS.CURBSIDE },
      };
    },
  ],
  [
    'DELETE /carts/{cart_id}',
    async (target) => ({ method: 'DELETE', path: `/carts/${(await filledCart(target)).cart.id}` }),
  ],
  [
    'POST /orders/{order_id}/cancel',
    async (target) => {
      const order = await placeOrder(target);
      return {
        method: 'POST',
        path: `/orders/${order.id}/cancel`,
        body: { reason: 'one' },
        otherBody: { reason: 'two' },
      };
    },
  ],
  [
    'POST /orders/{order_id}/payments',
    async (target) => {
      const order = await placeOrder(target);
      const path = `/orders/${order.id}/payments`;
      return { method: 'POST', path, body: paymentOf('CREDIT_CARD', 100), otherBody: paymentOf('CREDIT_CARD', 101) };
    },
  ],
  [
    'POST /orders/{order_id}/refunds',
    async (target) => {
      const order = await paidOrder(target);
      return { method: 'POST', path: `/orders/${order.id}/refunds`, body: { amount: 50 }, otherBody: { amount: 51 } };
    },
  ],
  [
    'POST /webhooks',
    async () => {
      const url = `https://hooks.example.com/${randomUUID()}`;
      return {
        method: 'POST',
        path: '/webhooks',
        body: { url, event_types: ['order.created'] },
        otherBody: { url, event_types: ['menu.changed'] },
      };
    },
  ],
  [
    'DELETE /webhooks/{webhook_id}',
    async (target) => {
      const body = { url: `https://hooks.example.com/${randomUUID()}`, event_types: ['order.created'] };
      const { body: subscription } = await target.post<{ id: string }>('/webhooks', body);
      return { method: 'DELETE', path: `/webhooks/${subscription.id}` };
    },
  ],
];

const PROMO_WRITES: typeof WRITES = [
  [
    'POST /carts/{cart_id}/promo-codes',
    async (target) => {
      const { cart } = await filledCart(target, 6);
      return {
        method: 'POST',
        path: `/carts/${cart.id}/promo-codes`,
        body: { code: PROMO.percentage },
        otherBody: { code: PROMO.fixed },
      };
    },
  ],
  [
    'DELETE /carts/{cart_id}/promo-codes/{code}',
    async (target) => {
      const { cart } = await filledCart(target, 6);
      expectStatus(await target.post(`/carts/${cart.id}/promo-codes`, { code: PROMO.percentage }), 200);
      return { method: 'DELETE', path: `/carts/${cart.id}/promo-codes/${PROMO.percentage}` };
    },
  ],
];

async function needsKey(prepare: (target: Target) => Promise<Write>): Promise<void> {
  const target = openTarget();
  const { method, path, body } = await prepare(target);

  expectRefusal(
    await target.send(method, path, { body, key: null }),
    badRequest('Missing required field: Idempotency-Key'),
  );
}

async function repeats(prepare: (target: Target) => Promise<Write>): Promise<void> {
  const target = openTarget();
  const { method, path, body } = await prepare(target);
  const key = randomUUID();
  const first = await target.send(method, path, { body, key });
  expect(first.status, first.text).toBeLessThan(300);

  const second = await target.send(method, path, { body, key });

  expectStatus(second, first.status);
  expect(second.body).toEqual(first.body);
}

async function refusesAnotherBody(prepare: (target: Target) => Promise<Write>): Promise<void> {
  const target = openTarget();
  const { method, path, body, otherBody } = await prepare(target);
  const key = randomUUID();
  expect((await target.send(method, path, { body, key })).status).toBeLessThan(300);

  expectRefusal(await target.send(method, path, { body: otherBody, key }), conflict(/idempotency key/i));
}

describe('Every write endpoint', () => {
  test.each(WRITES)('Idempotency rules 1 (gaps ERR-6 and REF-7): %s needs an Idempotency-Key', async (_name, prepare) =>
    needsKey(prepare),
  );
  needs('known promo codes').each(PROMO_WRITES)(
    'Idempotency rules 1 (gaps ERR-6 and REF-7): %s needs an Idempotency-Key',
    async (_name, prepare) => needsKey(prepare),
  );

  test.each(WRITES)('Idempotency rules 2: %s repeated with its key returns the same answer', async (_name, prepare) =>
    repeats(prepare),
  );
  needs('known promo codes').each(PROMO_WRITES)(
    'Idempotency rules 2: %s repeated with its key returns the same answer',
    async (_name, prepare) => repeats(prepare),
  );

  const withBody = (name: string): boolean => !name.startsWith('DELETE');
  test.each(WRITES.filter(([name]) => withBody(name)))(
    'Idempotency rules 4: %s with a used key and another body is refused with 409',
    async (_name, prepare) => refusesAnotherBody(prepare),
  );
  needs('known promo codes').each(PROMO_WRITES.filter(([name]) => withBody(name)))(
    'Idempotency rules 4: %s with a used key and another body is refused with 409',
    async (_name, prepare) => refusesAnotherBody(prepare),
  );

  test.each(['not-a-uuid', '12345', '', 'd7a8fbb3-07d4-1e3c-b5f2-9a6c8b1e0f23', 'd7a8fbb307d44e3cb5f29a6c8b1e0f23'])(
    'Idempotency rules 1 (gap ERR-6): "%s" is no UUID v4 and is refused as a key',
    async (key) => {
      const target = openTarget();
      const { id } = await openLocation(target);

      expectRefusal(await target.post('/carts', { location_id: id }, { key }), badRequest());
    },
  );
});

describe('PATCH and calculate', () => {
  test('Idempotency rules 1: PATCH repeated with its key returns the same answer', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);
    const key = randomUUID();
    const first = await target.patch<Cart>(`/carts/${cart.id}`, { customer_id: 'CUST-1' }, { key });

    const second = await target.patch<Cart>(`/carts/${cart.id}`, { customer_id: 'CUST-1' }, { key });

    expectStatus(second, 200);
    expect(second.body).toEqual(first.body);
  });

  test('Idempotency rules 4: PATCH with a used key and another body is refused with 409', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);
    const key = randomUUID();
    await target.patch(`/carts/${cart.id}`, { customer_id: 'CUST-1' }, { key });

    expectRefusal(
      await target.patch(`/carts/${cart.id}`, { customer_id: 'CUST-2' }, { key }),
      conflict(/idempotency key/i),
    );
  });

  test('Idempotency rules 1: PATCH with a malformed key is refused', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);

    expectRefusal(
      await target.patch(`/carts/${cart.id}`, { customer_id: 'CUST-1' }, { key: 'not-a-uuid' }),
      badRequest(),
    );
  });

  test('Idempotency rules 1: reading needs no key', async () => {
    expectStatus(await openTarget().get('/orders', { key: null }), 200);
  });
});
