import fc from 'fast-check';
import { expect, test } from 'vitest';
import { needsKey, operationOf } from '../../../../src/http/exchange/operation.js';
import { checkIdempotencyKey, KeyMemory } from '../../../../src/http/steps/idempotency-key.js';
import { newUuid } from '../../../../src/platform/uuid.js';
import { KEY, OTHER_KEY } from '../../../support/records/index.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

test.each([
  ['GET /orders', 'read', false],
  ['HEAD /orders', 'read', false],
  ['GET /orders/{order_id}/payments', 'read', false],
  ['POST /carts/{cart_id}/calculate', 'read', false],
  ['POST /auth/token', 'token', false],
  ['POST /carts', 'write', true],
  ['PATCH /carts/{cart_id}', 'write', true],
  ['PUT /carts/{cart_id}/handoff', 'write', true],
  ['DELETE /webhooks/{webhook_id}', 'write', true],
  ['POST /orders/{order_id}/cancel', 'write', true],
  ['POST /orders/{order_id}/payments', 'money', true],
  ['POST /orders/{order_id}/refunds', 'money', true],
  ['POST /orders/{id}/payments/{payment_id}/capture', 'money', true],
  ['POST /orders/123/payments', 'money', true],
  ['POST /orders/{id}/payments-report', 'write', true],
])('%s is a %s; it needs a key: %s', (name, kind, keyed) => {
  const [method = '', template = ''] = name.split(' ');
  const operation = operationOf(method, template);

  expect(operation).toMatchObject({ method, template, name, kind });
  expect(operationOf(method, template)).toEqual(operation);
  expect(needsKey(operation)).toBe(keyed);
});

test('a fresh key is a UUID v4 that passes the check', () => {
  for (let round = 0; round < 100; round += 1) expect(() => checkIdempotencyKey(newUuid())).not.toThrow();
  fc.assert(
    fc.property(fc.uuid({ version: 4 }), (key) => {
      expect(() => checkIdempotencyKey(key)).not.toThrow();
    }),
  );
  fc.assert(
    fc.property(fc.uuid({ version: [1, 3, 5, 7] }), (key) => {
      expect(() => checkIdempotencyKey(key)).toThrow('not a UUID v4');
    }),
  );
});

test('a key belongs to the request that used it first', () => {
  const memory = new KeyMemory(new VirtualClock(0));

  expect(memory.use(KEY, 1)).toBeUndefined();
  expect(memory.use(KEY, 1)).toBeUndefined();
  expect(memory.use(OTHER_KEY, 2)).toBeUndefined();
  expect(memory.use(KEY, 2)).toContain('was used for another request already');
});

test('a key is not replayed later than a day less a quarter of an hour after its first use', async () => {
  const clock = new VirtualClock(0);
  const memory = new KeyMemory(clock);
  memory.use(KEY, 1);

  await clock.advance(23.75 * 3_600_000 - 1);
  expect(memory.use(KEY, 1)).toBeUndefined();
  await clock.advance(1);
  expect(memory.use(KEY, 1)).toContain('more than 23 h 45 min ago');
});

test('ten thousand keys are remembered, and the oldest forgotten first', () => {
  const memory = new KeyMemory(new VirtualClock(0));
  memory.use('oldest', 1);
  for (let use = 1; use < 10_000; use += 1) memory.use(`key ${use}`, 1);
  expect(memory.use('oldest', 2)).toBeDefined();
  memory.use('one more', 1);

  expect(memory.use('oldest', 2)).toBeUndefined();
});
