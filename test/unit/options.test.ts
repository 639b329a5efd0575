import { ConfigurationError, OnlineOrdering, type OnlineOrderingOptions } from 'online-ordering-sdk';
import { afterEach, expect, test, vi } from 'vitest';
import { CREDENTIALS, SECRET, TestService } from '../support/service/test-service.js';

afterEach(() => vi.unstubAllEnvs());
const create = (options: object) => () => new OnlineOrdering({ ...CREDENTIALS, ...options } as OnlineOrderingOptions);

test.each([
  ['baseUrl', 'ONLINE_ORDERING_BASE_URL'],
  ['clientId', 'ONLINE_ORDERING_CLIENT_ID'],
  ['clientSecret', 'ONLINE_ORDERING_CLIENT_SECRET'],
])('without %s the error names the option and its variable', (name, variable) => {
  vi.stubEnv(variable, '');

  for (const value of [undefined, null, '']) {
    expect(create({ [name]: value })).toThrow(ConfigurationError);
    expect(create({ [name]: value })).toThrow(
      `The option "${name}" is missing; pass it, or set the environment variable ${variable}.`,
    );
  }
});

test.each([
  'https://api.example.com/v1/online-ordering',
  'https://api.example.com/v1/online-ordering/',
  'http://localhost:4010/v1/online-ordering',
  'http://store.localhost:4010/v1/online-ordering',
  'http://127.0.0.1:4010/v1/online-ordering',
  'http://127.8.9.1/v1/online-ordering',
  'http://[::1]:4010/v1/online-ordering',
])('the base address %s is fine', (baseUrl) => {
  expect(create({ baseUrl })).not.toThrow();
});

test.each([
  ['http://api.example.com/v1', 'is not https'],
  ['http://localhost.example.com/v1', 'is not https'],
  ['http://127.0.0.1.example.com/v1', 'is not https'],
  ['http://10.0.0.1/v1', 'is not https'],
  ['ftp://localhost/v1', 'is not https'],
  ['api.example.com', 'is not an address'],
  ['https://', 'is not an address'],
  [`https://user:${SECRET}@api.example.com/v1`, 'holds a user name or password'],
  ['https://api.example.com/v1?x=1', 'has a query'],
  ['https://api.example.com/v1#x', 'has a query'],
])('the base address %s is refused', (baseUrl, problem) => {
  expect(create({ baseUrl })).toThrow(ConfigurationError);
  expect(create({ baseUrl })).toThrow(problem);
  expect(create({ baseUrl })).not.toThrow(SECRET);
});

test('a slash at the end of the base address does not double', async () => {
  const service = new TestService(() => ({ status: 200, body: {} }));
  await service.client({ baseUrl: `${CREDENTIALS.baseUrl}//` }).carts.retrieve('c');

  expect(service.requests[0]?.path).toBe('/carts/c');
});

test.each([
  [
    { timeout: 0 },
    'The option "timeout" is 0; it counts milliseconds and must be above 0. Leave it out for the default.',
  ],
  [{ timeout: Number.POSITIVE_INFINITY }, 'The option "timeout" is Infinity'],
  [{ timeout: '30s' }, 'The option "timeout" is "30s"'],
  [{ deadline: -1 }, 'The option "deadline" is -1'],
  [{ maxWait: -1 }, 'The option "maxWait" is -1'],
  [
    { maxRetries: 1.5 },
    'The option "maxRetries" is 1.5; it must be a whole number from 0 (exactly one attempt) to 100.',
  ],
  [{ maxRetries: 101 }, 'The option "maxRetries" is 101'],
  [{ validation: 'loose' }, "The option \"validation\" is \"loose\"; write one of 'off', 'report', 'strict'."],
  [{ logLevel: 'trace' }, 'The option "logLevel" is "trace"; write one of off, error, warn, info, debug.'],
  [{ logger: {} }, 'The option "logger" has no method "error"; give an object like console, pino or winston.'],
  [{ dispatcher: {} }, 'The option "dispatcher" has no method "dispatch"'],
  [{ fetch: 'fetch' }, 'The option "fetch" is "string"; give a WHATWG fetch function.'],
  [{ fetch, dispatcher: { dispatch: () => true } }, 'The options "dispatcher" and "fetch" exclude each other'],
  [{ maxResponseBytes: 0 }, 'The option "maxResponseBytes" is 0; it counts bytes'],
  [{ defaultHeaders: { Authorization: 'x' } }, 'The option "defaultHeaders" has a header "Authorization"'],
  [{ baseURL: 'x' }, 'The option "baseURL" does not exist; write "baseUrl".'],
  [{ apiKey: 'x' }, 'The option "apiKey" does not exist; known are baseUrl, clientId'],
])('%o is refused', (options, message) => {
  expect(create(options)).toThrow(ConfigurationError);
  expect(create(options)).toThrow(message);
});

test('the least and the most of each option are taken', () => {
  expect(create({ maxRetries: 0, maxWait: 0, timeout: 1, deadline: 1, maxResponseBytes: 1 })).not.toThrow();
  expect(create({ maxRetries: 100, maxWait: Number.POSITIVE_INFINITY, timeout: 2 ** 40 })).not.toThrow();
});

test.each([
  [{ shareToken: 'yes' }, '"shareToken"'],
  [{ tokenKey: 'short' }, '"tokenKey"'],
  [{ tokenKey: 7 }, '"tokenKey"'],
  [{ tokenKey: 'x'.repeat(32), shareToken: false }, 'leave it out'],
])('%j is refused: the token would not be shared as meant', (options, message) => {
  expect(create(options)).toThrow(message);
});
