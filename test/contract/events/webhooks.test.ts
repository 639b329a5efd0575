import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import type { Page, Subscription } from '../support/records.js';
import {
  badRequest,
  conflict,
  expectPage,
  expectRefusal,
  expectStatus,
  expectTimestamp,
  forbidden,
  NO_SUCH_ID,
  notFound,
  UUID,
  unprocessable,
} from '../support/shapes.js';
import { secondPartner } from '../support/shop.js';
import { isLive, needs, openMock, openTarget, Target } from '../support/target.js';

const EVENT_TYPES = [
  'order.created',
  'order.status_changed',
  'order.cancelled',
  'stock.updated',
  'menu.changed',
  'location.hours_changed',
];

const freshUrl = (): string => `https://hooks.example.com/${randomUUID()}`;

async function subscribed(target: Target = openTarget(), body: Record<string, unknown> = {}): Promise<Subscription> {
  const answer = await target.post<Subscription>('/webhooks', {
    url: freshUrl(),
    event_types: ['order.created'],
    ...body,
  });
  expectStatus(answer, 201);
  return answer.body;
}

describe('POST /webhooks', () => {
  test('Endpoints, POST /webhooks (gap HOOK-2): answers with the subscription', async () => {
    const url = freshUrl();

    const subscription = await subscribed(openTarget(), { url, event_types: ['order.created', 'menu.changed'] });

    expect(subscription).toMatchObject({ url, event_types: ['order.created', 'menu.changed'], status: 'ACTIVE' });
    expect(subscription.id).toMatch(UUID);
    expectTimestamp(subscription.created_at);
  });

  test('Endpoints, POST /webhooks: the response includes the signing_secret', async () => {
    expect((await subscribed()).signing_secret).toMatch(/^\S{16,}$/);
  });

  test('Endpoints, POST /webhooks: two subscriptions have two secrets', async () => {
    const target = openTarget();
    const first = await subscribed(target);

    expect((await subscribed(target)).signing_secret).not.toBe(first.signing_secret);
  });

  test.each(EVENT_TYPES)('Events: %s can be subscribed to', async (type) => {
    expect((await subscribed(openTarget(), { event_types: [type] })).event_types).toEqual([type]);
  });

  test('Errors 409: a second subscription for the same URL and event type is refused', async () => {
    const target = openTarget();
    const { url } = await subscribed(target);

    expectRefusal(
      await target.post('/webhooks', { url, event_types: ['order.created'] }),
      conflict('Duplicate webhook subscription'),
    );
  });

  test('Endpoints, POST /webhooks: one event type in common is a duplicate too', async () => {
    const target = openTarget();
    const { url } = await subscribed(target);

    expectRefusal(
      await target.post('/webhooks', { url, event_types: ['menu.changed', 'order.created'] }),
      conflict('Duplicate webhook subscription'),
    );
  });

  test('Endpoints, POST /webhooks: the same URL for another event type is no duplicate', async () => {
    const target = openTarget();
    const { url } = await subscribed(target);

    expectStatus(await target.post('/webhooks', { url, event_types: ['menu.changed'] }), 201);
  });

  test('Endpoints, POST /webhooks: the same event type at another URL is no duplicate', async () => {
    const target = openTarget();
    await subscribed(target);

    expectStatus(await target.post('/webhooks', { url: freshUrl(), event_types: ['order.created'] }), 201);
  });

  needs('a second partner')('Endpoints, POST /webhooks: the same URL of another partner is no duplicate', async () => {
    const controlled = openMock();
    const { url } = await subscribed(controlled.target);
    const other = secondPartner(controlled, Target);

    expectStatus(await other.post('/webhooks', { url, event_types: ['order.created'] }), 201);
  });

  test('Endpoints, POST /webhooks (gap HOOK-4): an http address is refused with 422', async () => {
    const answer = await openTarget().post('/webhooks', {
      url: 'http://hooks.example.com/events',
      event_types: ['order.created'],
    });

    expectRefusal(answer, unprocessable(undefined, 'url'));
  });

  test('Endpoints, POST /webhooks (gap HOOK-4): what is no address at all is refused', async () => {
    const answer = await openTarget().post('/webhooks', { url: 'hooks.example.com', event_types: ['order.created'] });

    expectRefusal(answer, { status: [400, 422], code: 'INVALID_REQUEST_ERROR', field: 'url' });
  });

  test.each(['url', 'event_types'])('Errors 400 (gap HOOK-1): a subscription without %s is refused', async (field) => {
    const answer = await openTarget().post('/webhooks', {
      url: freshUrl(),
      event_types: ['order.created'],
      [field]: undefined,
    });

    expectRefusal(answer, badRequest(`Missing required field: ${field}`, field));
  });

  test.each([
    ['no event type', []],
    ['an unknown event type', ['order.eaten']],
    ['event types that are no array', 'order.created'],
  ])('Endpoints, POST /webhooks (gap HOOK-1): %s is refused', async (_case, types) => {
    const answer = await openTarget().post('/webhooks', { url: freshUrl(), event_types: types });

    expectRefusal(answer, { status: [400, 422], code: 'INVALID_REQUEST_ERROR', field: /^event_types/ });
  });
});

