import { expect, test } from 'vitest';
import { memoryStore } from '../../../../src/stores/memory.js';
import { createReconciler, createWebhookReceiver, type Inbox } from '../../../../src/webhooks/index.js';
import { deliver, later, orderCreated, SECRET, statusChanged } from '../../../support/records/events.js';
import { ORDER_ID } from '../../../support/records/ids.js';
import { StoredRecords } from '../../../support/service/stored-records.js';

const UNPAID = 'PENDING|PENDING|UNPAID';
const PAID = 'CONFIRMED|PENDING|PAID';
const READY = 'CONFIRMED|READY|PAID';

export interface InboxUnderTest {
  /** An inbox of its own for each test. */
  open(options: { attempts?: number }): Promise<Inbox<never>>;
  /** Lets the time of retries pass. */
  pass(): Promise<void>;
  /** Steps the wall clock that the workers of this process see; what it was before is back after the test. */
  stepClock(ms: number): void;
  /** Steps to try, in milliseconds; waits of an engine take real time. @defaultValue an hour, both ways */
  readonly steps?: readonly number[];
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

async function eventually(check: () => Promise<unknown> | unknown, pass: () => Promise<void>): Promise<void> {
  // The wall clock is stepped by tests.
  const endsAt = performance.now() + 15_000;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > endsAt) throw error;
      await pass();
    }
  }
}

