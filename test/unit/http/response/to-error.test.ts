import type { APIError, CallError, ExpectedTotalMismatchError } from 'online-ordering-sdk';
import { expect, test } from 'vitest';
import { CART_ID, cardPayment, envelope, KEY, LOCATION_ID, ORDER_ID } from '../../../support/records/index.js';
import { rejection } from '../../../support/rejection.js';
import type { Reply } from '../../../support/service/reply.js';
import { TestService } from '../../../support/service/test-service.js';

const errorOf = (reply: Reply) =>
  rejection<APIError>(
    new TestService(() => reply)
      .client({ maxRetries: 0 })
      .carts.create({ location_id: LOCATION_ID }, { idempotencyKey: KEY }),
  );

test.each([
  [400, 'BadRequestError', 'refused'],
  [401, 'AuthenticationError', 'refused'],
  [403, 'PermissionDeniedError', 'refused'],
  [404, 'NotFoundError', 'refused'],
  [405, 'APIError', 'refused'],
  [409, 'ConflictError', 'refused'],
  [422, 'UnprocessableEntityError', 'refused'],
  [429, 'RateLimitError', 'refused'],
  [302, 'APIError', 'unknown'],
  [408, 'APIError', 'unknown'],
  [500, 'InternalServerError', 'unknown'],
  [503, 'InternalServerError', 'unknown'],
  [599, 'InternalServerError', 'unknown'],
])('status %i is a %s whose outcome is %s', async (status, name, outcome) => {
  const error = await errorOf({ status, body: envelope('X', 'y'), headers: { 'retry-after': 'x' } });

  expect(error.name).toBe(name);
  expect(error).toMatchObject({ status, outcome, idempotencyKey: KEY, method: 'POST', path: '/carts', attempts: 1 });
});

test('the message says what happened, where, and with which request id', async () => {
  const refused = await errorOf({
    status: 422,
    body: envelope('INVALID_REQUEST_ERROR', 'Invalid customer ID format', { field: 'customer_id' }),
  });
  const failed = await errorOf({ status: 503, body: '<html>', headers: { 'x-request-id': 'r-1' } });

  expect(refused.message).toBe(
    'POST /carts was refused (422 INVALID_REQUEST_ERROR): customer id invalid, field customer_id. ' +
      'Request id b0b6c5c4-1f0e-4a3d-9c2b-7e6f5a4d3c2b.',
  );
  expect(failed.message).toBe(
    'POST /carts failed (503): service unavailable. Whether it was executed is unknown: repeat it with the same ' +
      'idempotencyKey, or read the resource. Request id r-1.',
  );
});

test('a 403 of a firewall is told from a 403 of the service by its envelope or its request id', async () => {
  const firewall = await errorOf({ status: 403, body: '<html>blocked</html>' });
  const ofEnvelope = await errorOf({ status: 403, body: envelope('AUTHENTICATION_ERROR', 'Insufficient permissions') });
  const ofRequestId = await errorOf({ status: 403, headers: { 'x-request-id': 'r-1' } });

  expect(firewall.scenario).toBe('blocked_on_the_way');
  expect(firewall.message).toBe(
    'POST /carts was refused (403): blocked on the way by a firewall or a proxy, not by the service.',
  );
  expect([ofEnvelope.scenario, ofRequestId.scenario]).toEqual(['insufficient_permissions', 'unknown']);
});

test('the error carries code, scenario, field, texts and headers of the response', async () => {
  const error = await errorOf({
    status: 422,
    headers: { 'x-rate-left': '3', 'set-cookie': 'a=b' },
    body: envelope('INVALID_REQUEST_ERROR', 'Modifier validation failed', {
      field: 'modifier_selections[0].nested_selections[2].quantity',
      detail: 'choose two',
    }),
  });

  expect(error).toMatchObject({
    code: 'INVALID_REQUEST_ERROR',
    scenario: 'modifier_validation_failed',
    field: 'modifier_selections[0].nested_selections[2].quantity',
    requestId: 'b0b6c5c4-1f0e-4a3d-9c2b-7e6f5a4d3c2b',
    serviceMessage: 'Modifier validation failed',
    detail: 'choose two',
    headers: { 'x-rate-left': '3' },
  });
});

