import { beforeEach, expect, test, vi } from 'vitest';
import { openService } from '../open-service.js';

const priced = vi.hoisted(() => ({ times: 0 }));

vi.mock(import('../../../../src/mock/rules/pricing.js'), async (original) => {
  const real = await original();
  return {
    ...real,
    priceCart: (request) => {
      priced.times += 1;
      return real.priceCart(request);
    },
  };
});

beforeEach(() => {
  priced.times = 0;
});

test('a cart is priced once for each request that changes it, and not at all to be read', async () => {
  const { service, call } = await openService();
  const { body: cart } = await call('POST /carts', { body: { location_id: service.samples.locations.downtown } });
  const timesOf = async (endpoint: string, body?: unknown): Promise<number> => {
    priced.times = 0;
    const answer = await call(endpoint, body === undefined ? {} : { body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return priced.times;
  };

  expect(await timesOf(`POST /carts/${cart.id}/items`, service.samples.cartItems.turkeySub)).toBe(1);
  expect(await timesOf(`POST /carts/${cart.id}/promo-codes`, { code: 'SUMMER25' })).toBe(1);
  expect(await timesOf(`PUT /carts/${cart.id}/handoff`, { mode: 'PICKUP' })).toBe(1);
  expect(await timesOf(`GET /carts/${cart.id}`)).toBe(0);
  expect(await timesOf(`GET /carts/${cart.id}/promo-codes/validate?code=TAKE3`)).toBe(0);
  expect(await timesOf(`POST /carts/${cart.id}/calculate`)).toBe(1);
  expect(await timesOf(`POST /carts/${cart.id}/checkout`, {})).toBe(1);
});
