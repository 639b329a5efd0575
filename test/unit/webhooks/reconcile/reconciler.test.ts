import { describe, expect, expectTypeOf, test } from 'vitest';
import type { OnlineOrdering } from '../../../../src/index.js';
import { memoryStore } from '../../../../src/stores/memory.js';
import { ConfigurationError, type ReconcilerClient } from '../../../../src/webhooks/index.js';
import {
  AT,
  deliver,
  later,
  menuChanged,
  orderCreated,
  statusChanged,
  stockUpdated,
} from '../../../support/records/events.js';
import { LOCATION_ID, ORDER_ID } from '../../../support/records/ids.js';
import { afterFirstLook, setUp } from '../reconciler-set-up.js';

const UNPAID = 'PENDING|PENDING|UNPAID';
const PROCESSING = 'PENDING|PENDING|PROCESSING';
const PAID = 'CONFIRMED|PENDING|PAID';
const READY = 'CONFIRMED|READY_FOR_PICKUP|PAID';
const DONE = 'COMPLETED|FULFILLED|PAID';
const CANCELLED = 'CANCELLED|CANCELLED|PAID';

test('a client of the SDK is one that a reconciler takes', () => {
  expectTypeOf<OnlineOrdering>().toExtend<ReconcilerClient>();
});

describe('orders', () => {
  test('the first look notes what is there, and tells nobody', async () => {
    const { reconciler, service, seen } = setUp();
    service.order(ORDER_ID, PAID, later(-3600), later(-7200));
    service.item('a', 'OUT_OF_STOCK', AT);

    expect(await reconciler.runOnce()).toEqual({ handled: 0, failures: [], skipped: undefined });
    expect(await reconciler.runOnce()).toMatchObject({ handled: 0 });
    expect(seen).toEqual([]);
  });

  test('an order of which no delivery told is created, and has its status', async () => {
    const { reconciler, service, seen } = await afterFirstLook();
    service.order(ORDER_ID, PAID, later(20));

    const report = await reconciler.runOnce();

    expect(report.handled).toBe(2);
    expect(seen).toEqual(['r order.created', `r ${PAID}`]);
  });

  test('what it tells has the shape of the delivery that was lost', async () => {
    const { reconciler, receiver, service } = await afterFirstLook();
    const events: unknown[] = [];
    receiver.on('order.status_changed', (event) => events.push(event));
    receiver.on('order.created', (event) => events.push(event));
    service.order(ORDER_ID, PAID, later(20));

    await reconciler.runOnce();

    expect(events).toEqual([
      {
        known: true,
        event_id: `reconciled:order:${ORDER_ID}:created`,
        event_type: 'order.created',
        created_at: '2026-01-15T14:30:00.250Z',
        data: {
          order_id: ORDER_ID,
          location_id: LOCATION_ID,
          status: 'PENDING',
          handoff_mode: 'PICKUP',
          total: { amount: 1250, currency: 'USD' },
          created_at: '2026-01-15T14:30:00.250Z',
        },
      },
      {
        known: true,
        event_id: `reconciled:order:${ORDER_ID}:CONFIRMED|PENDING|PAID:1768487420250`,
        event_type: 'order.status_changed',
        created_at: '2026-01-15T14:30:20.250Z',
        data: {
          order_id: ORDER_ID,
          location_id: LOCATION_ID,
          previous_status: 'PENDING',
          current_status: 'CONFIRMED',
          previous_fulfillment_status: 'PENDING',
          current_fulfillment_status: 'PENDING',
          previous_payment_status: 'UNPAID',
          current_payment_status: 'PAID',
          changed_at: '2026-01-15T14:30:20.250Z',
        },
      },
    ]);
  });

  test('what deliveries told is not told again', async () => {
    const { reconciler, receiver, service, seen } = await afterFirstLook();
    service.order(ORDER_ID, PAID, later(10));
    await deliver(receiver, orderCreated('evt_1'));
    await deliver(receiver, statusChanged('evt_2', UNPAID, PAID, later(10)));

    expect((await reconciler.runOnce()).handled).toBe(0);
    expect(seen).toEqual(['w order.created', `w ${PAID}`]);
  });

  test('a delivery that comes late is recognised, and not handled again', async () => {
    const { reconciler, receiver, service, seen } = await afterFirstLook();
    service.order(ORDER_ID, PAID, later(10));
    await reconciler.runOnce();

    expect(await deliver(receiver, orderCreated('evt_1'))).toBe('200 duplicate');
    expect(await deliver(receiver, statusChanged('evt_2', UNPAID, PAID, later(10)))).toBe('200 duplicate');
    expect(seen).toEqual(['r order.created', `r ${PAID}`]);
  });

  test('it is recognised too when the order was touched again after the change, by a refund', async () => {
    const { reconciler, receiver, service, seen } = await afterFirstLook();
    service.order(ORDER_ID, PAID, later(600));
    await reconciler.runOnce();

    expect(await deliver(receiver, statusChanged('evt_2', UNPAID, PAID, later(10)))).toBe('200 duplicate');
    expect(seen).toEqual(['r order.created', `r ${PAID}`]);
  });

  test('it is recognised too when the service writes one of the times in whole seconds', async () => {
    const { reconciler, receiver, service } = await afterFirstLook();
    service.order(ORDER_ID, PAID, '2026-01-15T14:30:10Z');
    await reconciler.runOnce();

    expect(await deliver(receiver, statusChanged('evt_2', UNPAID, PAID, '2026-01-15T14:30:10.730Z'))).toBe(
      '200 duplicate',
    );
  });

  test('a state that came back later is another change', async () => {
    const { reconciler, receiver, service, seen } = await afterFirstLook();
    service.order(ORDER_ID, PROCESSING, later(10));
    await reconciler.runOnce();

    await deliver(receiver, statusChanged('evt_2', PROCESSING, UNPAID, later(20)));
    await deliver(receiver, statusChanged('evt_3', UNPAID, PROCESSING, later(30)));

    expect(seen).toEqual(['r order.created', `r ${PROCESSING}`, `w ${UNPAID}`, `w ${PROCESSING}`]);
  });

  test('the steps in between that the reconciler never saw are handled when they come, or dropped with ordering latest', async () => {
    for (const [ordering, outcome] of [
      ['as_delivered', '200 handled'],
      ['latest', '200 stale'],
    ] as const) {
      const { reconciler, receiver, service } = await afterFirstLook({ ordering });
      service.order(ORDER_ID, READY, later(30));
      await reconciler.runOnce();

      expect(await deliver(receiver, statusChanged('evt_2', UNPAID, PAID, later(10)))).toBe(outcome);
      expect(await deliver(receiver, statusChanged('evt_3', PAID, READY, later(30)))).toBe('200 duplicate');
    }
  });

  test('a change whose delivery failed is handled by the next run, and its repetition dropped', async () => {
    const { reconciler, receiver, service, seen } = await afterFirstLook();
    await deliver(receiver, orderCreated('evt_1'));
    let isDown = true;
    receiver.on('order.status_changed', () => {
      if (isDown) throw new Error('database down');
    });
    service.order(ORDER_ID, PAID, later(10));
    expect(await deliver(receiver, statusChanged('evt_2', UNPAID, PAID, later(10)))).toBe('500 failed');
    isDown = false;

    expect((await reconciler.runOnce()).handled).toBe(1);
    expect(await deliver(receiver, statusChanged('evt_2', UNPAID, PAID, later(10)))).toBe('200 duplicate');
    expect(seen.filter((line) => line.startsWith('r'))).toEqual([`r ${PAID}`]);
  });

  test('a reading that a delivery has overtaken changes nothing', async () => {
    const { reconciler, receiver, service, seen } = await afterFirstLook();
    await deliver(receiver, orderCreated('evt_1'));
    await deliver(receiver, statusChanged('evt_2', UNPAID, PAID, later(10)));
    await deliver(receiver, statusChanged('evt_3', PAID, READY, later(20)));
    service.order(ORDER_ID, PAID, later(10));

    expect((await reconciler.runOnce()).handled).toBe(0);
    expect(seen.at(-1)).toBe(`w ${READY}`);
  });

  test('a cancellation is told with its reason, together with the status', async () => {
    const { reconciler, receiver, service, seen } = await afterFirstLook();
    await deliver(receiver, orderCreated('evt_1'));
    service.order(ORDER_ID, CANCELLED, later(40));
    service.orders.get(ORDER_ID)!.cancellation_reason = 'changed my mind';
    const reasons: unknown[] = [];
    receiver.on('order.cancelled', (event) => reasons.push(event.data.reason));

    await reconciler.runOnce();

    expect(seen).toEqual(['w order.created', `r ${CANCELLED}`, 'r order.cancelled']);
    expect(reasons).toEqual(['changed my mind']);
    expect((await reconciler.runOnce()).handled).toBe(0);
  });

  test('a kiosk order that begins at PREPARING has not changed', async () => {
    const { reconciler, service, seen } = await afterFirstLook();
    service.order(ORDER_ID, 'PENDING|PREPARING|UNPAID', AT);
    service.orders.get(ORDER_ID)!.handoff_mode = 'KIOSK';

    await reconciler.runOnce();

    expect(seen).toEqual(['r order.created']);
  });

  test('an order that ended after the window of a day is found by its absence among the open ones', async () => {
    const { reconciler, receiver, service, seen, clock } = await afterFirstLook();
    await deliver(receiver, orderCreated('evt_1'));
    await deliver(receiver, statusChanged('evt_2', UNPAID, PAID, later(10)));
    service.order(ORDER_ID, PAID, later(10));
    await reconciler.runOnce();
    for (let hour = 0; hour < 30; hour += 1) {
      await clock.advance(3_600_000);
      service.order('another', PAID, later(hour * 3600), later(hour * 3600));
      await reconciler.runOnce();
    }
    seen.length = 0;

    service.order(ORDER_ID, DONE, later(30 * 3600));
    service.reads.length = 0;
    await reconciler.runOnce();

    expect(service.reads).toContain(`order ${ORDER_ID}`);
    expect(seen).toEqual([`r ${DONE}`]);
  });

  test('after a pause of three days everything since the last run is looked at', async () => {
    const { start, service, seen, clock } = await afterFirstLook();
    service.order('o1', DONE, later(4 * 3600), later(2 * 3600));
    await clock.advance(3 * 86_400_000);

    await start().reconciler.runOnce();

    expect(seen).toEqual(['r order.created', `r ${DONE}`]);
  });

  test('with since, the first run of all handles what was created later', async () => {
    const { start, service, seen } = setUp();
    service.order('old', PAID, later(-3000), later(-7200));
    service.order('new', PAID, later(-3000), later(-3500));

    await start({ since: later(-3600) }).reconciler.runOnce();

    expect(seen).toEqual(['r order.created', `r ${PAID}`]);
  });

  test('an order that is settled is not looked up in the store at every run', async () => {
    const { reconciler, service, store } = await afterFirstLook();
    service.order(ORDER_ID, PAID, later(10));
    await reconciler.runOnce();
    const keys: string[] = [];
    const get = store.get;
    store.get = (key) => {
      keys.push(key);
      return get(key);
    };

    await reconciler.runOnce();

    expect(keys.filter((key) => key.includes('known:order'))).toEqual([]);
  });
});

