import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../../src/platform/clock.js';
import { AT, deliver, later, menuChanged, orderCreated, statusChanged } from '../../../support/records/events.js';
import { ORDER_ID } from '../../../support/records/ids.js';
import { afterFirstLook, setUp } from '../reconciler-set-up.js';

const UNPAID = 'PENDING|PENDING|UNPAID';
const PAID = 'CONFIRMED|PENDING|PAID';
const DONE = 'COMPLETED|FULFILLED|PAID';
const RETURNED = 'COMPLETED|RETURNED|PAID';
const DAY = 86_400;

describe('changes that come late', () => {
  test('a return is found weeks after the order was completed, and told once', async () => {
    const { reconciler, service, seen, clock } = await afterFirstLook();
    service.order(ORDER_ID, DONE, later(600));
    await reconciler.runOnce();
    seen.length = 0;

    for (let day = 1; day <= 40; day += 1) {
      await clock.advance(DAY * 1000);
      if (day === 38) service.order(ORDER_ID, RETURNED, later(38 * DAY));
      service.order(`other ${day}`, DONE, later(day * DAY), later(day * DAY));
      await reconciler.runOnce();
    }

    expect(seen.filter((line) => line.includes('RETURNED'))).toEqual([`r ${RETURNED}`]);
    expect(seen.filter((line) => line === 'r order.created')).toHaveLength(40);
  });

  test('a return of an order older than the reconciler is told as a change of status alone', async () => {
    const { reconciler, service, seen, clock } = await afterFirstLook({}, (service) => {
      service.order('old', DONE, later(-20 * DAY), later(-20 * DAY));
      service.order('returned before', RETURNED, later(-3 * DAY), later(-9 * DAY));
    });
    service.order('old', RETURNED, later(DAY), later(-20 * DAY));
    await clock.advance(DAY * 1000);

    await reconciler.runOnce();
    await reconciler.runOnce();

    expect(seen).toEqual([`r ${RETURNED}`]);
  });

  test('an order that stays open for two weeks is found when it ends', async () => {
    const { reconciler, service, seen, clock } = await afterFirstLook();
    service.order(ORDER_ID, PAID, later(10));
    await reconciler.runOnce();
    for (let day = 1; day <= 16; day += 1) {
      await clock.advance(DAY * 1000);
      service.order(`other ${day}`, DONE, later(day * DAY), later(day * DAY));
      if (day === 15) service.order(ORDER_ID, DONE, later(15 * DAY));
      if (day === 15) seen.length = 0;
      await reconciler.runOnce();
    }

    expect(seen.filter((line) => line === `r ${DONE}`)).toHaveLength(3);
  });
});

test('an order that ends just after it has grown too old for the lists of open orders is found', async () => {
  const { reconciler, service, seen, clock } = await afterFirstLook();
  service.order(ORDER_ID, PAID, later(10), later(10));
  await reconciler.runOnce();
  await clock.advance(7 * DAY * 1000);
  // Read while it is still among the open ones; the look at past orders has just been made.
  service.order('one', DONE, later(7 * DAY), later(7 * DAY));
  await reconciler.runOnce();
  service.order('two', DONE, later(7 * DAY + 60), later(7 * DAY + 60));
  await reconciler.runOnce();
  seen.length = 0;
  service.order(ORDER_ID, 'COMPLETED|FULFILLED|PAID', later(7 * DAY + 120), later(10));
  await reconciler.runOnce();
  await clock.advance(1.1 * DAY * 1000);
  await reconciler.runOnce();

  expect(seen).toEqual([`r ${DONE}`]);
});

