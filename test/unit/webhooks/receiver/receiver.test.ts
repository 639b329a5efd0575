import { inspect } from 'node:util';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { memoryStore } from '../../../../src/stores/memory.js';
import type { Store } from '../../../../src/stores/store.js';
import {
  ConfigurationError,
  createWebhookReceiver,
  signPayload,
  type WebhookReceiverOptions,
} from '../../../../src/webhooks/index.js';
import {
  AT,
  deliver,
  later,
  menuChanged,
  orderCreated,
  SECRET,
  statusChanged,
  stockUpdated,
} from '../../../support/records/events.js';
import { LOCATION_ID, ORDER_ID } from '../../../support/records/ids.js';
import { settle, VirtualClock } from '../../../support/virtual-clock.js';

const UNPAID = 'PENDING|PENDING|UNPAID';
const PAID = 'CONFIRMED|PENDING|PAID';
const READY = 'CONFIRMED|READY_FOR_PICKUP|PAID';

function setUp(options: Partial<WebhookReceiverOptions> = {}) {
  const clock = new VirtualClock(Date.parse(AT));
  const store = options.store ?? memoryStore({ clock });
  const errors: unknown[] = [];
  const start = (more: Partial<WebhookReceiverOptions> = {}) => {
    const receiver = createWebhookReceiver({ secrets: SECRET, store, clock, ...options, ...more });
    receiver.onError((error) => errors.push(error));
    return receiver;
  };
  return { clock, store, errors, start, receiver: start() };
}

/** A promise that the test settles. */
function gate() {
  let open = () => {};
  let fail = (_error: Error) => {};
  const passed = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { open, fail, passed };
}

describe('handlers', () => {
  test('each gets its own type, typed; onAny gets every event, onUnknown those of tomorrow', async () => {
    const { receiver } = setUp();
    const seen: string[] = [];
    receiver.on('order.created', (event) => {
      expectTypeOf(event.data.total.amount).toEqualTypeOf<number>();
      seen.push(`created ${event.data.total.amount}`);
    });
    receiver.on('stock.updated', (event) => seen.push(`stock ${event.data.items.length}`));
    receiver.onAny((event) => seen.push(`any ${event.event_type}`));
    receiver.onUnknown((event) => {
      expectTypeOf(event.data).toEqualTypeOf<unknown>();
      seen.push(`unknown ${event.event_type}`);
    });

    await deliver(receiver, orderCreated('evt_1'));
    await deliver(receiver, { event_id: 'evt_2', event_type: 'order.delayed', data: {} });

    expect(seen).toEqual(['created 1250', 'any order.created', 'any order.delayed', 'unknown order.delayed']);
  });

  test('a removed handler is no longer run, and an event without handlers is acknowledged', async () => {
    const { receiver } = setUp();
    let runs = 0;
    const remove = receiver.on('order.created', () => {
      runs += 1;
    });
    remove();

    expect(await deliver(receiver, orderCreated('evt_1'))).toBe('200 handled');
    expect(runs).toBe(0);
  });

  test('a handler learns that a delivery brought the event', async () => {
    const { receiver } = setUp();
    const contexts: unknown[] = [];
    receiver.on('order.created', (_event, { source, stale, signal }) => {
      contexts.push({ source, stale, ended: signal.aborted });
    });

    await deliver(receiver, orderCreated('evt_1'));

    expect(contexts).toEqual([{ source: 'webhook', stale: false, ended: false }]);
  });
});