/** What every inbox does. */
export function inboxSuite({ open, pass, stepClock, steps = [-HOUR, HOUR] }: InboxUnderTest): void {
  const setUp = async (options: { attempts?: number } = {}) => {
    const inbox = (await open(options)) as unknown as Inbox;
    const receiver = createWebhookReceiver({ secrets: SECRET, inbox, ordering: 'latest' });
    const errors: unknown[] = [];
    receiver.onError((error) => errors.push(error));
    return { inbox, receiver, errors };
  };

  test('a delivery is acknowledged before a handler runs, and handled by a worker', async () => {
    const { receiver } = await setUp();
    const handled: string[] = [];
    receiver.onAny((event, { source }) => handled.push(`${source} ${event.event_id}`));

    expect(await deliver(receiver, orderCreated('evt_1'))).toBe('200 accepted');
    expect(await deliver(receiver, orderCreated('evt_1'))).toBe('200 duplicate');
    expect(handled).toEqual([]);
    await receiver.startWorkers();

    await eventually(() => expect(handled).toEqual(['webhook evt_1']), pass);
    await receiver.stopWorkers();
  });

  test('a handler that fails is tried again, and later events of the order wait for it', async () => {
    const { receiver } = await setUp();
    const handled: string[] = [];
    let failures = 1;
    receiver.onAny((event) => {
      if (event.event_id === 'evt_1' && failures-- > 0) throw new Error('database down');
      handled.push(event.event_id);
    });
    await deliver(receiver, orderCreated('evt_1'));
    await deliver(receiver, statusChanged('evt_2', UNPAID, PAID, later(10)));
    await deliver(receiver, { ...orderCreated('evt_3'), data: { order_id: 'another' } });
    await receiver.startWorkers();

    await eventually(() => expect(handled).toHaveLength(3), pass);
    expect(handled.indexOf('evt_1')).toBeLessThan(handled.indexOf('evt_2'));
    expect(handled.indexOf('evt_3')).toBe(0);
    await receiver.stopWorkers();
  });

  test('workers that are stopped finish what they handle, take no more, and go on when they are started again', async () => {
    const { receiver } = await setUp();
    const begun: string[] = [];
    let letGo = () => {};
    receiver.onAny((event) => {
      begun.push(event.event_id);
      return new Promise<void>((resolve) => {
        letGo = resolve;
      });
    });
    await deliver(receiver, orderCreated('evt_1'));
    await deliver(receiver, statusChanged('evt_2', UNPAID, PAID, later(10)));
    await receiver.startWorkers();
    await eventually(() => expect(begun).toEqual(['evt_1']), pass);

    let isStopped = false;
    const stopping = receiver.stopWorkers().then(() => {
      isStopped = true;
    });
    for (let time = 0; time < 5; time += 1) await pass();
    expect(isStopped).toBe(false);
    letGo();
    await stopping;
    for (let time = 0; time < 5; time += 1) await pass();
    expect(begun).toEqual(['evt_1']);

    await receiver.startWorkers();
    await eventually(() => expect(begun).toEqual(['evt_1', 'evt_2']), pass);
    letGo();
    await receiver.stopWorkers();
    expect(begun).toEqual(['evt_1', 'evt_2']);
  });

  test('workers that are started twice handle each event once, and stop as one', async () => {
    const { receiver } = await setUp();
    const handled: string[] = [];
    receiver.onAny((event) => void handled.push(event.event_id));

    await receiver.startWorkers();
    await Promise.all([receiver.startWorkers(), receiver.startWorkers()]);
    await deliver(receiver, orderCreated('evt_1'));
    await eventually(() => expect(handled).toEqual(['evt_1']), pass);
    await receiver.stopWorkers();
    await deliver(receiver, statusChanged('evt_2', UNPAID, PAID, later(10)));
    for (let time = 0; time < 20; time += 1) await pass();

    expect(handled).toEqual(['evt_1']);
  });

  test('workers that are started while they stop go on, and can be stopped', async () => {
    const { receiver } = await setUp();
    const begun: string[] = [];
    const signals: AbortSignal[] = [];
    let letGo = () => {};
    receiver.onAny((event, { signal }) => {
      begun.push(event.event_id);
      signals.push(signal);
      return new Promise<void>((resolve) => {
        letGo = resolve;
      });
    });
    await deliver(receiver, orderCreated('evt_1'));
    await receiver.startWorkers();
    await eventually(() => expect(begun).toEqual(['evt_1']), pass);

    const turned = [receiver.stopWorkers(), receiver.startWorkers()];
    await pass();
    letGo();
    await Promise.all(turned);
    await deliver(receiver, statusChanged('evt_2', UNPAID, PAID, later(10)));
    await eventually(() => expect(begun).toEqual(['evt_1', 'evt_2']), pass);
    expect(signals[1]?.aborted).toBe(false);

    const stopping = receiver.stopWorkers();
    letGo();
    await stopping;
    await deliver(receiver, statusChanged('evt_3', PAID, READY, later(20)));
    for (let time = 0; time < 20; time += 1) await pass();
    expect(begun).toEqual(['evt_1', 'evt_2']);
  });

  test.each(steps)(
    'a step of the wall clock by %d ms holds up no event, and costs none its place or an attempt',
    async (step) => {
      const { inbox, receiver } = await setUp({ attempts: 3 });
      const tries: string[] = [];
      let letGo = () => {};
      receiver.onAny((event, { signal }) => {
        tries.push(event.event_id);
        if (tries.length === 1) {
          // While it is handled, and another one waits behind it.
          stepClock(step);
          throw new Error('database down');
        }
        if (event.event_id !== 'evt_3') return;
        return new Promise<void>((resolve) => {
          letGo = () => {
            expect(signal.aborted).toBe(false);
            resolve();
          };
        });
      });
      await deliver(receiver, orderCreated('evt_1'));
      await deliver(receiver, statusChanged('evt_2', UNPAID, PAID, later(10)));
      await receiver.startWorkers();

      await eventually(() => expect(tries).toEqual(['evt_1']), pass);
      // Long enough for an engine to have it wait for its next try.
      await new Promise((resolve) => setTimeout(resolve, 200));
      stepClock(step);

      await eventually(() => expect(tries).toEqual(['evt_1', 'evt_1', 'evt_2']), pass);
      await deliver(receiver, statusChanged('evt_3', PAID, READY, later(20)));
      await eventually(() => expect(tries).toHaveLength(4), pass);
      stepClock(step);
      await pass();
      letGo();
      await deliver(receiver, { ...orderCreated('evt_4'), data: { order_id: 'another' } });
      await eventually(() => expect(tries).toEqual(['evt_1', 'evt_1', 'evt_2', 'evt_3', 'evt_4']), pass);

      expect(await inbox.deadLetters()).toEqual([]);
      expect(await deliver(receiver, orderCreated('evt_1'))).toBe('200 duplicate');
      await receiver.stopWorkers();
    },
  );

  test('later events of an order do not bring the retry of the first one forward', async () => {
    const { receiver } = await setUp();
    const tries: string[] = [];
    let triedAt = 0;
    receiver.onAny((event) => {
      tries.push(event.event_id);
      triedAt = performance.now();
      throw new Error('database down');
    });
    await deliver(receiver, orderCreated('evt_1'));
    await receiver.startWorkers();
    await eventually(() => expect(tries.length).toBeGreaterThanOrEqual(1), pass);
    const [before, lastAt] = [tries.length, triedAt];

    for (let index = 2; index < 8; index += 1) {
      await deliver(receiver, statusChanged(`evt_${index}`, UNPAID, PAID, later(index)));
    }
    for (let time = 0; time < 20; time += 1) await Promise.resolve();

    expect(new Set(tries)).toEqual(new Set(['evt_1']));
    // Where a busy machine took no longer than the wait, which is a second at least.
    if (performance.now() - lastAt < 900) expect(tries).toHaveLength(before);
    await receiver.stopWorkers();
  });

  test('an event that fails as often as it may is a dead letter, lets others pass, and can be run again', async () => {
    const { inbox, receiver } = await setUp({ attempts: 1 });
    const handled: string[] = [];
    let isDown = true;
    receiver.onAny((event) => {
      if (event.event_id === 'evt_1' && isDown) throw new Error('no such table');
      handled.push(event.event_id);
    });
    await deliver(receiver, orderCreated('evt_1'));
    await deliver(receiver, statusChanged('evt_2', UNPAID, PAID, later(10)));
    await receiver.startWorkers();
    await eventually(() => expect(handled).toEqual(['evt_2']), pass);
    await eventually(async () => expect(await inbox.deadLetters()).toHaveLength(1), pass);

    expect(await inbox.deadLetters()).toMatchObject([
      { entry: { id: 'evt_1', subject: `order:${ORDER_ID}` }, attempts: 1, error: 'no such table' },
    ]);
    isDown = false;
    expect(await inbox.retry('evt_2')).toBe(false);
    expect(await inbox.retry('evt_1')).toBe(true);
    await eventually(() => expect(handled).toEqual(['evt_2', 'evt_1']), pass);
    expect(await inbox.deadLetters()).toEqual([]);
    await receiver.stopWorkers();
  });

  test('deliveries that come again while the handler fails are no further tries, and the event has one effect', async () => {
    const { inbox, receiver } = await setUp();
    let tries = 0;
    const effects: string[] = [];
    receiver.onAny((event) => {
      tries += 1;
      if (tries === 1) throw new Error('database down');
      effects.push(event.event_id);
    });
    await receiver.startWorkers();

    const first = await Promise.all(Array.from({ length: 4 }, () => deliver(receiver, orderCreated('evt_1'))));
    await eventually(() => expect(tries).toBeGreaterThanOrEqual(1), pass);
    const meanwhile = await Promise.all(Array.from({ length: 4 }, () => deliver(receiver, orderCreated('evt_1'))));
    await eventually(() => expect(effects).toEqual(['evt_1']), pass);
    const after = await deliver(receiver, orderCreated('evt_1'));
    for (let time = 0; time < 5; time += 1) await pass();

    expect(first.filter((outcome) => outcome === '200 accepted')).toHaveLength(1);
    expect([...meanwhile, after]).toEqual(Array(5).fill('200 duplicate'));
    expect([tries, effects]).toEqual([2, ['evt_1']]);
    expect(await inbox.deadLetters()).toEqual([]);
    await receiver.stopWorkers();
  });

  test('a dead letter that two run again at once has one effect, also when it is delivered meanwhile', async () => {
    const { inbox, receiver } = await setUp({ attempts: 1 });
    const effects: string[] = [];
    let isDown = true;
    receiver.onAny((event) => {
      if (isDown) throw new Error('no such table');
      effects.push(event.event_id);
    });
    await receiver.startWorkers();
    await deliver(receiver, orderCreated('evt_1'));
    await eventually(async () => expect(await inbox.deadLetters()).toHaveLength(1), pass);
    expect(await deliver(receiver, orderCreated('evt_1'))).toBe('200 duplicate');
    expect(await inbox.deadLetters()).toHaveLength(1);

    isDown = false;
    const retried = await Promise.allSettled([inbox.retry('evt_1'), inbox.retry('evt_1'), inbox.retry('evt_none')]);
    await deliver(receiver, orderCreated('evt_1'));
    await eventually(() => expect(effects).toEqual(['evt_1']), pass);
    for (let time = 0; time < 5; time += 1) await pass();

    expect(retried.map((end) => (end.status === 'fulfilled' ? end.value : end.reason)).sort()).toEqual([
      false,
      false,
      true,
    ]);
    expect(effects).toEqual(['evt_1']);
    expect(await inbox.retry('evt_1')).toBe(false);
    await receiver.stopWorkers();
  });

  test('an event whose order is in other hands waits for it, and that costs no attempt', async () => {
    const store = memoryStore();
    const elsewhere = createWebhookReceiver({ secrets: SECRET, store });
    let letGo = () => {};
    elsewhere.onAny(
      () =>
        new Promise<void>((resolve) => {
          letGo = resolve;
        }),
    );
    const inbox = (await open({ attempts: 1 })) as unknown as Inbox;
    const receiver = createWebhookReceiver({ secrets: SECRET, store, inbox, lockWaitMs: 20 });
    const handled: number[] = [];
    receiver.onAny(() => handled.push(1));
    const errors: unknown[] = [];
    receiver.onError((error) => errors.push(error));
    const held = deliver(elsewhere, orderCreated('evt_1'));
    await deliver(receiver, statusChanged('evt_2', UNPAID, PAID, later(10)));
    await receiver.startWorkers();

    const endsAt = performance.now() + 1500;
    while (performance.now() < endsAt) await pass();
    expect(await inbox.deadLetters()).toEqual([]);
    letGo();
    await held;

    await eventually(() => expect(handled).toEqual([1]), pass);
    expect(errors).toEqual([]);
    await receiver.stopWorkers();
  });

  test('what the reconciler finds goes through the inbox, once', async () => {
    const { receiver } = await setUp();
    const service = new StoredRecords();
    const reconciler = createReconciler(service.client, receiver);
    const handled: string[] = [];
    receiver.onAny((event, { source }) => handled.push(`${source} ${event.event_type}`));
    await reconciler.runOnce();
    service.order(ORDER_ID, PAID, later(10));

    expect((await reconciler.runOnce()).handled).toBe(2);
    expect(handled).toEqual([]);
    await receiver.startWorkers();
    await eventually(() => expect(handled).toHaveLength(2), pass);

    expect(handled).toEqual(['reconciler order.created', 'reconciler order.status_changed']);
    expect(await deliver(receiver, orderCreated('evt_1'))).toBe('200 accepted');
    expect((await reconciler.runOnce()).handled).toBe(0);
    await receiver.stopWorkers();
    expect(handled).toHaveLength(2);
  });
}
