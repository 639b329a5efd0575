import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import * as exported from '../../../src/errors/index.js';

const errors = { ...exported };
const facts = { method: 'GET', path: '/orders', attempts: 1 };
const apiFacts = {
  ...facts,
  status: 409,
  code: 'CONFLICT_ERROR',
  scenario: 'unknown',
  field: null,
  requestId: null,
  headers: { 'x-customer': 'CUST-1' },
  serviceMessage: 'of CUST-1',
  detail: 'at 1 Elm Street',
} as const;

async function secondCopy(): Promise<typeof errors> {
  vi.resetModules();
  return import('../../../src/errors/index.js');
}

test('instanceof holds between two copies of the package, as within one', async () => {
  const copy = await secondCopy();
  expect(copy.ConflictError).not.toBe(errors.ConflictError);
  const mismatch = new copy.ExpectedTotalMismatchError('x', { ...apiFacts, changeReasons: ['FEE_CHANGED'] });

  const family = [
    'ExpectedTotalMismatchError',
    'ConflictError',
    'APIError',
    'CallError',
    'OnlineOrderingError',
  ] as const;
  for (const name of family) {
    expect(mismatch).toBeInstanceOf(errors[name]);
    expect(mismatch).toBeInstanceOf(copy[name]);
  }
  for (const name of ['NotFoundError', 'APIConnectionError', 'RequestValidationError'] as const) {
    expect(mismatch).not.toBeInstanceOf(errors[name]);
  }
  expect(mismatch).toBeInstanceOf(Error);
});

test('a family is no member of its own kinds', () => {
  const general = new errors.APIError('x', apiFacts);

  expect(general).toBeInstanceOf(errors.APIError);
  expect(general).not.toBeInstanceOf(errors.ConflictError);
});

test('a time-out is a failure of the connection', () => {
  expect(new errors.APIConnectionTimeoutError('x', facts)).toBeInstanceOf(errors.APIConnectionError);
  expect(new errors.APIConnectionError('x', facts)).not.toBeInstanceOf(errors.APIConnectionTimeoutError);
});

test.each([null, undefined, 'text', 7, {}, new Error('x'), Object.create(null)])(
  '%o is no error of the package',
  (value) => {
    expect((value as unknown) instanceof errors.OnlineOrderingError).toBe(false);
  },
);

test('a subclass of a partner is told apart in the ordinary way', () => {
  class Mine extends errors.NotFoundError {}
  const mine = new Mine('x', { ...apiFacts, status: 404 });

  expect(mine).toBeInstanceOf(Mine);
  expect(mine).toBeInstanceOf(errors.NotFoundError);
  expect(new errors.NotFoundError('x', { ...apiFacts, status: 404 })).not.toBeInstanceOf(Mine);
});

describe.each([
  'BadRequestError',
  'AuthenticationError',
  'PermissionDeniedError',
  'NotFoundError',
  'ConflictError',
  'UnprocessableEntityError',
  'PaymentDeclinedError',
  'RateLimitError',
  'InternalServerError',
] as const)('%s', (name) => {
  const error = new errors[name]('a message', apiFacts);

  test('is named after its class, in its stack too', () => {
    expect(error.name).toBe(name);
    expect(String(error)).toBe(`${name}: a message`);
    expect(error.stack).toContain('a message');
  });

  test('shows its facts and hides what the service says of a customer', () => {
    const shown = inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error);

    expect(shown).toContain("path: '/orders'");
    expect(shown).not.toMatch(/CUST-1|Elm Street/);
    expect([error.detail, error.serviceMessage, error.headers]).toEqual([
      'at 1 Elm Street',
      'of CUST-1',
      { 'x-customer': 'CUST-1' },
    ]);
  });
});
