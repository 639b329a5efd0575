import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import type { Call } from '../../../../src/http/exchange/call.js';
import { Failure } from '../../../../src/http/exchange/failure.js';
import type { RawResponse } from '../../../../src/http/exchange/message.js';
import { AttemptTimer } from '../../../../src/http/transport/attempt-timer.js';
import type { DispatchController, Dispatcher, DispatchHandler } from '../../../../src/http/transport/dispatcher.js';
import { undiciTransport } from '../../../../src/http/transport/transport-undici.js';
import { callOf } from '../../../support/call.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

let clock: VirtualClock;
let handler: DispatchHandler;
let aborted: Error | undefined;
const controller: DispatchController = {
  abort: (reason) => {
    aborted = reason;
  },
};
afterEach(() => {
  aborted = undefined;
});

const beforeSending = (call: Call) => call.checkBeforeSending?.();
const asItIs = (raw: RawResponse) => raw;

/** Sends one request over a dispatcher that the test drives by hand. */
function send({
  maxResponseBytes = 100,
  signal,
  check,
}: {
  maxResponseBytes?: number;
  signal?: AbortSignal;
  check?: () => void;
} = {}) {
  clock = new VirtualClock(0);
  const dispatcher: Dispatcher = {
    dispatch: (_options, given) => {
      handler = given;
      return true;
    },
  };
  const transport = undiciTransport({
    dispatcherFor: () => dispatcher,
    beforeSending,
    read: asItIs,
    clock,
    timer: new AttemptTimer(clock),
    maxResponseBytes,
  });
  return transport(callOf({ settings: { signal }, checkBeforeSending: check }), {}).then(
    (response) => response,
    (error: unknown) => (error as Failure).facts,
  );
}
const bytes = (text: string) => Buffer.from(text);

test('status, headers in lower case, and the text of all chunks are the response', async () => {
  const answer = send();
  handler.onRequestStart(controller, {});
  handler.onResponseStart(controller, 103, { link: 'early' });
  handler.onResponseStart(controller, 200, { 'X-One': '1', 'x-many': ['a', 'b'], gone: undefined });
  const word = bytes('Café');
  handler.onResponseData(controller, word.subarray(0, 4));
  handler.onResponseData(controller, word.subarray(4));
  handler.onResponseEnd(controller, {});

  expect(await answer).toEqual({ status: 200, headers: { 'x-one': '1', 'x-many': 'a, b' }, text: 'Café' });
});

test('a failure before the request was written says so', async () => {
  const answer = send();
  handler.onResponseError(controller, Object.assign(new Error('x'), { code: 'ECONNRESET' }));

  expect(await answer).toEqual({ kind: 'connection', written: false, permanent: false, code: 'ECONNRESET' });
});

test('a failure after it was written says so', async () => {
  const answer = send();
  handler.onRequestStart(controller, {});
  handler.onResponseError(controller, Object.assign(new Error('x'), { code: 'ECONNRESET' }));

  expect(await answer).toEqual({ kind: 'connection', written: true, permanent: false, code: 'ECONNRESET' });
});

test('a request that leaves the queue after its attempt has ended is dropped there', async () => {
  const answer = send();
  await clock.advance(1000);
  expect(await answer).toEqual({ kind: 'timeout', written: false });

  handler.onRequestStart(controller, {});

  expect(aborted).toBeInstanceOf(Error);
});

test('a time-out before the headers ends request and attempt', async () => {
  const answer = send();
  handler.onRequestStart(controller, {});
  await clock.advance(1000);

  expect(await answer).toEqual({ kind: 'timeout', written: true });
  expect(aborted).toBeInstanceOf(Failure);
});

test('a dispatcher that throws when it is told to end the request disturbs nobody', async () => {
  const answer = send();
  const throwing: DispatchController = {
    abort: () => {
      throw new Error('The dispatcher is broken.');
    },
  };
  handler.onRequestStart(throwing, {});
  await clock.advance(1000);
  expect(await answer).toEqual({ kind: 'timeout', written: true });

  const large = send({ maxResponseBytes: 1 });
  handler.onRequestStart(throwing, {});
  handler.onResponseStart(throwing, 200, { 'content-length': '2' });
  expect(await large).toMatchObject({ cut: { reason: 'too_large' } });
});

test('a failure or time-out within the body keeps status and headers', async () => {
  const cut = send();
  handler.onRequestStart(controller, {});
  handler.onResponseStart(controller, 409, { a: 'b' });
  handler.onResponseError(controller, new Error('x'));
  expect(await cut).toMatchObject({ status: 409, headers: { a: 'b' }, text: '', cut: { reason: 'connection' } });

  const slow = send();
  handler.onRequestStart(controller, {});
  handler.onResponseStart(controller, 200, { a: 'b' });
  await clock.advance(1000);
  expect(await slow).toMatchObject({ status: 200, headers: { a: 'b' }, cut: { reason: 'timeout' } });
});

