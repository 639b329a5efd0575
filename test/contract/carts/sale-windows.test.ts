import { describe, test } from 'vitest';
import { hasWindow, itemsOf } from '../support/catalogue.js';
import { CannotTry } from '../support/live.js';
import type { Cart, Menu, MenuItem } from '../support/records.js';
import { expectRefusal, expectStatus, unprocessable } from '../support/shapes.js';
import { addItem, createCart, findItem, HANDOFFS, openLocation, openShop, requestFor } from '../support/shop.js';
import { type ControlledTarget, isLive, needs, openMock, openTarget } from '../support/target.js';

const needsWindow = needs('the clock');

/** The mock, its clock moved to a time of day at the location. */
async function atLocalTime(
  controlled: ControlledTarget,
  pick: (item: MenuItem) => string,
): Promise<{ cart: Cart; item: MenuItem }> {
  const { target, mock, advance } = controlled;
  const location = await openLocation(target);
  const item = await findItem(target, location.id, 'an item with sale hours', hasWindow);
  await advance(`${secondsUntil(pick(item), mock.clock.now(), location.timezone)}s`);
  return { cart: await createCart(target, location.id), item };
}

/** Seconds from `nowMs` until the clocks of a zone next show `time`. */
function secondsUntil(time: string, nowMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit' });
  const [hour, minute, second] = format.format(nowMs).split(':').map(Number);
  const [thenHour, thenMinute] = time.split(':').map(Number);
  const seconds = (thenHour! * 60 + thenMinute!) * 60 - ((hour! * 60 + minute!) * 60 + second!);
  return (seconds + 86_400) % 86_400;
}

const minutesOf = (time: string): number => {
  const [hour, minute] = time.split(':').map(Number);
  return hour! * 60 + minute!;
};

function shifted(time: string, minutes: number): string {
  const [hour, minute] = time.split(':').map(Number);
  const total = (hour! * 60 + minute! + minutes + 1440) % 1440;
  return `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`;
}

describe('Sale windows at the time of the test', () => {
  /** The time of day at a location, by a record that the service wrote: minutes after midnight. */
  const minutesNow = (cart: Cart, timeZone: string): number => {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    return minutesOf(format.format(Date.parse(cart.updated_at)));
  };
  const isOpenAt = (item: MenuItem, minutes: number): boolean => {
    const [start, end] = [minutesOf(item.daily_sales_start_time!), minutesOf(item.daily_sales_end_time!)];
    return start < end ? minutes >= start && minutes < end : minutes >= start || minutes < end;
  };
  // A minute may pass between the reading of the time and the request.
  const isSettled = (item: MenuItem, minutes: number): boolean =>
    isOpenAt(item, (minutes + 1438) % 1440) === isOpenAt(item, (minutes + 2) % 1440);

  async function itemThatIs(what: 'on sale' | 'off sale') {
    const target = openTarget();
    const location = await openLocation(target);
    const cart = await createCart(target, location.id);
    const minutes = minutesNow(cart, location.timezone);
    const isWanted = (item: MenuItem): boolean =>
      hasWindow(item) && isSettled(item, minutes) && isOpenAt(item, minutes) === (what === 'on sale');
    const item = await findItem(target, location.id, `an item with sale hours that is ${what} now`, isWanted).catch(
      (error: unknown) => {
        // A mock begins at a time of day at which one of the two is not there; the rows below move its clock.
        if (isLive || !(error instanceof CannotTry)) throw error;
      },
    );
    return { target, cart, item };
  }

  test('Cart rules 1 (gap MENU-8): an item whose hours it is now is sold', async () => {
    const { target, cart, item } = await itemThatIs('on sale');

    if (item) expectStatus(await target.post(`/carts/${cart.id}/items`, requestFor(item)), 201);
  });

  test('Cart rules 1, Errors 422: an item whose hours it is not now is not available', async () => {
    const { target, cart, item } = await itemThatIs('off sale');

    const answer = item && (await target.post(`/carts/${cart.id}/items`, requestFor(item)));

    if (answer) expectRefusal(answer, unprocessable('Item is not available'));
  });
});

describe('Sale windows', () => {
  needsWindow.each([
    ['at its start', (item: MenuItem) => item.daily_sales_start_time!],
    ['one minute before its end', (item: MenuItem) => shifted(item.daily_sales_end_time!, -1)],
  ])('Cart rules 1 (gap MENU-8): an item is sold %s, in local time', async (_case, pick) => {
    const controlled = openMock();
    const { cart, item } = await atLocalTime(controlled, pick);

    expectStatus(await controlled.target.post(`/carts/${cart.id}/items`, requestFor(item)), 201);
  });

  needsWindow.each([
    ['one minute before its start', (item: MenuItem) => shifted(item.daily_sales_start_time!, -1)],
    ['at its end', (item: MenuItem) => item.daily_sales_end_time!],
  ])('Cart rules 1, Errors 422: an item is not available %s, in local time', async (_case, pick) => {
    const controlled = openMock();
    const { cart, item } = await atLocalTime(controlled, pick);

    expectRefusal(
      await controlled.target.post(`/carts/${cart.id}/items`, requestFor(item)),
      unprocessable('Item is not available'),
    );
  });

  needsWindow('Cart rules 6: an item whose hours ended is not checked out', async () => {
    const controlled = openMock();
    const { cart, item } = await atLocalTime(controlled, (breakfast) => shifted(breakfast.daily_sales_end_time!, -1));
    await addItem(controlled.target, cart.id, requestFor(item));
    await controlled.advance('2m');

    const answer = await controlled.target.post(`/carts/${cart.id}/checkout`, { handoff_mode: HANDOFFS.PICKUP });

    expectRefusal(answer, unprocessable('Item is not available'));
  });
});

/** A mock at a time of day of the location, with a plain item that is sold between the given times. */
async function soldBetween(start: string | null, end: string | null, at: string) {
  const controlled = openMock();
  const { target, mock, advance } = controlled;
  const { location, plain } = await openShop(target);
  await mock.menu.update(location.id, (menu) => {
    const item = itemsOf(menu as Menu).find(({ id }) => id === plain.id)!;
    item.daily_sales_start_time = start;
    item.daily_sales_end_time = end;
  });
  await advance(`${secondsUntil(at, mock.clock.now(), location.timezone)}s`);
  const cart = await createCart(target, location.id);
  return target.post<Cart>(`/carts/${cart.id}/items`, requestFor(plain));
}

describe('Windows of other shapes (gap MENU-8)', () => {
  needsWindow.each([
    ['22:00', '02:00', '22:00'],
    ['22:00', '02:00', '23:59'],
    ['22:00', '02:00', '00:30'],
    ['22:00', '02:00', '01:59'],
    ['10:00', null, '10:00'],
    ['10:00', null, '23:59'],
    [null, '10:00', '00:00'],
    [null, '10:00', '09:59'],
    [null, null, '03:00'],
  ])('Resources, MenuItem: an item sold from %s to %s is available at %s', async (start, end, at) => {
    expectStatus(await soldBetween(start, end, at), 201);
  });

  needsWindow.each([
    ['22:00', '02:00', '21:59'],
    ['22:00', '02:00', '02:00'],
    ['22:00', '02:00', '12:00'],
    ['10:00', null, '09:59'],
    ['10:00', null, '00:00'],
    [null, '10:00', '10:00'],
    [null, '10:00', '22:00'],
  ])('Errors 422: an item sold from %s to %s is not available at %s', async (start, end, at) => {
    expectRefusal(await soldBetween(start, end, at), unprocessable('Item is not available'));
  });
});
