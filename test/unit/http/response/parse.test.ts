import { describe, expect, test } from 'vitest';
import { Failure } from '../../../../src/http/exchange/failure.js';
import type { RawResponse } from '../../../../src/http/exchange/message.js';
import { operationOf } from '../../../../src/http/exchange/operation.js';
import { readResponse } from '../../../../src/http/response/parse.js';
import { callOf } from '../../../support/call.js';

interface Asked {
  readonly emptyAllowed?: boolean;
  readonly method?: string;
}

const read = async (raw: Partial<RawResponse>, { emptyAllowed = false, method = 'GET' }: Asked = {}) =>
  readResponse(
    { status: 200, headers: {}, text: '', ...raw },
    callOf({ operation: operationOf(method, '/x'), emptyAllowed }),
  );

const reasonOf = async (raw: Partial<RawResponse>, request?: Asked) => {
  const failure = await read(raw, request).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Failure);
  return (failure as Failure).facts;
};

describe('a success', () => {
  test.each([
    ['{"a":[1,null,"ü"]}', { a: [1, null, 'ü'] }],
    ['[]', []],
    ['null', null],
    ['"x"', 'x'],
    [' \n{"a":1}\r\n ', { a: 1 }],
    ['\uFEFF{"a":1}', { a: 1 }],
  ])('%j is read', async (text, data) => {
    expect((await read({ text })).data).toEqual(data);
  });

  test.each([
    ['', 'empty'],
    ['{"a":', 'truncated'],
    ['[1,2', 'truncated'],
    ['{"a":1', 'truncated'],
    ['{"a":1}}', 'not_json'],
    ['<html>', 'not_json'],
    ['   ', 'not_json'],
    ["{'a':1}", 'not_json'],
  ])('%j is an unknown outcome: %s', async (text, reason) => {
    expect(await reasonOf({ text })).toMatchObject({ kind: 'unusable', written: true, reason, status: 200 });
  });

  test.each([
    ['connection', 'truncated'],
    ['encoding', 'encoding'],
    ['too_large', 'too_large'],
  ] as const)('that was cut by %s is %s', async (reason, expected) => {
    expect(await reasonOf({ text: '{}', cut: { reason, cause: new Error('x') } })).toMatchObject({ reason: expected });
  });

  test('that was cut by the time-out is a time-out', async () => {
    const timeout = new Failure({ kind: 'timeout', written: true });

    expect(await reasonOf({ cut: { reason: 'timeout', cause: timeout } })).toBe(timeout.facts);
  });

  test.each([204, 205])('of status %i is complete without a body', async (status) => {
    expect(await reasonOf({ status })).toMatchObject({ reason: 'empty', isApplied: true });
    expect(await reasonOf({ status: 200 })).not.toHaveProperty('isApplied');
  });

  test('may be empty where a success has no body', async () => {
    expect((await read({ status: 204 }, { emptyAllowed: true })).data).toBeUndefined();
  });

  test('of a deletion stands by its status, whatever its body is', async () => {
    expect((await read({ text: 'deleted' }, { emptyAllowed: true, method: 'DELETE' })).data).toBeUndefined();
    expect(await reasonOf({ text: '{"a"' }, { emptyAllowed: true, method: 'POST' })).toMatchObject({
      reason: 'truncated',
    });
  });
});

describe('an error response stands by its status', () => {
  test.each([
    ['{"error":{}}', { error: {} }],
    ['<html>', undefined],
    ['', undefined],
    ['{"a"', undefined],
  ])('with the body %j', async (text, data) => {
    expect(await read({ status: 502, text })).toEqual({
      status: 502,
      headers: {},
      data,
      ...(text === '' ? {} : { text }),
    });
  });

  test('and keeps the first 65,536 characters of its body', async () => {
    expect((await read({ status: 502, text: 'x'.repeat(70_000) })).text).toBe('x'.repeat(65_536));
  });

  test('also when its body was cut', async () => {
    const cut = { reason: 'connection', cause: new Error('x') } as const;

    expect(await read({ status: 422, text: '', cut })).toMatchObject({ status: 422, data: undefined });
  });
});

test.each([
  '{"__proto__":{"a":1},"b":2}',
  '{"\\u005f_proto__":{"a":1},"b":2}',
  '{"\\u005F\\u005f\\u0070\\u0072\\u006F\\u0074\\u006f\\u005f\\u005f" : 1,"b":2}',
  '{"b":2,"__proto__":null}',
])('%s has no __proto__ of its own afterwards', async (text) => {
  const { data } = await read({ text });

  expect(data).toEqual({ b: 2 });
  expect(Object.hasOwn(data as object, '__proto__')).toBe(false);
  expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
});

test('__proto__ deep inside is dropped, and as a value it stays', async () => {
  const { data } = await read({ text: '{"a":[{"__proto__":{"x":1},"y":1}],"b":"__proto__","c":"\\"__proto__\\": 1"}' });

  expect(data).toEqual({ a: [{ y: 1 }], b: '__proto__', c: '"__proto__": 1' });
  expect(Object.hasOwn((data as { a: object[] }).a[0] as object, '__proto__')).toBe(false);
});