describe('duplicates', () => {
  test('an event delivered three times is handled once', async () => {
    const { receiver } = setUp();
    let runs = 0;
    receiver.on('order.created', () => {
      runs += 1;
    });

    const outcomes = [];
    for (let time = 0; time < 3; time += 1) outcomes.push(await deliver(receiver, orderCreated('evt_1')));

    expect(outcomes).toEqual(['200 handled', '200 duplicate', '200 duplicate']);
    expect(runs).toBe(1);
  });

  test('another process that shares the store knows it too', async () => {
    const { receiver, start } = setUp();
    await deliver(receiver, orderCreated('evt_1'));

    expect(await deliver(start(), orderCreated('evt_1'))).toBe('200 duplicate');
  });

  test('receivers of two names get every event, though they share a store', async () => {
    const { receiver, start } = setUp();
    await deliver(receiver, orderCreated('evt_1'));

    expect(await deliver(start({ name: 'accounting' }), orderCreated('evt_1'))).toBe('200 handled');
  });

  test('a handled event is forgotten after rememberMs', async () => {
    const { receiver, clock } = setUp({ rememberMs: 1000 });
    const event = { event_id: 'evt_1', event_type: 'later', data: {} };
    await deliver(receiver, event);

    await clock.advance(1001);

    expect(await deliver(receiver, event)).toBe('200 handled');
  });

  test('a failing handler answers 500, and the next delivery runs it', async () => {
    const { receiver, errors } = setUp();
    let runs = 0;
    receiver.on('order.created', () => {
      runs += 1;
      if (runs === 1) throw new Error('database down');
    });

    expect(await deliver(receiver, orderCreated('evt_1'))).toBe('500 failed');
    expect(await deliver(receiver, orderCreated('evt_1'))).toBe('200 handled');
    expect(await deliver(receiver, orderCreated('evt_1'))).toBe('200 duplicate');
    expect(errors).toEqual([new Error('database down')]);
  });

  test('the same event twice at once runs once, and the second delivery is told to come back', async () => {
    const { receiver } = setUp();
    const handling = gate();
    let runs = 0;
    receiver.on('order.created', () => {
      runs += 1;
      return handling.passed;
    });

    const first = deliver(receiver, orderCreated('evt_1'));
    await settle();
    const body = JSON.stringify(orderCreated('evt_1'));
    const second = await receiver.handle({ body, headers: signPayload(body, SECRET) });
    handling.open();

    expect(second).toMatchObject({ status: 409, outcome: 'busy', headers: { 'retry-after': '5' } });
    expect(await first).toBe('200 handled');
    expect(runs).toBe(1);
  });
});

describe('leases', () => {
  test('an event whose process died is open again after the lease, and then run', async () => {
    const { receiver, start, clock, store } = setUp();
    // What a process that died in a handler leaves behind.
    await store.set('online-ordering:webhooks:default:event:evt_1', 'lease:dead', { ttlMs: 60_000 });
    expect(await deliver(receiver, orderCreated('evt_1'))).toBe('409 busy');

    await clock.advance(60_001);

    expect(await deliver(start(), orderCreated('evt_1'))).toBe('200 handled');
  });

  test('the lease is renewed while a handler runs, so that a slow one is not run twice', async () => {
    const { receiver, start, clock } = setUp();
    const handling = gate();
    receiver.on('order.created', () => handling.passed);
    const first = deliver(receiver, orderCreated('evt_1'));

    await clock.advance(300_000);
    const second = await deliver(start(), orderCreated('evt_1'));
    handling.open();

    expect(second).toBe('409 busy');
    expect(await first).toBe('200 handled');
  });

  test('a handler that takes longer than it may is given up: its signal ends, and the event is open again', async () => {
    const { receiver, start, clock } = setUp({ longestHandlerMs: 120_000 });
    let ended: unknown;
    receiver.on('order.created', (_event, { signal }) => {
      signal.addEventListener('abort', () => {
        ended = signal.reason;
      });
      return new Promise(() => {});
    });
    const first = deliver(receiver, orderCreated('evt_1'));

    await clock.advance(120_001);

    expect(await first).toBe('500 failed');
    expect(ended).toBeInstanceOf(Error);
    expect(await deliver(start(), orderCreated('evt_1'))).toBe('200 handled');
  });

  test('a handler that lost its lease is told by its signal', async () => {
    const { receiver, clock, store } = setUp();
    let signal: AbortSignal | undefined;
    receiver.on('order.created', (_event, context) => {
      signal = context.signal;
      return new Promise(() => {});
    });
    const first = deliver(receiver, orderCreated('evt_1'));
    await settle();
    await store.set('online-ordering:webhooks:default:event:evt_1', 'lease:another');

    await clock.advance(20_001);

    expect(signal?.aborted).toBe(true);
    expect(await first).toBe('500 failed');
    expect(await store.get('online-ordering:webhooks:default:event:evt_1')).toBe('lease:another');
  });

  test('a store that fails is a 500, so that the event comes again', async () => {
    const broken: Store = { ...memoryStore(), setIfAbsent: () => Promise.reject(new Error('store down')) };
    const { receiver, errors } = setUp({ store: broken });

    expect(await deliver(receiver, orderCreated('evt_1'))).toBe('500 failed');
    expect(errors).toEqual([new Error('store down')]);
  });

  test('no timer is left when nothing is being handled', async () => {
    const { receiver, clock } = setUp();
    await deliver(receiver, orderCreated('evt_1'));

    expect([clock.foregroundTimers, clock.backgroundTimers]).toEqual([0, 0]);
  });
});