describe('two clocks', () => {
  test.each([-7_200_000, -120_000, 0, 120_000, 7_200_000])(
    'with a clock that is %d ms off, an order made after the first run is created, one made before is not',
    async (offMs) => {
      const { start, clock, service, seen } = setUp();
      clock.step(offMs);
      service.order('before', UNPAID, later(0), later(0));
      await start().reconciler.runOnce();
      service.order('at the same instant', UNPAID, later(0), later(0));
      service.order('after', UNPAID, later(60), later(60));

      await start().reconciler.runOnce();

      expect(seen).toEqual(['r order.created', 'r order.created']);
    },
  );

  test('an order of an account that had none is created', async () => {
    const { reconciler, service, seen } = await afterFirstLook();
    service.order(ORDER_ID, UNPAID, later(-500), later(-500));

    await reconciler.runOnce();

    expect(seen).toEqual(['r order.created']);
  });

  test('a change that has no time of its own is recognised when its delivery is dated after the reading', async () => {
    const { reconciler, receiver, service, seen, clock } = await afterFirstLook();
    clock.step(-7_200_000);
    service.order(ORDER_ID, PAID, later(10));
    Reflect.deleteProperty(service.orders.get(ORDER_ID)!, 'updated_at');
    await reconciler.runOnce();

    expect(await deliver(receiver, statusChanged('evt_2', UNPAID, PAID, later(3600)))).toBe('200 duplicate');
    expect(seen).toEqual(['r order.created', `r ${PAID}`]);
  });

  test('processes whose clocks differ by an hour still share the runs', async () => {
    const { start, clock, service } = setUp();
    const behind: Clock = {
      now: () => clock.now() - 3_600_000,
      monotonic: () => clock.monotonic(),
      setTimer: (...given) => clock.setTimer(...given),
    };
    start({ random: () => 0.1 }).reconciler.start();
    start({ random: () => 0.2, clock: behind }).reconciler.start();

    await clock.advance(560_000);

    expect(service.reads.filter((read) => read.startsWith('metadata'))).toHaveLength(3);
  });
});

describe('times that differ by little', () => {
  test.each([0, 3, 900, -3])('a delivery dated %d ms after the record that was read is recognised', async (ms) => {
    const { reconciler, receiver, service, seen } = await afterFirstLook();
    service.order(ORDER_ID, PAID, later(10));
    await reconciler.runOnce();

    const event = statusChanged('evt_2', UNPAID, PAID, later(10 + ms / 1000));

    expect(await deliver(receiver, event)).toBe('200 duplicate');
    expect(seen).toEqual(['r order.created', `r ${PAID}`]);
  });

  test.each([3, 900])('so is one dated %d ms after it when a later state was told before', async (ms) => {
    const { reconciler, receiver, service, seen } = await afterFirstLook();
    service.order(ORDER_ID, PAID, later(10));
    await reconciler.runOnce();
    await deliver(receiver, statusChanged('evt_3', PAID, 'CONFIRMED|IN_PROGRESS|PAID', later(600)));

    const event = statusChanged('evt_2', UNPAID, PAID, later(10 + ms / 1000));

    expect(await deliver(receiver, event)).toBe('200 duplicate');
    expect(seen.filter((line) => line.endsWith(PAID))).toHaveLength(1);
  });

  test('a state that came back within that time after another one is handled', async () => {
    const { reconciler, receiver, service, seen } = await afterFirstLook();
    service.order(ORDER_ID, PAID, later(10));
    await reconciler.runOnce();
    await deliver(receiver, statusChanged('evt_2', PAID, UNPAID, later(10.5)));

    await deliver(receiver, statusChanged('evt_3', UNPAID, PAID, later(11)));

    expect(seen.slice(2)).toEqual([`w ${UNPAID}`, `w ${PAID}`]);
  });

  test('of A, B, A between two readings, both late deliveries of A are recognised', async () => {
    const { reconciler, receiver, service } = await afterFirstLook({ ordering: 'latest' });
    await deliver(receiver, orderCreated('evt_1'));
    service.order(ORDER_ID, PAID, later(30));
    await reconciler.runOnce();

    const late = [
      await deliver(receiver, statusChanged('evt_2', UNPAID, PAID, later(10))),
      await deliver(receiver, statusChanged('evt_3', PAID, UNPAID, later(20))),
      await deliver(receiver, statusChanged('evt_4', UNPAID, PAID, later(30))),
    ];

    expect(late).toEqual(['200 duplicate', '200 stale', '200 duplicate']);
  });

  test('a time written as .000 is exact: events of one second are put in order by it', async () => {
    const { receiver, seen } = setUp({ ordering: 'latest' });
    const second = '2026-01-15T14:30:10';
    await deliver(receiver, menuChanged('evt_1', 'sha256:b', `${second}.400Z`));

    expect(await deliver(receiver, menuChanged('evt_2', 'sha256:a', `${second}.000Z`))).toBe('200 stale');
    expect(seen).toEqual(['w sha256:b']);
  });
});

