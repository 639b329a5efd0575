import { describe } from 'vitest';
import { hasWindow, itemsOf } from '../support/catalogue.js';
import type { Cart, Menu, MenuItem } from '../support/records.js';
import { expectRefusal, expectStatus, unprocessable } from '../support/shapes.js';
import { addItem, createCart, findItem, HANDOFFS, openLocation, openShop, requestFor } from '../support/shop.js';
import { type ControlledTarget, needs, openMock } from '../support/target.js';

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

function shifted(time: string, minutes: number): string {
  const [hour, minute] = time.split(':').map(Number);
  const total = (hour! * 60 + minute! + minutes + 1440) % 1440;
  return `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`;
}

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
