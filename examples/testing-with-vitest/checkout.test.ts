import { OnlineOrdering } from 'online-ordering-sdk';
import { createMockService } from 'online-ordering-sdk/mock';
import { expect, test } from 'vitest';
import { checkOutAtShownPrice } from './checkout.js';

test('price changed between calculation and checkout', async () => {
  const service = createMockService();
  const client = new OnlineOrdering({ ...service.credentials, dispatcher: service.dispatcher, clock: service.clock });
  const { locations, cartItems, items } = service.samples;
  const cart = await client.carts.create({ location_id: locations.downtown });
  await client.carts.items.add(cart.id, cartItems.turkeySub);
  await client.carts.setHandoff(cart.id, { mode: 'PICKUP' });
  const shown = await client.carts.calculate(cart.id);

  service.menu.update(locations.downtown, (menu) => {
    const item = menu.categories.flatMap((category) => category.items).find(({ id }) => id === items.turkeySub)!;
    item.base_price.amount += 100;
  });
  const outcome = await checkOutAtShownPrice(client, shown);

  // One dollar more, and the tax of 8.25 % on it.
  expect(outcome).toEqual({ kind: 'price_changed', shown: 821, now: 929, reasons: ['ITEM_PRICE_CHANGED'] });
  expect(service.orders()).toEqual([]);
});