describe('hours', () => {
  const monday = (open: string, close: string) => ({
    day_of_week: 'MONDAY' as const,
    open_time: open,
    close_time: close,
    is_closed: false,
  });

  test('hours that changed and were not announced are told with those before', async () => {
    const { reconciler, receiver, service, seen, clock } = await afterFirstLook({}, (service) => {
      service.location = { timezone: 'UTC', business_hours: [monday('06:00', '22:00')] };
    });
    const events: unknown[] = [];
    receiver.on('location.hours_changed', ({ data }) => events.push(data));
    await clock.advance(40 * DAY * 1000);
    service.location = { timezone: 'UTC', business_hours: [monday('08:00', '20:00')] };

    await reconciler.runOnce();
    await reconciler.runOnce();

    expect(seen).toEqual(['r location.hours_changed']);
    expect(events).toMatchObject([
      { previous_hours: [monday('06:00', '22:00')], current_hours: [monday('08:00', '20:00')], effective_date: null },
    ]);
  });

  test.each([
    ['at once', null],
    ['for that day', '2026-01-15'],
    ['for a later day', '2026-01-18'],
  ])('hours that an event announced %s are not told again', async (_when, date) => {
    const { reconciler, receiver, service, seen, clock } = await afterFirstLook({}, (service) => {
      service.location = { timezone: 'UTC', business_hours: [monday('06:00', '22:00')] };
    });
    await deliver(receiver, {
      event_id: 'evt_1',
      event_type: 'location.hours_changed',
      created_at: AT,
      data: {
        location_id: '5f0c2a7e-6c1d-4a52-9b2e-0d7d3b1f8a01',
        previous_hours: [monday('06:00', '22:00')],
        current_hours: [monday('08:00', '20:00')],
        effective_date: date,
        changed_at: AT,
      },
    });
    if (date === '2026-01-18') await reconciler.runOnce();
    await clock.advance(5 * DAY * 1000);
    service.location = { timezone: 'UTC', business_hours: [monday('08:00', '20:00')] };

    await reconciler.runOnce();
    await reconciler.runOnce();

    expect(seen).toEqual(['w location.hours_changed']);
  });

  test('a delivery that comes after the reconciler found the hours is recognised', async () => {
    const { reconciler, receiver, service } = await afterFirstLook({}, (service) => {
      service.location = { timezone: 'UTC', business_hours: [monday('06:00', '22:00')] };
    });
    service.location = { timezone: 'UTC', business_hours: [monday('08:00', '20:00')] };
    await reconciler.runOnce();

    const outcome = await deliver(receiver, {
      event_id: 'evt_1',
      event_type: 'location.hours_changed',
      created_at: later(7200),
      data: {
        location_id: '5f0c2a7e-6c1d-4a52-9b2e-0d7d3b1f8a01',
        current_hours: [monday('08:00', '20:00')],
        changed_at: later(7200),
      },
    });

    expect(outcome).toBe('200 duplicate');
  });
});

describe('polling limits', () => {
  // AT is a Thursday.
  const closed = { timezone: 'UTC', business_hours: [] as never[] };

  test('menu and stock of a closed location are read every 30 minutes, of an open one every 5', async () => {
    const closedAllDay = [{ day_of_week: 'THURSDAY' as const, open_time: '', close_time: '', is_closed: true }];
    const perHour = [];
    for (const hours of [closedAllDay, closed.business_hours]) {
      const { reconciler, clock, service } = setUp();
      service.location = { timezone: 'UTC', business_hours: hours };
      reconciler.start();
      await clock.advance(3_600_000);
      perHour.push(service.reads.filter((read) => read.startsWith('metadata')).length);
      expect(service.reads.filter((read) => read === 'locations').length).toBeLessThanOrEqual(3);
      await reconciler.stop();
    }

    expect(perHour).toEqual([2, 12]);
  });

  test('a run that is asked for reads closed locations too, unless it takes only what is due', async () => {
    const { reconciler, service } = setUp();
    const closedAllDay = [{ day_of_week: 'THURSDAY' as const, open_time: '', close_time: '', is_closed: true }];
    service.location = { timezone: 'UTC', business_hours: closedAllDay };
    const reads = () => service.reads.filter((read) => read.startsWith('metadata')).length;

    await reconciler.runOnce();
    await reconciler.runOnce();
    expect(reads()).toBe(2);
    await reconciler.runOnce({ onlyDue: true });
    expect(reads()).toBe(2);
  });

  test('resources that are left out are not read', async () => {
    const { start, service } = setUp();

    await start({ resources: ['stock'] }).reconciler.runOnce();

    expect(service.reads).toEqual(['locations', expect.stringContaining('inventory')]);
    expect(() => start({ resources: ['menu' as never] })).toThrow('orders, menus, stock, hours');
  });
});

