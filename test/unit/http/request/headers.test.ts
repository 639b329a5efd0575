import { expect, test } from 'vitest';
import { ConfigurationError, RequestValidationError } from '../../../../src/errors/local.js';
import { checkedHeaders } from '../../../../src/http/request/headers.js';

test('names become lower case, values stay', () => {
  expect(checkedHeaders({ 'X-Trace': 'A b\tc ü', 'Content-Language': 'de' }, 'headers')).toEqual({
    'x-trace': 'A b\tc ü',
    'content-language': 'de',
  });
  expect(checkedHeaders(undefined, 'headers')).toEqual({});
});

test.each([
  'Authorization',
  'idempotency-key',
  'HOST',
  'Content-Length',
  'Transfer-Encoding',
  'Connection',
  'Accept-Encoding',
  'Expect',
  'Upgrade',
  'Keep-Alive',
])('%s is the client’s own', (name) => {
  expect(() => checkedHeaders({ [name]: 'x' }, 'headers')).toThrow(RequestValidationError);
  expect(() => checkedHeaders({ [name]: 'x' }, 'defaultHeaders')).toThrow(ConfigurationError);
});

test.each([
  ['x a', 'v'],
  ['', 'v'],
  ['x:', 'v'],
  ['ü', 'v'],
  ['x', 'a\nb'],
  ['x', 'a\rb'],
  ['x', 'a\0b'],
  ['x', '€'],
  ['x', undefined],
  ['x', 7],
])('the header %j with %j is refused, and its value not repeated', (name, value) => {
  const headers = { [name]: value } as Record<string, string>;

  expect(() => checkedHeaders(headers, 'headers')).toThrow(
    /^The option "headers" has a header ".*" that cannot be sent: /,
  );
});