describe('GET /webhooks', () => {
  test('Endpoints, GET /webhooks: lists the subscriptions, newest first', async () => {
    const target = openTarget();
    const first = await subscribed(target);
    const second = await subscribed(target);

    const ids = expectPage(await target.get<Page<Subscription>>('/webhooks', { query: { limit: 100 } })).data.map(
      ({ id }) => id,
    );

    expect(ids.indexOf(second.id)).toBeLessThan(ids.indexOf(first.id));
    expect(ids).toContain(first.id);
  });

  test('Endpoints, GET /webhooks: signing_secret is omitted', async () => {
    const target = openTarget();
    const { signing_secret: secret } = await subscribed(target);

    const answer = await target.get<Page<Subscription>>('/webhooks');

    for (const subscription of answer.body.data) expect(subscription).not.toHaveProperty('signing_secret');
    expect(answer.text).not.toContain(secret);
  });

  test('Endpoints, GET /webhooks (gap HOOK-2): a listed subscription is the one that was made', async () => {
    const target = openTarget();
    const { signing_secret: _secret, ...made } = await subscribed(target);

    const [listed] = expectPage(await target.get<Page<Subscription>>('/webhooks')).data;

    expect(listed).toEqual(made);
  });

  needs('a second partner')('Endpoints, GET /webhooks: a partner sees its own subscriptions only', async () => {
    const controlled = openMock();
    await subscribed(controlled.target);
    const other = secondPartner(controlled, Target);

    expect(expectPage(await other.get<Page<Subscription>>('/webhooks')).data).toEqual([]);
  });
});

describe('DELETE /webhooks/{webhook_id}', () => {
  test('Endpoints, DELETE /webhooks (gap HOOK-3): answers 204 without a body', async () => {
    const target = openTarget();
    const { id } = await subscribed(target);

    const answer = await target.delete(`/webhooks/${id}`);

    expectStatus(answer, 204);
    expect(answer.text).toBe('');
  });

  test('Endpoints, DELETE /webhooks: the subscription is removed permanently', async () => {
    const target = openTarget();
    const { id } = await subscribed(target);
    await target.delete(`/webhooks/${id}`);

    const listed = expectPage(await target.get<Page<Subscription>>('/webhooks', { query: { limit: 100 } })).data;

    expect(listed.map((subscription) => subscription.id)).not.toContain(id);
  });

  test('Endpoints, DELETE /webhooks: the same URL may be subscribed again afterwards', async () => {
    const target = openTarget();
    const { id, url } = await subscribed(target);
    await target.delete(`/webhooks/${id}`);

    expectStatus(await target.post('/webhooks', { url, event_types: ['order.created'] }), 201);
  });

  test('Errors 404: deleting an unknown subscription is refused', async () => {
    expectRefusal(await openTarget().delete(`/webhooks/${NO_SUCH_ID}`), notFound());
  });

  test('Errors 400: a webhook id that is no UUID is an invalid parameter', async () => {
    expectRefusal(await openTarget().delete('/webhooks/first'), badRequest(undefined, 'webhook_id'));
  });

  needs('a second partner')('Errors 403: the subscription of another partner is not deleted', async () => {
    const controlled = openMock();
    const { id } = await subscribed(controlled.target);
    const other = secondPartner(controlled, Target);

    expectRefusal(await other.delete(`/webhooks/${id}`), forbidden('Resource belongs to another partner'));
    expect(
      expectPage(await controlled.target.get<Page<Subscription>>('/webhooks')).data.map(
        (subscription) => subscription.id,
      ),
    ).toEqual([id]);
  });
});

// A real service keeps what the rows above made: the suite leaves no subscription behind.
afterAll(async () => {
  if (!isLive) return;
  const target = openTarget();
  const { data } = expectPage(await target.get<Page<Subscription>>('/webhooks', { query: { limit: 100 } }));
  for (const { id } of data.filter(({ url }) => url.startsWith('https://hooks.example.com/')))
    await target.delete(`/webhooks/${id}`);
});
