import { type PriceChange, RequestValidationError } from 'online-ordering-sdk';
import { createMockService, type MockService } from 'online-ordering-sdk/mock';
import { describe, expect, test } from 'vitest';
import { clientOf } from './order-to-pay.js';

const CALCULATE = 'POST /carts/{cart_id}/calculate';

async function filledCart() {
  const service = createMockService({ rateLimits: false });
  const client = clientOf(service);
  const cartId = await service.clock.runUntil(
    (async () => {
      const cart = await client.carts.create({ location_id: service.samples.locations.downtown });
      await client.carts.items.add(cart.id, service.samples.cartItems.turkeySub);
      return cart.id;
    })(),
  );
  return { service, client, cartId };
}

/** The store changes the price of the sandwich right after the next `times` calculations. */
function raisePriceAfterCalculation(service: MockService, times: number): void {
  let left = times;
  service.onRequest(({ method, route }) => {
    if (`${method} ${route}` !== CALCULATE || left === 0) return;
    left -= 1;
    service.menu.update(service.samples.locations.downtown, (menu) => {
      for (const { items } of menu.categories) {
        for (const item of items) if (item.id === service.samples.items.turkeySub) item.base_price.amount += 100;
      }
    });
  });
}

const handoff_mode = { mode: 'PICKUP' } as const;

describe('a checkout with a price guard', () => {
  test('checks out at the price that was calculated', async () => {
    const { service, client, cartId } = await filledCart();

    const result = await service.clock.runUntil(client.carts.checkoutWithPrice(cartId, { handoff_mode }));

    expect(result.status).toBe('CHECKED_OUT');
    expect(result.status === 'CHECKED_OUT' && result.checkout.total).toEqual(
      result.status === 'CHECKED_OUT' && result.price.total,
    );
    expect(service.orders()).toHaveLength(1);
  });

  test('shows before, after and the reasons of a change, and goes on when it is accepted', async () => {
    const { service, client, cartId } = await filledCart();
    raisePriceAfterCalculation(service, 1);
    const changes: PriceChange[] = [];

    const result = await service.clock.runUntil(
      client.carts.checkoutWithPrice(cartId, {
        handoff_mode,
        onPriceChange: (change) => {
          changes.push(change);
          return 'accept';
        },
      }),
    );

    expect(result.status).toBe('CHECKED_OUT');
    expect(changes).toHaveLength(1);
    const [{ before, after, changeReasons }] = changes as [PriceChange];
    expect(after.total.amount).toBeGreaterThan(before.total.amount);
    expect(changeReasons).toEqual(['ITEM_PRICE_CHANGED']);
    expect(service.orders()[0]?.total).toEqual(after.total);
  });

  test('leaves the cart as it is when a change is not accepted', async () => {
    const { service, client, cartId } = await filledCart();
    raisePriceAfterCalculation(service, 1);

    const result = await service.clock.runUntil(
      client.carts.checkoutWithPrice(cartId, { handoff_mode, onPriceChange: () => 'stop' }),
    );

    expect(result).toMatchObject({ status: 'STOPPED', reason: 'not_accepted', change: { round: 1 } });
    expect(service.orders()).toHaveLength(0);
    const cart = await service.clock.runUntil(client.carts.retrieve(cartId));
    expect(cart.status).toBe('ACTIVE');
  });

  test('stops at a change when nobody is asked', async () => {
    const { service, client, cartId } = await filledCart();
    raisePriceAfterCalculation(service, 1);

    const result = await service.clock.runUntil(client.carts.checkoutWithPrice(cartId, { handoff_mode }));

    expect(result).toMatchObject({ status: 'STOPPED', reason: 'not_accepted' });
    expect(service.orders()).toHaveLength(0);
  });

  test('gives up after maxRounds changes', async () => {
    const { service, client, cartId } = await filledCart();
    raisePriceAfterCalculation(service, 9);

    const result = await service.clock.runUntil(
      client.carts.checkoutWithPrice(cartId, { handoff_mode, onPriceChange: () => 'accept', maxRounds: 2 }),
    );

    expect(result).toMatchObject({ status: 'STOPPED', reason: 'max_rounds', change: { round: 3 } });
    expect(service.orders()).toHaveLength(0);
  });

  test('compares with the price that the customer saw, when it is given', async () => {
    const { service, client, cartId } = await filledCart();
    await service.clock.runUntil(client.carts.setHandoff(cartId, handoff_mode));
    const shown = await service.clock.runUntil(client.carts.calculate(cartId));
    raisePriceAfterCalculation(service, 1);
    await service.clock.runUntil(client.carts.calculate(cartId));

    const result = await service.clock.runUntil(client.carts.checkoutWithPrice(cartId, { shown }));

    expect(result).toMatchObject({ status: 'STOPPED', change: { before: { total: shown.total } } });
  });

  test('takes back no other refusal', async () => {
    const { service, client, cartId } = await filledCart();

    const run = service.clock.runUntil(client.carts.checkoutWithPrice(cartId));

    await expect(run).rejects.toMatchObject({ name: 'UnprocessableEntityError', scenario: 'handoff_missing' });
  });

  test('ends with its deadline, also while the customer thinks', async () => {
    const { service, client, cartId } = await filledCart();
    raisePriceAfterCalculation(service, 1);
    const think = () => new Promise<'accept'>((resolve) => service.clock.setTimer(() => resolve('accept'), 60_000));

    const run = client.carts.checkoutWithPrice(cartId, { handoff_mode, onPriceChange: think, deadline: 30_000 });

    await expect(service.clock.runUntil(run)).rejects.toMatchObject({ name: 'DeadlineExceededError' });
    expect(service.orders()).toHaveLength(0);
  });

  test('refuses an answer that is a slip', async () => {
    const { service, client, cartId } = await filledCart();
    raisePriceAfterCalculation(service, 1);

    const run = client.carts.checkoutWithPrice(cartId, { handoff_mode, onPriceChange: () => true as never });

    await expect(service.clock.runUntil(run)).rejects.toBeInstanceOf(RequestValidationError);
  });
});