describe('secrets', () => {
  test('a delivery with another secret is refused as 401, and the reason told', async () => {
    const { receiver, errors } = setUp();
    const body = JSON.stringify(orderCreated('evt_1'));

    const result = await receiver.handle({ body, headers: signPayload(body, 'whsec_stranger') });

    expect(result).toMatchObject({ status: 401, body: '{"outcome":"refused","reason":"no_match"}' });
    expect(errors).toMatchObject([{ reason: 'no_match' }]);
  });

  test('a delivery signed with a retired secret is acknowledged and ignored', async () => {
    const { receiver, errors } = setUp({ retiredSecrets: ['whsec_deleted'] });
    let runs = 0;
    receiver.onAny(() => {
      runs += 1;
    });

    expect(await deliver(receiver, orderCreated('evt_1'), 'whsec_deleted')).toBe('200 retired_secret');
    expect(runs).toBe(0);
    expect(errors).toEqual([]);
    expect(await deliver(receiver, orderCreated('evt_1'))).toBe('200 handled');
  });

  test('secrets given by a function are read at each delivery, so that a rotation needs no restart', async () => {
    let current = ['whsec_old'];
    const { receiver } = setUp({ secrets: async () => current });
    expect(await deliver(receiver, orderCreated('evt_1'), 'whsec_old')).toBe('200 handled');

    current = ['whsec_new', 'whsec_old'];
    expect(await deliver(receiver, orderCreated('evt_2', { order_id: 'o2' }), 'whsec_new')).toBe('200 handled');
    expect(await deliver(receiver, orderCreated('evt_3', { order_id: 'o3' }), 'whsec_old')).toBe('200 handled');

    current = ['whsec_new'];
    expect(await deliver(receiver, orderCreated('evt_4', { order_id: 'o4' }), 'whsec_old')).toBe('401 refused');
  });

  test('secrets that cannot be read are this server’s fault: 500', async () => {
    const { receiver, errors } = setUp({ secrets: () => Promise.reject(new Error('vault sealed')) });

    expect(await deliver(receiver, orderCreated('evt_1'))).toBe('500 failed');
    expect(errors).toEqual([new Error('vault sealed')]);
  });

  test.each([
    ['no secret', { secrets: '' }],
    ['an empty list', { secrets: [] }],
    ['an empty retired secret', { secrets: SECRET, retiredSecrets: [''] }],
    ['a lease of no time', { secrets: SECRET, leaseMs: 0 }],
    ['an unknown ordering', { secrets: SECRET, ordering: 'newest' as never }],
  ])('a receiver with %s is refused when it is made', (_case, options) => {
    expect(() => createWebhookReceiver(options)).toThrow(ConfigurationError);
  });

  test('a receiver shows no secret when it is inspected or written as JSON', () => {
    const { receiver } = setUp({ retiredSecrets: ['whsec_deleted'] });

    expect(`${inspect(receiver, { depth: 9, showHidden: true })} ${JSON.stringify(receiver)}`).not.toContain('whsec_');
  });
});