test('a body of exactly the limit is fine, a byte more is too large', async () => {
  const fits = send({ maxResponseBytes: 4 });
  handler.onRequestStart(controller, {});
  handler.onResponseStart(controller, 200, { 'content-length': '4' });
  handler.onResponseData(controller, bytes('1234'));
  handler.onResponseEnd(controller, {});
  expect(await fits).toMatchObject({ text: '1234' });
  expect(aborted).toBeUndefined();

  const tooLarge = send({ maxResponseBytes: 4 });
  handler.onRequestStart(controller, {});
  handler.onResponseStart(controller, 200, {});
  handler.onResponseData(controller, bytes('123'));
  handler.onResponseData(controller, bytes('45'));
  expect(await tooLarge).toMatchObject({ status: 200, text: '', cut: { reason: 'too_large' } });
  expect(aborted).toBeInstanceOf(Error);
});

test('a signal that was aborted before sends nothing', async () => {
  handler = undefined as unknown as DispatchHandler;

  expect(await send({ signal: AbortSignal.abort() })).toEqual({ kind: 'aborted', written: false });
  expect(handler).toBeUndefined();
});

test('what arrives after the end of the attempt is ignored', async () => {
  const stop = new AbortController();
  const answer = send({ signal: stop.signal });
  handler.onRequestStart(controller, {});
  stop.abort();
  expect(await answer).toEqual({ kind: 'aborted', written: true });

  handler.onResponseStart(controller, 200, {});
  handler.onResponseData(controller, bytes('{}'));
  handler.onResponseEnd(controller, {});
  handler.onResponseError(controller, new Error('x'));
  await clock.advance(5000);
});

test('a dispatcher that throws is a failure of the attempt', async () => {
  clock = new VirtualClock(0);
  const transport = undiciTransport({
    dispatcherFor: () => ({
      dispatch: () => {
        throw Object.assign(new Error('bad header'), { code: 'UND_ERR_INVALID_ARG' });
      },
    }),
    beforeSending,
    read: asItIs,
    clock,
    timer: new AttemptTimer(clock),
    maxResponseBytes: 10,
  });

  const failure = await transport(callOf(), {}).catch((error: unknown) => error);

  expect((failure as Failure).facts).toEqual({
    kind: 'connection',
    written: false,
    permanent: true,
    code: 'UND_ERR_INVALID_ARG',
  });
});

test('a check that throws ends the attempt unwritten, and drops the request from the queue', async () => {
  const reason = new Error('paused meanwhile');
  const check = (): void => {
    throw reason;
  };
  const answer = send({ check });
  handler.onRequestStart(controller, {});

  expect(await answer).toEqual({ kind: 'held', written: false });
  expect((aborted as Failure).cause).toBe(reason);
});

test('a compressed body that decodes to too much ends the request while it still arrives', async () => {
  const answer = send({ maxResponseBytes: 100_000 });
  handler.onRequestStart(controller, {});
  handler.onResponseStart(controller, 200, { 'content-encoding': 'gzip' });
  handler.onResponseData(controller, gzipSync(Buffer.alloc(5_000_000)).subarray(0, 3000));

  expect(await answer).toMatchObject({ status: 200, cut: { reason: 'too_large' } });
  expect(aborted).toMatchObject({ message: 'The decoded body is larger than 100000 bytes.' });
});

test.each(['zstd', 'gzip, gzip, gzip, gzip'])('a body in the coding %s is not waited for', async (coding) => {
  const answer = send();
  handler.onRequestStart(controller, {});
  handler.onResponseStart(controller, 200, { 'content-encoding': coding });
  handler.onResponseData(controller, bytes('some'));

  expect(await answer).toMatchObject({ status: 200, cut: { reason: 'encoding' } });
  expect(aborted).toBeDefined();
});

test('a time-out ends an attempt whose compressed body does not end', async () => {
  const answer = send();
  handler.onRequestStart(controller, {});
  handler.onResponseStart(controller, 200, { 'content-encoding': 'gzip' });
  handler.onResponseData(controller, gzipSync('{}').subarray(0, 12));
  await clock.advance(60_000);

  expect(await answer).toMatchObject({ status: 200, cut: { reason: 'timeout' } });
});

test('a virtual clock is told of a body that is being decoded, until it is', async () => {
  const answer = send({ maxResponseBytes: 10_000_000 });
  let decoding: Promise<unknown> | undefined;
  Object.assign(clock, {
    during: (work: () => Promise<unknown>) => {
      decoding = work();
      return decoding;
    },
  });
  handler.onRequestStart(controller, {});
  handler.onResponseStart(controller, 200, { 'content-encoding': 'br', 'content-type': 'application/json' });
  handler.onResponseData(controller, brotliCompressSync(Buffer.alloc(5_000_000, ' ')));
  handler.onResponseEnd(controller, {});

  expect(decoding).toBeDefined();
  expect(await answer).toEqual({
    status: 200,
    headers: { 'content-type': 'application/json' },
    text: ' '.repeat(5_000_000),
  });
  await decoding;
});

test('a dispatcher that ends without a response has failed, and the request may have been written', async () => {
  const answer = send();
  handler.onRequestStart(controller, {});
  handler.onResponseEnd(controller, {});

  expect(await answer).toEqual({ kind: 'connection', written: true, permanent: false, code: '' });
});