describe('stock', () => {
  test('an item that goes out, in and out again is three changes, whoever tells of them', async () => {
    const { reconciler, receiver, service, seen } = await afterFirstLook({}, (service) =>
      service.item('a', 'IN_STOCK', AT),
    );
    const out1 = stockUpdated('evt_1', ['a', 'IN_STOCK', 'OUT_OF_STOCK', later(10)]);
    const in2 = stockUpdated('evt_2', ['a', 'OUT_OF_STOCK', 'IN_STOCK', later(20)]);
    const out3 = stockUpdated('evt_3', ['a', 'IN_STOCK', 'OUT_OF_STOCK', later(30)]);

    service.item('a', 'OUT_OF_STOCK', later(10));
    await reconciler.runOnce();
    service.item('a', 'IN_STOCK', later(20));
    await deliver(receiver, in2);
    await reconciler.runOnce();
    service.item('a', 'OUT_OF_STOCK', later(30));
    await reconciler.runOnce();
    const late = [await deliver(receiver, out3), await deliver(receiver, out1)];

    expect(seen).toEqual(['r a OUT_OF_STOCK', 'w a IN_STOCK', 'r a OUT_OF_STOCK']);
    expect(late).toEqual(['200 duplicate', '200 duplicate']);
  });

  test('an item that is no longer listed is out of stock, and back when it is listed again', async () => {
    const { reconciler, service, seen } = await afterFirstLook({}, (service) => {
      service.item('a', 'IN_STOCK', AT);
      service.item('b', 'IN_STOCK', AT);
    });

    const listed = service.inventory.get('a')!;
    for (let time = 0; time < 2; time += 1) {
      service.inventory.delete('a');
      await reconciler.runOnce();
      await reconciler.runOnce();
      service.inventory.set('a', listed);
      await reconciler.runOnce();
    }

    expect(seen).toEqual(['r a OUT_OF_STOCK', 'r a IN_STOCK', 'r a OUT_OF_STOCK', 'r a IN_STOCK']);
  });

  test('the events of an item that vanishes twice are two events', async () => {
    const { reconciler, receiver, service } = await afterFirstLook({}, (service) => service.item('a', 'IN_STOCK', AT));
    const ids = new Set<string>();
    receiver.on('stock.updated', (event) => ids.add(event.event_id));
    const listed = service.inventory.get('a')!;

    for (let time = 0; time < 2; time += 1) {
      service.inventory.delete('a');
      await reconciler.runOnce();
      service.inventory.set('a', listed);
      await reconciler.runOnce();
    }

    expect(ids.size).toBe(4);
  });

  test('all items that changed at a location are one event, a new item among them', async () => {
    const { reconciler, service, seen } = await afterFirstLook({}, (service) => {
      service.item('a', 'IN_STOCK', AT);
      service.item('b', 'IN_STOCK', AT);
    });
    service.item('a', 'LOW_STOCK', later(10));
    service.item('c', 'IN_STOCK', later(10));

    await reconciler.runOnce();

    expect(seen).toEqual(['r a LOW_STOCK, c IN_STOCK']);
  });

  test('of a late delivery only the items that nobody handled are handed over', async () => {
    const { reconciler, receiver, service, seen } = await afterFirstLook({}, (service) => {
      service.item('a', 'IN_STOCK', AT);
      service.item('b', 'IN_STOCK', AT);
    });
    service.item('a', 'OUT_OF_STOCK', later(10));
    await reconciler.runOnce();

    await deliver(
      receiver,
      stockUpdated('evt_1', ['a', 'IN_STOCK', 'OUT_OF_STOCK', later(10)], ['b', 'IN_STOCK', 'LOW_STOCK', later(10)]),
    );

    expect(seen).toEqual(['r a OUT_OF_STOCK', 'w b LOW_STOCK']);
  });

  test('an inventory that could not be read to its end makes nothing unavailable', async () => {
    const { reconciler, service, seen } = await afterFirstLook({}, (service) => service.item('a', 'IN_STOCK', AT));
    service.fail.set('inventory', new Error('429'));

    const report = await reconciler.runOnce();

    expect(seen).toEqual([]);
    expect(report.failures).toEqual([{ resource: `stock of ${LOCATION_ID}`, error: new Error('429') }]);
  });
});

