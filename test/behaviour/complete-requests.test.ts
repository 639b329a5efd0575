import type { DriftFacts, HandoffMode, PaymentRequest, WebhookEventType } from 'online-ordering-sdk';
import { expect, test } from 'vitest';
import { CART_ID, cart, ORDER_ID, payment } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import { TestService } from '../support/service/test-service.js';

const GROUP = '11111111-1111-4111-8111-111111111111';
const MODIFIER = '22222222-2222-4222-8222-222222222222';
const choice = { modifier_group_id: GROUP, modifier_id: MODIFIER };
const whole = { ...choice, quantity: 1, nested_selections: [] };

test.each(['add', 'replace'] as const)(
  'a selection of an item to %s goes out with its quantity and nested selections',
  async (method) => {
    const service = new TestService(() => ({ status: 200, body: cart }));
    const { items } = service.client().carts;
    const item = {
      menu_item_id: CART_ID,
      quantity: 1,
      modifier_selections: [
        choice,
        { ...choice, quantity: 2, nested_selections: [{ ...choice, nested_selections: [choice] }] },
      ],
    };
    const before = structuredClone(item);

    await (method === 'add' ? items.add(CART_ID, item) : items.replace(CART_ID, 'i', item));

    expect(JSON.parse(service.requests[0]?.body ?? '').modifier_selections).toEqual([
      whole,
      { ...whole, quantity: 2, nested_selections: [{ ...whole, nested_selections: [whole] }] },
    ]);
    expect(item).toEqual(before);
  },
);

test.each([[null], ['x'], [[null]], [[{ ...choice, quantity: null }]], [[{ ...choice, nested_selections: 'x' }]]])(
  'selections such as %j are still refused by name',
  async (selections) => {
    const service = new TestService(() => ({ status: 200, body: cart }));
    const item = { menu_item_id: CART_ID, quantity: 1, modifier_selections: selections as never };

    const error = await rejection(service.client().carts.items.add(CART_ID, item));

    expect(error.name).toBe('RequestValidationError');
    expect(error.message).toContain('modifier_selections');
  },
);

const newer = {
  payment_method: { payment_method: 'CRYPTO_WALLET', amount: 5 } as unknown as PaymentRequest,
  mode: { mode: 'DRIVE_THRU', lane: 2 } as unknown as HandoffMode,
};

test('values that are newer than this package are sent, and told', async () => {
  const service = new TestService(() => ({ status: 200, body: { ...cart, ...payment } }));
  const client = service.client({ validation: 'off' });
  const drifts: DriftFacts[] = [];
  client.on('drift', (facts) => drifts.push(facts));

  await client.orders.payments.create(ORDER_ID, newer.payment_method);
  await client.carts.setHandoff(CART_ID, newer.mode);
  await client.carts.checkout(CART_ID, { handoff_mode: newer.mode });
  const event_types = ['order.created', 'refund.created' as WebhookEventType];
  await client.webhookSubscriptions.create({
    url: 'https://p.example.com/h',
    event_types: event_types as WebhookEventType[],
  });

  expect(service.requests.map(({ body }) => JSON.parse(body ?? ''))).toEqual([
    newer.payment_method,
    newer.mode,
    { handoff_mode: newer.mode },
    { url: 'https://p.example.com/h', event_types },
  ]);
  expect(drifts.flatMap(({ issues }) => issues)).toEqual(
    ['payment_method', 'mode', 'handoff_mode.mode', 'event_types[1]'].map((field) => ({
      path: `request ${field}`,
      kind: 'new_value',
    })),
  );
});

test.each(['CREDITCARD', 'credit_card', 'Cash', 'my card', '', '4111 1111 1111 1111'])(
  'the payment method %j is a slip, and refused',
  async (payment_method) => {
    const service = new TestService(() => ({ status: 200, body: payment }));
    const slip = { payment_method, amount: 5 } as unknown as PaymentRequest;

    const error = await rejection(service.client().orders.payments.create(ORDER_ID, slip));

    expect(error.message).toContain('"payment_method": must be one of CREDIT_CARD');
    expect(service.requests).toEqual([]);
  },
);

test('a new value does not hide another problem of the body', async () => {
  const service = new TestService(() => ({ status: 201, body: {} }));
  const subscription = { url: 'http://p.example.com', event_types: ['refund.created' as WebhookEventType] };

  const error = await rejection(service.client().webhookSubscriptions.create(subscription));

  expect(error).toMatchObject({ name: 'RequestValidationError', field: 'url' });
});
