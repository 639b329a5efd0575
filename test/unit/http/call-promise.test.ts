import { tracingChannel } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { CallPromise } from 'online-ordering-sdk';
import { afterEach, expect, test } from 'vitest';
import { CART_ID, cart } from '../../support/records/index.js';
import { rejection } from '../../support/rejection.js';
import { inTurn } from '../../support/service/reply.js';
import { TestService } from '../../support/service/test-service.js';
import { settle } from '../../support/virtual-clock.js';

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
afterEach(() => {
  process.removeAllListeners('unhandledRejection');
  unhandled.length = 0;
});

const service = () => new TestService(inTurn({ status: 200, body: cart }));
const refusing = () => new TestService(() => ({ status: 404 }));
/** As code that took them before anybody could replace them. */
const { then, finally: finallyOf } = Promise.prototype;

test('a call is a promise to code with captured intrinsics', async () => {
  const call = service().client().carts.retrieve(CART_ID);

  const seen = await new Promise((resolve) => void then.call(call, resolve));

  expect(seen).toEqual(cart);
  expect(await finallyOf.call(service().client().carts.retrieve(CART_ID), () => {})).toEqual(cart);
});

test('tracePromise of the caller gives the data, and the error', async () => {
  const channel = tracingChannel('test:call-promise');
  const results: unknown[] = [];
  const handlers = {
    asyncEnd: (message: object) => void results.push((message as { result?: unknown }).result),
    start() {},
    end() {},
    asyncStart() {},
    error() {},
  };
  channel.subscribe(handlers);

  const data = await channel.tracePromise(() => service().client().carts.retrieve(CART_ID), {});
  const error = await rejection(channel.tracePromise(() => refusing().client().carts.retrieve(CART_ID), {}));

  channel.unsubscribe(handlers);
  expect([data, results[0]]).toEqual([cart, cart]);
  expect(error.name).toBe('NotFoundError');
});

test('an inspection shows a pending call as pending, and a finished one with its data', async () => {
  const call = service().client().carts.retrieve(CART_ID);

  expect(inspect(call)).toContain('<pending>');
  await call;
  expect(inspect(call)).toContain(CART_ID);
});

test('all, allSettled, race and any take calls', async () => {
  const call = () => service().client().carts.retrieve(CART_ID);
  const failing = () => refusing().client().carts.retrieve(CART_ID);

  expect(await Promise.all([call(), call()])).toEqual([cart, cart]);
  expect((await Promise.allSettled([call(), failing()])).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
  ]);
  expect(await Promise.race([call()])).toEqual(cart);
  expect(await Promise.any([failing(), call()])).toEqual(cart);
});

test('a failing call that nobody awaits is reported once, as any rejected promise is', async () => {
  process.on('unhandledRejection', note);

  void refusing().client().carts.retrieve(CART_ID);
  await settle();

  expect(unhandled.map((reason) => (reason as Error).name)).toEqual(['NotFoundError']);
});

test('withResponse alone carries the failure, and is reported when nobody awaits it', async () => {
  process.on('unhandledRejection', note);

  const error = await rejection(refusing().client().carts.retrieve(CART_ID).withResponse());
  await settle();
  expect([error.name, unhandled.length]).toEqual(['NotFoundError', 0]);

  void refusing().client().carts.retrieve(CART_ID).withResponse();
  await settle();
  expect(unhandled).toHaveLength(1);
});

test('what is derived from a call is an ordinary promise', () => {
  const call = service().client().carts.retrieve(CART_ID);

  expect(call).toBeInstanceOf(CallPromise);
  expect(call.then(() => {})).not.toBeInstanceOf(CallPromise);
});

test('a call is taken as it is where a promise is asked for, as `await` does', async () => {
  const call = service().client().carts.retrieve(CART_ID);

  expect(Promise.resolve(call)).toBe(call);
  expect(await call).toEqual(cart);
});