describe('runs', () => {
  test('a run in which nothing could be read leaves no mark, so that another process runs', async () => {
    const { start, clock, service } = setUp();
    for (const name of ['locations', 'orders', 'newest']) service.fail.set(name, new Error('503'));
    start({ random: () => 0.1 }).reconciler.start();
    await clock.advance(2_000);
    service.fail.clear();
    start({ random: () => 0.2 }).reconciler.start();
    await clock.advance(3_000);

    expect(service.reads.some((read) => read.startsWith('metadata'))).toBe(true);
  });

  test('a stopped reconciler leaves no listener on its signal', async () => {
    const { start } = setUp();
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(signal, given);
    };
    signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(signal, given);
    };

    await start({ signal }).reconciler.stop();

    expect(listeners).toBe(0);
  });
});

describe('costs', () => {
  test('4,000 unchanged items cost little more than eight times what 500 cost', async () => {
    const times: number[] = [];
    for (const count of [500, 4_000]) {
      const { reconciler, service } = setUp();
      for (let item = 0; item < count; item += 1) service.item(`item ${item}`, 'IN_STOCK', AT);
      await reconciler.runOnce();
      await reconciler.runOnce();
      // Of the processor: a busy machine takes the time of some.
      const before = process.cpuUsage();
      for (let time = 0; time < 3; time += 1) await reconciler.runOnce();
      times.push(process.cpuUsage(before).user);
    }

    // Quadratic, it was more than 60 times.
    expect(times[1]! / times[0]!).toBeLessThan(25);
  });

  test('one stock.updated of 4,000 items is handled within a fraction of a second', async () => {
    const { receiver, seen } = setUp();
    const items = Array.from({ length: 4_000 }, (_, item) => ({
      item_id: `item ${item}`,
      previous_status: 'IN_STOCK',
      current_status: 'OUT_OF_STOCK',
      updated_at: AT,
    }));
    const event = {
      event_id: 'evt_1',
      event_type: 'stock.updated',
      created_at: AT,
      data: { location_id: 'l1', items },
    };
    const before = process.cpuUsage();

    await deliver(receiver, event);

    expect(seen).toHaveLength(1);
    // The processor's time, not the wall's: other processes of the machine must not decide.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(250);
  });

  test('of many completed orders a run reads the new and the open ones, and the whole day once an hour', async () => {
    const { reconciler, clock, service } = setUp();
    const at = (minute: number) => later(minute * 60);
    for (let order = 0; order < 1_000; order += 1) service.order(`o${order}`, DONE, at(order), at(order));
    await clock.advance(1_000 * 60_000);
    await reconciler.runOnce({ onlyDue: true });
    let listed = 0;
    const { list } = service.client.orders;
    service.client.orders.list = async function* (query) {
      for await (const order of list(query)) {
        listed += 1;
        yield order;
      }
    };

    await reconciler.runOnce({ onlyDue: true });

    expect(listed).toBeLessThan(20);
    await clock.advance(3_600_000);
    await reconciler.runOnce({ onlyDue: true });
    expect(listed).toBeGreaterThan(900);
  });

  test('eleven chosen locations have their orders read in one list, without those of other locations', async () => {
    const { start, service, seen } = setUp();
    const locations = Array.from({ length: 11 }, (_, place) => `l${place}`);
    const { reconciler } = start({ locations });
    await reconciler.runOnce();
    for (const [id, location] of [
      ['o1', 'l3'],
      ['o2', 'elsewhere'],
    ] as const) {
      service.order(id, UNPAID, later(20), later(20));
      service.orders.get(id)!.location_id = location;
    }
    service.reads.length = 0;

    await reconciler.runOnce();

    expect(seen).toEqual(['r order.created']);
    expect(service.reads.filter((read) => read.startsWith('orders')).length).toBeLessThanOrEqual(3);
  });

  test('the orders of a location that is chosen later are noted before they are told', async () => {
    const { start, service, seen } = setUp();
    const locations = Array.from({ length: 11 }, (_, place) => `l${place}`);
    const { reconciler } = start({ locations: () => locations });
    await reconciler.runOnce();
    service.order('o1', UNPAID, later(20), later(20));
    service.orders.get('o1')!.location_id = 'l20';
    locations.push('l20');
    await reconciler.runOnce();
    service.order('o1', PAID, later(40), later(20));
    service.orders.get('o1')!.location_id = 'l20';

    await reconciler.runOnce();

    expect(seen).toEqual([`r ${PAID}`]);
  });
});
