import { expect, test } from 'vitest';
import { codeOf, isPermanent, provesNotSent } from '../../../../src/http/exchange/failure.js';

test('the code is found in the error, in its cause, and in the first of several', () => {
  const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });

  expect(codeOf(refused)).toBe('ECONNREFUSED');
  expect(codeOf(new TypeError('fetch failed', { cause: refused }))).toBe('ECONNREFUSED');
  expect(codeOf(new AggregateError([refused]))).toBe('ECONNREFUSED');
  expect(codeOf(new TypeError('fetch failed', { cause: new AggregateError([refused]) }))).toBe('ECONNREFUSED');
});

test.each([[undefined], [null], ['text'], [{}], [new Error('x')], [{ code: 7 }]])('%j has none', (error) => {
  expect(codeOf(error)).toBe('');
});

test('an error that throws when it is read has none', () => {
  const unreadable = new Proxy(
    {},
    {
      get() {
        throw new Error('trap');
      },
    },
  );

  expect(codeOf(unreadable)).toBe('');
  expect(codeOf(new TypeError('fetch failed', { cause: unreadable }))).toBe('');
});

test('an error that is its own cause ends the search', () => {
  const error = new Error('x');
  error.cause = error;

  expect(codeOf(error)).toBe('');
});

test.each([
  ['ECONNREFUSED', true, false],
  ['ENOTFOUND', true, false],
  ['EAI_AGAIN', true, false],
  ['UND_ERR_CONNECT_TIMEOUT', true, false],
  ['CERT_HAS_EXPIRED', true, true],
  ['CERT_NOT_YET_VALID', true, true],
  ['ERR_TLS_CERT_ALTNAME_INVALID', true, true],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', true, true],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', true, true],
  ['ERR_SSL_WRONG_VERSION_NUMBER', true, true],
  ['INVALID_PURPOSE', true, true],
  ['PATH_LENGTH_EXCEEDED', true, true],
  ['PROXY_407', true, true],
  ['PROXY_502', true, false],
  ['UND_ERR_INVALID_ARG', false, true],
  ['UND_ERR_DESTROYED', false, true],
  ['ECONNRESET', false, false],
  ['UND_ERR_SOCKET', false, false],
  ['UND_ERR_HEADERS_TIMEOUT', false, false],
  ['', false, false],
])('%s proves that nothing was sent: %s; would come again: %s', (code, notSent, permanent) => {
  expect([provesNotSent(code), isPermanent(code)]).toEqual([notSent, permanent]);
});
