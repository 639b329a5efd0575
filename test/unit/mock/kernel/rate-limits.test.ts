import { describe, expect, test } from 'vitest';
import { openService } from '../open-service.js';

const off = { perKey: false, perLocation: false, reads: false, writes: false, inventory: false } as const;

async function statuses(count: number, call: () => Promise<{ status: number }>): Promise<number[]> {
  const seen: number[] = [];
  for (let index = 0; index < count; index += 1) seen.push((await call()).status);
  return seen;
}

describe('The rate limits', () => {
  test('refuse with 429 and the whole seconds until the next minute begins', async () => {
    const { call, service } = await openService({ rateLimits: { ...off, reads: 2 } });
    await call('GET /orders');
    await service.clock.advance(18_500);

    await call('GET /orders');
    const refused = await call('GET /orders');

    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: 'RATE_LIMIT_ERROR', message: 'Rate limit exceeded' } },
    });
    expect(refused.headers.get('retry-after')).toBe('42');
    await service.clock.advance('42s');
    expect((await call('GET /orders')).status).toBe(200);
  });

  test('count each endpoint of a partner on its own', async () => {
    const { call, service, tokenOf } = await openService({ rateLimits: { ...off, reads: 1 } });
    const token = await tokenOf(service.partners.add());

    expect(await statuses(2, () => call('GET /orders'))).toEqual([200, 429]);
    expect((await call('GET /webhooks')).status).toBe(200);
    expect((await call('GET /orders', { token })).status).toBe(200);
  });

  test('count writes apart from reads', async () => {
    const { call, service } = await openService({ rateLimits: { ...off, writes: 1 } });
    const body = { location_id: service.samples.locations.downtown };

    expect(await statuses(2, () => call('POST /carts', { body }))).toEqual([201, 429]);
    expect(await statuses(2, () => call('GET /orders'))).toEqual([200, 200]);
  });

  test('count a location over all its endpoints', async () => {
    const { call, service } = await openService({ rateLimits: { ...off, perLocation: 2 } });
    const { downtown, harbor } = service.samples.locations;

    await call(`GET /locations/${downtown}`);
    await call(`GET /locations/${downtown}/menu/metadata`);

    expect((await call(`GET /locations/${downtown}/inventory`)).status).toBe(429);
    expect((await call(`GET /locations/${harbor}/inventory`)).status).toBe(200);
  });

  test('count everything that one partner asks', async () => {
    const { call } = await openService({ rateLimits: { ...off, perKey: 2 } });

    await call('GET /orders');
    await call('GET /webhooks');

    expect((await call('GET /locations')).status).toBe(429);
  });

  test('let the inventory be read more often', async () => {
    const { call, service } = await openService({ rateLimits: { ...off, reads: 1, inventory: 3 } });
    const path = `GET /locations/${service.samples.locations.downtown}/inventory`;

    expect(await statuses(4, () => call(path))).toEqual([200, 200, 200, 429]);
  });

  test('allow 20 token requests a minute, right or wrong', async () => {
    const { call, service } = await openService();
    const body = { grant_type: 'CLIENT_CREDENTIALS', client_id: service.credentials.clientId, client_secret: 'wrong' };
    const ask = () => call('POST /auth/token', { token: null, body });

    // One was used up by the service's own partner.
    expect(await statuses(20, ask)).toEqual([...Array<number>(19).fill(401), 429]);
    expect((await ask()).body.error.message).toBe('Too many token requests');
  });

  test('do not count what they refuse', async () => {
    const { call, service } = await openService({ rateLimits: { ...off, reads: 1, perKey: 3 } });
    await statuses(5, () => call('GET /orders'));

    expect(await statuses(3, () => call(`GET /locations/${service.samples.locations.downtown}`))).toEqual([
      200, 429, 429,
    ]);
    expect((await call('GET /webhooks')).status).toBe(200);
  });

  test('are the documented figures unless told otherwise, and can be switched off', async () => {
    const [limited, unlimited] = [await openService(), await openService({ rateLimits: false })];

    expect((await statuses(241, () => limited.call('GET /webhooks'))).slice(-2)).toEqual([200, 429]);
    expect((await statuses(241, () => unlimited.call('GET /webhooks'))).at(-1)).toBe(200);
  });
});
