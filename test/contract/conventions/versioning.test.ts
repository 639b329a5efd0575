import { describe, expect, test } from 'vitest';
import type { Page } from '../support/records.js';
import { expectRefusal, expectStatus, notFound } from '../support/shapes.js';
import { filledCart, HANDOFFS, openLocation, placeOrder } from '../support/shop.js';
import { needs, openMock, openTarget, Target } from '../support/target.js';

describe('The base address', () => {
  test('Versioning 1: the base address ends with /v1/online-ordering', () => {
    expect(openTarget().credentials.baseUrl).toMatch(/\/v1\/online-ordering$/);
  });

  test('General conventions: the base address is https, loopback excepted', () => {
    const { protocol, hostname } = new URL(openTarget().credentials.baseUrl);

    expect(protocol === 'https:' || ['127.0.0.1', 'localhost'].includes(hostname)).toBe(true);
  });

  needs('other paths')('Versioning 1: another major version is not found', async () => {
    const { target, mock } = openMock();
    const baseUrl = target.credentials.baseUrl.replace('/v1/', '/v2/');
    const other = new Target({ ...target.credentials, baseUrl }, mock.fetch);

    expectRefusal(await other.get('/orders', { token: await target.token() }), notFound());
  });

  test('General conventions: a path outside the version is not found', async () => {
    const { status } = await openTarget().get('/v1/orders');

    expect(status).toBe(404);
  });
});

describe('Names and values', () => {
  const isSnakeCase = (name: string): boolean => /^[a-z0-9]+(_[a-z0-9]+)*$/.test(name);

  function namesIn(value: unknown): string[] {
    if (Array.isArray(value)) return value.flatMap(namesIn);
    if (value === null || typeof value !== 'object') return [];
    return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
  }

  const documents: readonly (readonly [string, (target: Target) => Promise<unknown>])[] = [
    ['a page of locations', async (target) => (await target.get<Page<unknown>>('/locations')).body],
    ['a menu', async (target) => (await target.get(`/locations/${(await openLocation(target)).id}/menu`)).body],
    [
      'an inventory',
      async (target) => (await target.get(`/locations/${(await openLocation(target)).id}/inventory`)).body,
    ],
    ['a cart', async (target) => (await filledCart(target)).cart],
    [
      'a calculation',
      async (target) =>
        (await target.post(`/carts/${(await filledCart(target)).cart.id}/calculate`, undefined, { key: null })).body,
    ],
    ['an order', async (target) => placeOrder(target)],
    ['a page of orders', async (target) => (await target.get('/orders')).body],
    ['an error', async (target) => (await target.get('/orders/one')).body],
  ];

  test.each(documents)('General conventions: the field names of %s are snake_case', async (_case, read) => {
    // The keys of minimum_order_amounts are mode names (gap LOC-3), values rather than names.
    const modes = new Set(Object.keys(HANDOFFS));

    const names = namesIn(await read(openTarget())).filter((name) => !modes.has(name));

    expect(names.filter((name) => !isSnakeCase(name))).toEqual([]);
  });

  test.each(documents)('Resources, Money: every amount in %s is an integer of minor units', async (_case, read) => {
    const amounts = moneyIn(await read(openTarget()));

    for (const money of amounts) expect([Number.isInteger(money.amount), money.currency]).toEqual([true, 'USD']);
  });

  function moneyIn(value: unknown): { amount: unknown; currency: unknown }[] {
    if (Array.isArray(value)) return value.flatMap(moneyIn);
    if (value === null || typeof value !== 'object') return [];
    if ('amount' in value && 'currency' in value) return [value as { amount: unknown; currency: unknown }];
    return Object.values(value).flatMap(moneyIn);
  }

  test('General conventions: requests with fields that the document does not name pass, a handoff excepted', async () => {
    const target = openTarget();
    const { id } = await openLocation(target);

    expectStatus(await target.post('/carts', { location_id: id, note: 'a field of a later version' }), 201);
  });

  test('General conventions: responses are JSON', async () => {
    expect((await openTarget().get('/locations')).headers.get('content-type')).toMatch(/^application\/json/);
  });
});