describe('refusals', () => {
  test.each([
    ['a parsed body', orderCreated('evt_1'), 500, 'body_parsed'],
    ['a body of 1 MiB and a byte', `"${'x'.repeat(1024 * 1024 - 1)}"`, 413, 'body_too_large'],
    ['text that is no JSON', 'event', 400, 'not_json'],
    ['JSON that is no event', '{}', 400, 'not_an_event'],
  ])('%s', async (_case, body, status, reason) => {
    const { receiver } = setUp();
    const headers = signPayload(typeof body === 'string' ? body : 'x', SECRET);

    const result = await receiver.handle({ body, headers });

    expect(result).toMatchObject({ status, reason, outcome: 'refused' });
  });

  test('failures go to the logger while nobody listens, and never with a secret', async () => {
    const lines: unknown[][] = [];
    const receiver = createWebhookReceiver({
      secrets: SECRET,
      logger: { error: (...line: unknown[]) => lines.push(line) },
    });

    await deliver(receiver, orderCreated('evt_1'), 'whsec_stranger');

    expect(lines).toHaveLength(1);
    expect(inspect(lines, { depth: 5 })).toContain('verification failed');
    expect(inspect(lines, { depth: 5 })).not.toContain('whsec_');
  });
});

test('a listener and a logger that throw disturb nothing', async () => {
  const throwing = () => {
    throw new Error('log disk full');
  };
  const unheard = createWebhookReceiver({ secrets: SECRET, logger: { error: throwing } });
  const heard = createWebhookReceiver({ secrets: SECRET });
  heard.onError(throwing);
  heard.onError(() => Promise.reject(new Error('log disk full')));

  for (const receiver of [unheard, heard]) {
    expect(await deliver(receiver, orderCreated('evt_1'), 'whsec_stranger')).toBe('401 refused');
  }
});

describe('two processes', () => {
  test('deliveries of everything to both at once, until each gets 200, are handled once and in order', async () => {
    const { clock, start } = setUp();
    const states = [UNPAID, PAID, 'CONFIRMED|PREPARING|PAID', READY, 'COMPLETED|FULFILLED|PAID'];
    const events = states
      .slice(1)
      .map((state, index) => statusChanged(`evt_${index}`, states[index]!, state, later(index)));
    const running = new Set<string>();
    const written: string[] = [];
    const processes = [start({ ordering: 'latest' }), start({ ordering: 'latest' })];
    for (const process of processes) {
      process.on('order.status_changed', async (event) => {
        expect(running.size).toBe(0);
        running.add(event.event_id);
        await new Promise((resolve) => clock.setTimer(() => resolve(undefined), 30));
        running.delete(event.event_id);
        written.push(event.event_id);
      });
    }

    const untilAccepted = async (receiver: (typeof processes)[0], event: unknown) => {
      for (let attempt = 0; attempt < 20; attempt += 1) {
        const outcome = await deliver(receiver, event);
        if (outcome.startsWith('200')) return;
        await new Promise((resolve) => clock.setTimer(() => resolve(undefined), 1000));
      }
      throw new Error('never accepted');
    };
    const all = Promise.all(
      [...events].reverse().flatMap((event) => processes.map((process) => untilAccepted(process, event))),
    );
    await clock.advance(60_000);
    await all;

    expect(new Set(written).size).toBe(written.length);
    expect([...written].sort()).toEqual(written);
    expect(written.at(-1)).toBe('evt_3');
  });
});

