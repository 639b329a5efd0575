import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../../../src/stores/memory.js';
import type { Store } from '../../../../src/stores/store.js';
import { createReconciler, createWebhookReceiver } from '../../../../src/webhooks/index.js';
import { AT, deliver, orderCreated, SECRET, statusChanged } from '../../../support/records/events.js';
import { StoredRecords } from '../../../support/service/stored-records.js';
import { settle, VirtualClock } from '../../../support/virtual-clock.js';

const OPERATIONS = ['get', 'set', 'setIfAbsent', 'compareAndSet', 'compareAndDelete'] as const;

/** Runs the work, and moves time on until it is done; gives how long that took. */
async function timed(clock: VirtualClock, work: Promise<unknown>): Promise<number> {
  const started = clock.monotonic();
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  for (let step = 0; step < 600 && !isDone; step += 1) await clock.advance(100);
  if (!isDone) throw new Error('It did not end within a minute.');
  return clock.monotonic() - started;
}

describe('a store that does not respond', () => {
  test.each(OPERATIONS)('in %s holds a delivery for some seconds at most, and the response says 500', async (name) => {
    const clock = new VirtualClock(Date.parse(AT));
    const store = memoryStore({ clock });
    // Another event of the order, so that every operation is used.
    const hanging: Store = { ...store };
    const receiver = createWebhookReceiver({ secrets: SECRET, store: hanging, clock, logger: { error() {} } });
    await deliver(receiver, orderCreated('evt_0'));
    Object.assign(hanging, { [name]: () => new Promise(() => {}) });

    const delivery = deliver(receiver, statusChanged('evt_1', 'PENDING||', 'CONFIRMED||', AT));

    expect(await timed(clock, delivery)).toBeLessThanOrEqual(10_000);
    expect(await delivery).toBe(name === 'compareAndDelete' ? '200 handled' : '500 failed');
  });

  test('holds a run of the reconciler for some seconds at most', async () => {
    const clock = new VirtualClock(Date.parse(AT));
    const store: Store = { ...memoryStore({ clock }), get: () => new Promise(() => {}) };
    const receiver = createWebhookReceiver({ secrets: SECRET, store, clock, logger: { error() {} } });

    const run = createReconciler(new StoredRecords().client, receiver).runOnce();

    expect(await timed(clock, run)).toBeLessThan(60_000);
    expect((await run).failures.length).toBeGreaterThan(0);
  });

  test('a lease that the store wrote too late is given back', async () => {
    const clock = new VirtualClock(Date.parse(AT));
    const store = memoryStore({ clock });
    let answer = () => {};
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const queueing: Store = { ...store };
    queueing.setIfAbsent = async (...given) => {
      await late;
      return store.setIfAbsent(...given);
    };
    queueing.compareAndDelete = async (...given) => {
      await late;
      await settle();
      return store.compareAndDelete(...given);
    };
    const receiver = createWebhookReceiver({ secrets: SECRET, store: queueing, clock, logger: { error() {} } });
    const failed = deliver(receiver, orderCreated('evt_1'));
    await timed(clock, failed);
    answer();
    await clock.advance(100);
    Object.assign(queueing, store);

    expect(await failed).toBe('500 failed');
    expect(await deliver(receiver, orderCreated('evt_1'))).toBe('200 handled');
  });

  test('steps of the wall clock neither end a lease nor keep it', async () => {
    for (const step of [-3_600_000, 3_600_000]) {
      const clock = new VirtualClock(Date.parse(AT));
      const steady = new VirtualClock(Date.parse(AT));
      const receiver = createWebhookReceiver({ secrets: SECRET, store: memoryStore({ clock: steady }), clock });
      let finish = () => {};
      let signal: AbortSignal | undefined;
      receiver.on('order.created', (_event, context) => {
        signal = context.signal;
        return new Promise<void>((resolve) => {
          finish = resolve;
        });
      });
      const delivery = deliver(receiver, orderCreated('evt_1'));
      await settle();
      clock.step(step);
      await clock.advance(120_000);

      expect(signal?.aborted).toBe(false);
      finish();
      expect(await delivery).toBe('200 handled');
    }
  });
});

describe('the function that gives the secrets', () => {
  test('is called a few times for 200 forged deliveries, and for each genuine one', async () => {
    const clock = new VirtualClock(Date.parse(AT));
    let calls = 0;
    const secrets = async () => {
      calls += 1;
      return SECRET;
    };
    const receiver = createWebhookReceiver({ secrets, clock, logger: { error() {} } });
    const headers = { 'x-service-signature': 'a'.repeat(64) };

    for (let forged = 0; forged < 200; forged += 1) {
      expect(await receiver.handle({ body: '{}', headers })).toMatchObject({ status: 401 });
    }
    expect(calls).toBeLessThanOrEqual(5);
    calls = 0;
    for (let genuine = 0; genuine < 3; genuine += 1) await deliver(receiver, orderCreated(`evt_${genuine}`));
    expect(calls).toBe(3);
  });

  test('holds a delivery for some seconds at most', async () => {
    const clock = new VirtualClock(Date.parse(AT));
    const secrets = () => new Promise<string>(() => {});
    const receiver = createWebhookReceiver({ secrets, clock, logger: { error() {} } });

    const delivery = deliver(receiver, orderCreated('evt_1'));

    expect(await timed(clock, delivery)).toBeLessThanOrEqual(3_100);
    expect(await delivery).toBe('500 failed');
  });
});