test.each([
  [
    'in error',
    { error: { code: 'CONFLICT_ERROR', message: 'Conflict', change_reasons: ['FEE_CHANGED', 'NEW_REASON'] } },
  ],
  ['beside error', { error: { code: 'CONFLICT_ERROR' }, change_reasons: ['FEE_CHANGED', 'NEW_REASON'] }],
  ['in detail', { error: { code: 'CONFLICT_ERROR', detail: { change_reasons: ['FEE_CHANGED', 'NEW_REASON'] } } }],
])('change reasons %s make an ExpectedTotalMismatchError', async (_place, body) => {
  const service = new TestService(() => ({ status: 409, body }));

  const error = await rejection<ExpectedTotalMismatchError>(
    service.client().carts.checkout(CART_ID, { expected_total: 100 }),
  );

  expect(error.name).toBe('ExpectedTotalMismatchError');
  expect(error.changeReasons).toEqual(['FEE_CHANGED', 'NEW_REASON']);
  expect(error.message).toContain('(409 CONFLICT_ERROR): expected total mismatch (FEE_CHANGED, NEW_REASON)');
});

test('a mismatch of which the service gives no reasons has none', async () => {
  const error = await errorOf({ status: 409, body: envelope('CONFLICT_ERROR', 'Expected total mismatch') });

  expect(error).toMatchObject({ name: 'ExpectedTotalMismatchError', changeReasons: [] });
});

test('a declined payment has a class of its own, and nothing was charged', async () => {
  const service = new TestService(() => ({
    status: 422,
    body: envelope('INVALID_REQUEST_ERROR', 'Payment declined', { detail: 'insufficient funds' }),
  }));

  const error = await rejection<CallError>(service.client().orders.payments.create(ORDER_ID, cardPayment));

  expect(error.name).toBe('PaymentDeclinedError');
  expect(error).toMatchObject({ outcome: 'refused', attempts: 1 });
});

test.each([
  ['null', null],
  ['an array', []],
  ['a text', '"error"'],
  ['error as a text', { error: 'no' }],
  ['numbers everywhere', { error: { code: 7, message: 7, detail: 7, field: 7, request_id: 7, change_reasons: 7 } }],
  ['deep nonsense', { error: { code: {}, message: [], detail: {}, field: {}, request_id: [] } }],
])('an envelope that is %s gives nulls', async (_name, body) => {
  expect(await errorOf({ status: 409, body })).toMatchObject({
    name: 'ConflictError',
    code: null,
    field: null,
    requestId: null,
    scenario: 'unknown',
  });
});

test.each(['x', `${'a'.repeat(300)}`, 'quantity: 7', 'a b', '../x', 'items[x]', 'CUST@example.com'])(
  'a field that is no path of a field is not taken: %s',
  async (field) => {
    const error = await errorOf({ status: 422, body: envelope('INVALID_REQUEST_ERROR', 'x', { field }) });

    expect(error.field).toBe(field === 'x' ? 'x' : null);
  },
);

test('a request id that is none stays out of the message', async () => {
  const error = await errorOf({ status: 404, body: envelope('NOT_FOUND_ERROR', 'x', { request_id: 'a\nb c' }) });

  expect(error.requestId).toBeNull();
  expect(error.message).not.toContain('\n');
});

test('a connection’s failure says whether anything was executed', async () => {
  const refused = await errorOf({ fail: 'ECONNREFUSED' });
  const reset = await errorOf({ fail: 'ECONNRESET', written: true });

  expect(refused.message).toBe('POST /carts could not reach the service (ECONNREFUSED). Nothing was executed.');
  expect(reset.message).toBe(
    'POST /carts lost its connection before the response was complete (ECONNRESET). Whether it was executed is unknown: ' +
      'repeat it with the same idempotencyKey, or read the resource.',
  );
});

test('a certificate that is not valid is not tried again', async () => {
  const service = new TestService(() => ({ fail: 'CERT_HAS_EXPIRED' }));

  const error = await rejection<CallError>(service.client().carts.create({ location_id: LOCATION_ID }));

  expect(error).toMatchObject({ name: 'APIConnectionError', attempts: 1, outcome: 'not_sent' });
});

test('the outcome of a write is unknown if any attempt was, whatever the last one says', async () => {
  const replies: Reply[] = [{ status: 500 }, { status: 422, body: envelope('INVALID_REQUEST_ERROR', 'x') }];
  const service = new TestService((_request, index) => replies[index] as Reply);

  const error = await rejection<CallError>(service.client().carts.create({ location_id: LOCATION_ID }));

  expect(error).toMatchObject({ status: 422, attempts: 2, outcome: 'unknown' });
});