describe('answering before the handlers', () => {
  test('the answer does not wait for handlers, idle does', async () => {
    const { receiver } = setUp({ respond: 'before_handlers' });
    const handling = gate();
    let done = false;
    receiver.on('order.created', async () => {
      await handling.passed;
      done = true;
    });

    expect(await deliver(receiver, orderCreated('evt_1'))).toBe('200 accepted');
    expect(await deliver(receiver, orderCreated('evt_1'))).toBe('409 busy');
    handling.open();
    await receiver.idle();

    expect(done).toBe(true);
    expect(await deliver(receiver, orderCreated('evt_1'))).toBe('200 duplicate');
  });

  test('a failure afterwards reaches onError, and leaves the event undone', async () => {
    const { receiver, errors } = setUp({ respond: 'before_handlers' });
    let runs = 0;
    receiver.on('order.created', () => {
      runs += 1;
      if (runs === 1) throw new Error('database down');
    });

    await deliver(receiver, orderCreated('evt_1'));
    await receiver.idle();
    await deliver(receiver, orderCreated('evt_1'));
    await receiver.idle();

    expect(errors).toEqual([new Error('database down')]);
    expect(runs).toBe(2);
  });
});

describe('order of events', () => {
  const events = [
    statusChanged('evt_1', UNPAID, PAID, later(10)),
    statusChanged('evt_2', PAID, READY, later(20)),
  ] as const;

  test('as delivered, an older event is handed over and marked stale', async () => {
    const { receiver } = setUp();
    const seen: unknown[] = [];
    receiver.on('order.status_changed', (event, { stale }) => {
      seen.push([event.data.current_fulfillment_status, stale]);
    });

    await deliver(receiver, events[1]);
    await deliver(receiver, events[0]);

    expect(seen).toEqual([
      ['READY_FOR_PICKUP', false],
      ['PENDING', true],
    ]);
  });

  test('with ordering latest, an older event is acknowledged and dropped', async () => {
    const { receiver } = setUp({ ordering: 'latest' });
    const seen: unknown[] = [];
    receiver.on('order.status_changed', (event) => seen.push(event.data.current_fulfillment_status));

    expect(await deliver(receiver, events[1])).toBe('200 handled');
    expect(await deliver(receiver, events[0])).toBe('200 stale');
    expect(seen).toEqual(['READY_FOR_PICKUP']);
  });

  test('events of one instant are put in order by their previous values', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const { receiver } = setUp({ ordering: 'latest' });
      let state: unknown;
      receiver.on('order.status_changed', (event) => {
        state = event.data.current_fulfillment_status;
      });
      const sameTime = [
        statusChanged('evt_1', UNPAID, PAID, '2026-01-15T14:30:00Z'),
        statusChanged('evt_2', PAID, READY, '2026-01-15T14:30:00Z'),
      ];

      for (const index of order) await deliver(receiver, sameTime[index]);

      expect(state).toBe('READY_FOR_PICKUP');
    }
  });

  test('an older event whose handler is slow cannot overwrite the newer state', async () => {
    const { receiver } = setUp({ ordering: 'latest' });
    const slow = gate();
    const written: unknown[] = [];
    receiver.on('order.status_changed', async (event) => {
      if (event.event_id === 'evt_1') await slow.passed;
      written.push(event.data.current_fulfillment_status);
    });

    const first = deliver(receiver, events[0]);
    await settle();
    const second = deliver(receiver, events[1]);
    await settle();
    slow.open();

    expect([await first, await second]).toEqual(['200 handled', '200 handled']);
    expect(written).toEqual(['PENDING', 'READY_FOR_PICKUP']);
  });

  test('a delivery does not wait for another of the same order for ever: after 2 seconds it is told to come back', async () => {
    const { receiver, clock } = setUp();
    const slow = gate();
    receiver.on('order.status_changed', () => slow.passed);
    const first = deliver(receiver, events[0]);
    await settle();
    const second = deliver(receiver, events[1]);

    await clock.advance(2001);

    expect(await second).toBe('409 busy');
    slow.open();
    expect(await first).toBe('200 handled');
    expect(await deliver(receiver, events[1])).toBe('200 handled');
  });

  test('after the cancellation no older status is handed over, and its reason is', async () => {
    const { receiver } = setUp({ ordering: 'latest' });
    const seen: unknown[] = [];
    receiver.onAny((event) => seen.push(event.event_type));
    const cancelled = {
      event_id: 'evt_3',
      event_type: 'order.cancelled',
      created_at: later(30),
      data: { order_id: ORDER_ID, location_id: LOCATION_ID, reason: 'changed my mind', cancelled_at: later(30) },
    };

    await deliver(receiver, cancelled);
    await deliver(receiver, events[0]);
    await deliver(receiver, statusChanged('evt_4', PAID, 'CANCELLED|CANCELLED|PAID', later(30)));

    expect(seen).toEqual(['order.cancelled', 'order.status_changed']);
  });

  test('order.created is handed over even when it comes late, and says that its status is outdated', async () => {
    const { receiver } = setUp({ ordering: 'latest' });
    const stale: unknown[] = [];
    receiver.on('order.created', (_event, context) => stale.push(context.stale));

    await deliver(receiver, events[0]);
    await deliver(receiver, orderCreated('evt_0'));

    expect(stale).toEqual([true]);
  });

  test('of a stock event only the items that are not outdated are handed over', async () => {
    const { receiver } = setUp({ ordering: 'latest' });
    const seen: unknown[] = [];
    receiver.on('stock.updated', (event, { received }) => {
      seen.push([event.data.items.map((item) => item.item_id), (received.data as typeof event.data).items.length]);
    });

    await deliver(receiver, stockUpdated('evt_2', ['a', 'OUT_OF_STOCK', 'IN_STOCK', later(20)]));
    await deliver(
      receiver,
      stockUpdated('evt_1', ['a', 'IN_STOCK', 'OUT_OF_STOCK', later(10)], ['b', 'IN_STOCK', 'LOW_STOCK', later(10)]),
    );

    expect(seen).toEqual([
      [['a'], 1],
      [['b'], 2],
    ]);
  });

  test('an item that goes out, in and out again is three changes, even within one second', async () => {
    const { receiver } = setUp({ ordering: 'latest' });
    const seen: unknown[] = [];
    receiver.on('stock.updated', (event) => seen.push(event.data.items[0]?.current_status));

    await deliver(receiver, stockUpdated('evt_1', ['a', 'IN_STOCK', 'OUT_OF_STOCK', AT]));
    await deliver(receiver, stockUpdated('evt_2', ['a', 'OUT_OF_STOCK', 'IN_STOCK', AT]));
    await deliver(receiver, stockUpdated('evt_3', ['a', 'IN_STOCK', 'OUT_OF_STOCK', AT]));

    expect(seen).toEqual(['OUT_OF_STOCK', 'IN_STOCK', 'OUT_OF_STOCK']);
  });

  test('an older menu version, and older hours for the same date, are dropped', async () => {
    const { receiver } = setUp({ ordering: 'latest' });
    const hours = (eventId: string, effectiveDate: string | null, changedAt: string) => ({
      event_id: eventId,
      event_type: 'location.hours_changed',
      created_at: changedAt,
      data: {
        location_id: LOCATION_ID,
        previous_hours: [],
        current_hours: [{ day_of_week: 'MONDAY', open_time: eventId, close_time: '22:00', is_closed: false }],
        effective_date: effectiveDate,
        changed_at: changedAt,
      },
    });

    const outcomes = [];
    for (const event of [
      menuChanged('evt_2', 'sha256:b', later(20)),
      menuChanged('evt_1', 'sha256:a', later(10)),
      hours('evt_4', null, later(20)),
      hours('evt_3', null, later(10)),
      hours('evt_5', '2026-02-01', later(5)),
    ]) {
      outcomes.push(await deliver(receiver, event));
    }

    expect(outcomes).toEqual(['200 handled', '200 stale', '200 handled', '200 stale', '200 handled']);
  });

  test('an item called __proto__ is an item', async () => {
    const { receiver } = setUp({ ordering: 'latest' });

    await deliver(receiver, stockUpdated('evt_2', ['__proto__', 'IN_STOCK', 'OUT_OF_STOCK', later(20)]));

    expect(await deliver(receiver, stockUpdated('evt_1', ['__proto__', 'IN_STOCK', 'LOW_STOCK', AT]))).toBe(
      '200 stale',
    );
    expect(({} as { state?: unknown }).state).toBeUndefined();
  });
});
