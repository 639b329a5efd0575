import { describe, expect, test } from 'vitest';
import type { Page } from '../support/records.js';
import { expectRefusal, expectStatus } from '../support/shapes.js';
import { everyLocation, openLocation } from '../support/shop.js';
import {
  type Answer,
  type ControlledTarget,
  type MockOptions,
  needs,
  openMock,
  openTarget,
  type Target,
} from '../support/target.js';

const LIMITED = { status: 429, code: 'RATE_LIMIT_ERROR' } as const;
const needsLimits = needs('low limits');

/** Sends until the service refuses, and gives that answer. */
async function untilRefused(
  send: () => Promise<Answer<unknown>>,
  most = 40,
): Promise<{ refused: Answer<unknown>; served: number }> {
  for (let served = 0; served < most; served += 1) {
    const answer = await send();
    if (answer.status === 429) return { refused: answer, served };
    expect(answer.status, answer.text).toBeLessThan(300);
  }
  throw new Error(`The service served ${most} requests without refusing one.`);
}

function retryAfter(answer: Answer<unknown>): number {
  const value = answer.headers.get('retry-after');
  expect(value).toMatch(/^\d+$/);
  return Number(value);
}

/** A mock with one tier so low that a few requests reach it. */
function lowered(rateLimits: Exclude<MockOptions['rateLimits'], false | undefined>): ControlledTarget {
  return openMock({ rateLimits });
}

const read = (target: Target) => () => target.get<Page<unknown>>('/orders');

describe('Tiers', () => {
  needsLimits('Rate limits: per API key, over all endpoints together', async () => {
    const { target } = lowered({ perKey: 6 });
    const paths = ['/orders', '/locations', '/webhooks'];
    let next = 0;

    const { refused } = await untilRefused(() => target.get(paths[next++ % paths.length]!));

    expectRefusal(refused, { ...LIMITED, message: 'Rate limit exceeded' });
    expect(retryAfter(refused)).toBeGreaterThan(0);
  });

  needsLimits('Rate limits: per API key: another partner is not slowed down', async () => {
    const { target, mock } = lowered({ perKey: 6 });
    await untilRefused(read(target));
    const other = mock.partners.add();
    const { Target: OtherTarget } = await import('../support/target.js');

    expectStatus(await new OtherTarget({ ...target.credentials, ...other }, mock.fetch).get('/orders'), 200);
  });

  needsLimits('Rate limits: per location, on endpoints of one location', async () => {
    const { target } = lowered({ perLocation: 6 });
    const [first, second] = await everyLocation(target);
    const paths = ['', '/menu/metadata', '/inventory'];
    let next = 0;

    const { refused } = await untilRefused(() => target.get(`/locations/${first!.id}${paths[next++ % paths.length]}`));

    expectRefusal(refused, LIMITED);
    expect(retryAfter(refused)).toBeGreaterThan(0);
    expectStatus(await target.get(`/locations/${second!.id}/menu/metadata`), 200);
  });

  needsLimits('Rate limits: per location: endpoints of no location go on', async () => {
    const { target } = lowered({ perLocation: 6 });
    const [first] = await everyLocation(target);
    await untilRefused(() => target.get(`/locations/${first!.id}/menu/metadata`));

    expectStatus(await target.get('/orders'), 200);
  });

  needsLimits('Rate limits: per endpoint, for reads', async () => {
    const { target } = lowered({ reads: 5 });

    const { refused, served } = await untilRefused(read(target));

    expectRefusal(refused, LIMITED);
    expect(served).toBe(5);
  });

  needsLimits('Rate limits: per endpoint: another endpoint goes on', async () => {
    const { target } = lowered({ reads: 5 });
    await untilRefused(read(target));

    expectStatus(await target.get('/webhooks'), 200);
  });

  needsLimits('Rate limits: per endpoint, for writes', async () => {
    const { target } = lowered({ writes: 4 });
    const { id } = await openLocation(target);

    const { refused, served } = await untilRefused(() => target.post('/carts', { location_id: id }));

    expectRefusal(refused, LIMITED);
    expect(served).toBe(4);
  });

  needsLimits('Rate limits: the inventory endpoint has a limit of its own', async () => {
    const { target } = lowered({ inventory: 5 });
    const { id } = await openLocation(target);

    const { refused, served } = await untilRefused(() => target.get(`/locations/${id}/inventory`));

    expectRefusal(refused, LIMITED);
    expect(served).toBe(5);
  });

  needsLimits('Rate limits, Authentication 4: too many token requests are refused', async () => {
    const { target } = lowered({ token: 3 });

    const { refused } = await untilRefused(() => target.requestToken());

    expectRefusal(refused, { ...LIMITED, message: 'Too many token requests' });
    expect(retryAfter(refused)).toBeGreaterThan(0);
  });
});

describe('Retry-After', () => {
  needsLimits('Limits, Retry-After: after that many seconds the request is served', async () => {
    const { target, mock } = lowered({ reads: 5 });
    const { refused } = await untilRefused(read(target));
    await mock.clock.advance(`${retryAfter(refused)}s`);

    expectStatus(await target.get('/orders'), 200);
  });

  needsLimits('Limits, Retry-After: a second before, it is still refused', async () => {
    const { target, mock } = lowered({ reads: 5 });
    const { refused } = await untilRefused(read(target));
    const seconds = retryAfter(refused);
    expect(seconds).toBeGreaterThan(1);
    await mock.clock.advance(`${seconds - 1}s`);

    expectStatus(await target.get('/orders'), 429);
  });

  needsLimits('Idempotency rules 3: a write that was refused by rate is executed with the same key later', async () => {
    const { target, mock } = lowered({ writes: 2 });
    const { id } = await openLocation(target);
    const key = '5a6e2a44-93d1-4c9e-8b61-2f0c9c3b7d10';
    const send = () => target.post('/carts', { location_id: id }, { key });
    await target.post('/carts', { location_id: id });
    await target.post('/carts', { location_id: id });
    const refused = await send();
    expectStatus(refused, 429);
    await mock.clock.advance(`${retryAfter(refused)}s`);

    expectStatus(await send(), 201);
  });
});

describe('The default figures of the mock (gap LIM-1)', () => {
  needsLimits.each([
    ['reads of an endpoint', 240, (target: Target) => target.get('/orders')],
    ['token requests', 20, (target: Target) => target.requestToken()],
  ])('Rate limits (gap LIM-1): %s are served %i times a minute', async (_case, figure, send) => {
    const { target } = openMock();
    if (figure !== 20) await target.token();

    const { served } = await untilRefused(() => send(target), figure + 5);

    expect(served).toBe(figure);
  });

  needsLimits('Rate limits (gap LIM-1): writes have a lower limit than reads', async () => {
    const { target } = openMock();
    const { id } = await openLocation(target);

    const { served } = await untilRefused(() => target.post('/carts', { location_id: id }), 130);

    expect(served).toBe(120);
  });

  needsLimits(
    'Rate limits (gap LIM-1): the inventory has a higher limit than other endpoints of a location',
    async () => {
      const { target } = openMock();
      const { id } = await openLocation(target);

      const { served } = await untilRefused(
        () => target.get(`/locations/${id}/inventory`, { query: { limit: 1 } }),
        490,
      );

      expect(served).toBeGreaterThan(240);
    },
  );
});

test('Rate limits: a handful of requests is served', async () => {
  const target = openTarget();

  for (let count = 0; count < 5; count += 1) expectStatus(await target.get('/locations'), 200);
});