describe('menus', () => {
  test('a new version is told once, and its late delivery dropped; the old version coming back is another change', async () => {
    const { reconciler, receiver, service, seen } = await afterFirstLook();
    service.menu('sha256:b', later(10));
    await reconciler.runOnce();
    expect(await deliver(receiver, menuChanged('evt_1', 'sha256:b', later(10)))).toBe('200 duplicate');

    service.menu('sha256:a', later(20));
    await reconciler.runOnce();
    await reconciler.runOnce();

    expect(seen).toEqual(['r sha256:b', 'r sha256:a']);
  });
});

describe('runs', () => {
  test('one resource that fails does not stop the others, and is reported', async () => {
    const { reconciler, service, seen, errors } = await afterFirstLook();
    service.fail.set('orders', new Error('500'));
    service.menu('sha256:b', later(10));

    const report = await reconciler.runOnce();

    expect(report).toEqual({
      handled: 1,
      failures: [{ resource: 'orders', error: new Error('500') }],
      skipped: undefined,
    });
    expect(seen).toEqual(['r sha256:b']);
    expect(errors).toEqual([new Error('500')]);
  });

  test('a handler that fails for one order does not keep others from theirs, and is run again', async () => {
    const { reconciler, receiver, service, seen } = await afterFirstLook();
    let isDown = true;
    receiver.on('order.created', (event) => {
      if (isDown && event.data.order_id === 'o1') throw new Error('database down');
    });
    service.order('o1', UNPAID, AT);
    service.order('o2', UNPAID, AT);

    const failed = await reconciler.runOnce();
    isDown = false;
    const repeated = await reconciler.runOnce();

    expect(failed).toMatchObject({ handled: 1, failures: [{ resource: 'order o1' }] });
    expect(repeated).toMatchObject({ handled: 1, failures: [] });
    expect(seen).toHaveLength(3);
  });

  test('a reconciler in a new process goes on where the last one was', async () => {
    const { start, service, seen } = await afterFirstLook({}, (service) => {
      service.order(ORDER_ID, PAID, later(-3600), later(-7200));
      service.item('a', 'IN_STOCK', AT);
    });
    service.order(ORDER_ID, READY, later(10), later(-7200));
    service.item('a', 'OUT_OF_STOCK', later(10));

    await start().reconciler.runOnce();

    expect(seen).toEqual([`r ${READY}`, 'r a OUT_OF_STOCK']);
  });

  test('chosen locations are asked for one by one', async () => {
    const { start, service } = setUp();

    await start({ locations: async () => ['l1', 'l2'] }).reconciler.runOnce();

    expect(service.reads.filter((read) => !read.includes('order'))).toEqual([
      'location l1',
      'location l2',
      'metadata l1',
      'inventory l1',
      'metadata l2',
      'inventory l2',
    ]);
  });

  test('it runs every five minutes with jitter, one run at a time, and holds no process', async () => {
    const { reconciler, clock, service } = setUp();
    reconciler.start();
    expect([clock.foregroundTimers, clock.backgroundTimers]).toEqual([0, 1]);

    await clock.advance(5_000);
    expect(service.reads.filter((read) => read === 'orders all')).toHaveLength(1);
    await clock.advance(299_999);
    expect(service.reads.filter((read) => read === 'orders all')).toHaveLength(1);
    await clock.advance(1);
    expect(service.reads.filter((read) => read === 'orders all')).toHaveLength(2);
    await reconciler.stop();
    expect([clock.foregroundTimers, clock.backgroundTimers]).toEqual([0, 0]);
  });

  test('of two processes only one reads within five minutes', async () => {
    const { start, clock, service } = setUp();
    start({ random: () => 0.1 }).reconciler.start();
    start({ random: () => 0.2 }).reconciler.start();

    await clock.advance(270_000);

    expect(service.reads.filter((read) => read === 'orders all')).toHaveLength(1);
  });

  test('runs that are asked for at once are one run', async () => {
    const { reconciler, start, service } = setUp();

    const [first, second, elsewhere] = await Promise.all([
      reconciler.runOnce(),
      reconciler.runOnce(),
      start().reconciler.runOnce(),
    ]);

    expect(first).toBe(second);
    expect(elsewhere.skipped).toBe('running_elsewhere');
    expect(service.reads.filter((read) => read === 'orders all')).toHaveLength(1);
  });

  test('a signal stops it, also before it began', async () => {
    const { start, clock, service } = setUp();
    const controller = new AbortController();
    const { reconciler } = start({ signal: controller.signal });
    reconciler.start();
    controller.abort();

    await clock.advance(3_600_000);

    expect(service.reads).toEqual([]);
    expect([clock.foregroundTimers, clock.backgroundTimers]).toEqual([0, 0]);
    expect(await reconciler.runOnce()).toMatchObject({ skipped: 'stopped' });
  });

  test('a run that fails as a whole does not end the later ones', async () => {
    const { reconciler, clock, service, store, errors } = setUp();
    const { setIfAbsent } = store;
    store.setIfAbsent = () => Promise.reject(new Error('store down'));
    reconciler.start();
    await clock.advance(5_000);
    store.setIfAbsent = setIfAbsent;

    await clock.advance(300_000);

    expect(errors).toEqual([new Error('store down')]);
    expect(service.reads.filter((read) => read === 'orders all')).toHaveLength(1);
  });

  test('a store other than the receiver’s, and a time between runs that is none, are refused', () => {
    const { start } = setUp();

    expect(() => start({ store: memoryStore() })).toThrow(ConfigurationError);
    expect(() => start({ everyMs: 0 })).toThrow(ConfigurationError);
  });
});
