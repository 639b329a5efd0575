import { operationContract, operations } from 'online-ordering-sdk/contract';
import { expect, test } from 'vitest';

test('the table has every endpoint of the interface document, and says which have bodies', () => {
  const rows = Object.entries(operations).map(
    ([name, { request, response }]) => `${name} ${request ? 'body' : '-'} ${response ? 'body' : '-'}`,
  );

  expect(rows.sort()).toEqual([
    'DELETE /carts/{cart_id} - -',
    'DELETE /carts/{cart_id}/items/{item_id} - body',
    'DELETE /carts/{cart_id}/promo-codes/{code} - body',
    'DELETE /webhooks/{webhook_id} - -',
    'GET /carts/{cart_id} - body',
    'GET /carts/{cart_id}/promo-codes - body',
    'GET /carts/{cart_id}/promo-codes/validate - body',
    'GET /locations - body',
    'GET /locations/{location_id} - body',
    'GET /locations/{location_id}/inventory - body',
    'GET /locations/{location_id}/menu - body',
    'GET /locations/{location_id}/menu/metadata - body',
    'GET /orders - body',
    'GET /orders/{order_id} - body',
    'GET /webhooks - body',
    'PATCH /carts/{cart_id} body body',
    'POST /auth/token body body',
    'POST /carts body body',
    'POST /carts/{cart_id}/calculate - body',
    'POST /carts/{cart_id}/checkout body body',
    'POST /carts/{cart_id}/items body body',
    'POST /carts/{cart_id}/promo-codes body body',
    'POST /orders/{order_id}/cancel body body',
    'POST /orders/{order_id}/payments body body',
    'POST /orders/{order_id}/refunds body body',
    'POST /webhooks body body',
    'PUT /carts/{cart_id}/handoff body body',
    'PUT /carts/{cart_id}/items/{item_id} body body',
  ]);
});

test('only checkout and cancel may go without their body', () => {
  const optional = Object.entries(operations)
    .filter(([, { request }]) => request?.().safeParse(undefined).success)
    .map(([name]) => name);

  expect(optional).toEqual(['POST /carts/{cart_id}/checkout', 'POST /orders/{order_id}/cancel']);
});

test('each schema is built once and kept', () => {
  for (const { request, response } of Object.values(operations)) {
    expect(request?.()).toBe(request?.());
    expect(response?.()).toBe(response?.());
  }
});

test('an endpoint that this version does not know has no contract', () => {
  expect(operationContract('GET /orders/{order_id}')).toBe(operations['GET /orders/{order_id}']);
  expect(operationContract('POST /orders/{order_id}/notes')).toBeUndefined();
  expect(operationContract('constructor')).toBeUndefined();
  expect(operationContract('__proto__')).toBeUndefined();
});
