import { describe, expect, test } from 'vitest';
import type { Location, Page } from '../support/records.js';
import { badRequest, expectRefusal, expectStatus, forbidden, NO_SUCH_ID, unauthorized } from '../support/shapes.js';
import { everyItem, everyLocation } from '../support/shop.js';
import { needs, openMock, openTarget, Target } from '../support/target.js';

const id = NO_SUCH_ID;

/** Every endpoint of the document but the token endpoint. */
const ENDPOINTS: readonly (readonly [string, string])[] = [
  ['GET', '/locations'],
  ['GET', `/locations/${id}`],
  ['GET', `/locations/${id}/inventory`],
  ['GET', `/locations/${id}/menu`],
  ['GET', `/locations/${id}/menu/metadata`],
  ['POST', '/carts'],
  ['GET', `/carts/${id}`],
  ['DELETE', `/carts/${id}`],
  ['PATCH', `/carts/${id}`],
  ['POST', `/carts/${id}/items`],
  ['PUT', `/carts/${id}/items/${id}`],
  ['DELETE', `/carts/${id}/items/${id}`],
  ['POST', `/carts/${id}/calculate`],
  ['PUT', `/carts/${id}/handoff`],
  ['POST', `/carts/${id}/checkout`],
  ['POST', `/carts/${id}/promo-codes`],
  ['GET', `/carts/${id}/promo-codes`],
  ['GET', `/carts/${id}/promo-codes/validate?code=ANY`],
  ['DELETE', `/carts/${id}/promo-codes/ANY`],
  ['GET', '/orders'],
  ['GET', `/orders/${id}`],
  ['POST', `/orders/${id}/cancel`],
  ['POST', `/orders/${id}/payments`],
  ['POST', `/orders/${id}/refunds`],
  ['POST', '/webhooks'],
  ['GET', '/webhooks'],
  ['DELETE', `/webhooks/${id}`],
];

describe('POST /auth/token', () => {
  test('Endpoints, POST /auth/token: the right credentials are answered with 200 and an access token', async () => {
    const answer = await openTarget().requestToken<Record<string, unknown>>();

    expectStatus(answer, 200);
    expect(answer.body.access_token).toMatch(/^\S{8,}$/);
  });

  test('Endpoints, POST /auth/token: token_type is always BEARER', async () => {
    const answer = await openTarget().requestToken<Record<string, unknown>>();

    expect(answer.body.token_type).toBe('BEARER');
  });

  test('Authentication 3, Limits: a token is issued for 86400 seconds', async () => {
    const answer = await openTarget().requestToken<Record<string, unknown>>();

    expect(answer.body.expires_in).toBe(86_400);
  });

  test('Authentication 3: there is no refresh token', async () => {
    const answer = await openTarget().requestToken<Record<string, unknown>>();

    expect(answer.body).not.toHaveProperty('refresh_token');
  });

  test('Authentication 2: the token endpoint needs neither a token nor an Idempotency-Key', async () => {
    const target = openTarget();

    const answer = await target.requestToken();

    expectStatus(answer, 200);
  });

  test.each(['grant_type', 'client_id', 'client_secret'])(
    'Endpoints, POST /auth/token: a request without %s is refused with 400',
    async (field) => {
      const answer = await openTarget().requestToken({ [field]: undefined });

      expectRefusal(answer, badRequest(`Missing required field: ${field}`, field));
    },
  );

  test.each([
    ['a grant_type other than CLIENT_CREDENTIALS', { grant_type: 'PASSWORD' }, 'grant_type'],
    ['a grant_type in lower case', { grant_type: 'client_credentials' }, 'grant_type'],
    ['a client_id that is no UUID', { client_id: 'partner-1' }, 'client_id'],
    ['a client_id of the wrong type', { client_id: 17 }, 'client_id'],
    ['a client_secret of the wrong type', { client_secret: 17 }, 'client_secret'],
  ])('Endpoints, POST /auth/token: %s is refused with 400', async (_case, changes, field) => {
    const answer = await openTarget().requestToken(changes);

    expectRefusal(answer, badRequest(undefined, field));
  });

  test('Errors 400: a token request that is not JSON is refused', async () => {
    const answer = await openTarget().send('POST', '/auth/token', {
      rawBody: '{"grant_type":',
      token: null,
      key: null,
    });

    expectRefusal(answer, badRequest('Malformed JSON'));
  });

  test.each([
    ['a wrong client_secret', { client_secret: 'not-the-secret' }],
    ['an unknown client_id', { client_id: NO_SUCH_ID }],
  ])('Errors 401: %s is refused at the token endpoint', async (_case, changes) => {
    const answer = await openTarget().requestToken(changes);

    expectRefusal(answer, unauthorized('Invalid client credentials'));
  });

  needs('a second partner')('Authentication 1: the secret of another partner is refused', async () => {
    const { target, mock } = openMock();
    const other = mock.partners.add();

    const answer = await target.requestToken({ client_secret: other.clientSecret });

    expectRefusal(answer, unauthorized('Invalid client credentials'));
  });
});

describe('The Authorization header', () => {
  test.each(ENDPOINTS)('Authentication 2: %s %s without a token is refused with 401', async (method, path) => {
    const answer = await openTarget().send(method, path, { token: null, ...(method === 'GET' ? { key: null } : {}) });

    expectRefusal(answer, unauthorized('Missing authorization header'));
  });

  test.each([
    ['another scheme', 'Basic cGFydG5lcjpzZWNyZXQ='],
    ['a scheme without a token', 'Bearer'],
    ['a token without a scheme', 'a-token-without-a-scheme'],
    ['more than one token', 'Bearer one two'],
  ])('Errors 401: an Authorization header with %s is malformed', async (_case, authorization) => {
    const answer = await openTarget().get('/locations', { token: null, headers: { authorization } });

    expectRefusal(answer, unauthorized('Malformed authorization header'));
  });

  test('Errors 401: a token that was never issued is refused', async () => {
    const answer = await openTarget().get('/locations', { token: 'a-token-that-was-never-issued' });

    expectRefusal(answer, unauthorized('Invalid or expired access token'));
  });

  test('Authentication 2: a write with an unknown token is refused before its body is looked at', async () => {
    const answer = await openTarget().post('/carts', {}, { token: 'a-token-that-was-never-issued' });

    expectRefusal(answer, unauthorized('Invalid or expired access token'));
  });

  test('Authentication 4: one token serves many requests', async () => {
    const target = openTarget();
    const token = await target.token();

    for (let request = 0; request < 5; request += 1) expectStatus(await target.get('/locations', { token }), 200);
  });

  test('Authentication 2 (gap LIM-2): an older token stays valid after a new one was issued', async () => {
    const target = openTarget();
    const token = await target.token();
    await target.requestToken();

    expectStatus(await target.get('/locations', { token }), 200);
  });
});

describe('The life of a token', () => {
  needs('the clock')('Limits: a token is still valid one second before 24 hours', async () => {
    const { target, mock } = openMock();
    const token = await target.token();
    await mock.clock.advance('86399s');

    expectStatus(await target.get('/locations', { token }), 200);
  });

  needs('the clock')('Authentication 3: a token older than 24 hours is refused with 401', async () => {
    const { target, mock } = openMock();
    const token = await target.token();
    await mock.clock.advance('86401s');

    expectRefusal(await target.get('/locations', { token }), unauthorized('Invalid or expired access token'));
  });

  needs('the clock')('Authentication 3: after expiry the credentials give a new token that works', async () => {
    const { target, mock } = openMock();
    await target.token();
    await mock.clock.advance('25h');
    target.forgetToken();

    expectStatus(await target.get('/locations'), 200);
  });
});

describe('Rotation of the secret', () => {
  const needsRotation = needs('rotation of the client secret');

  needsRotation('Authentication 6: a rotated secret is refused at once', async () => {
    const { target, mock } = openMock();
    mock.partners.rotateSecret();

    expectRefusal(await target.requestToken(), unauthorized('Invalid client credentials'));
  });

  needsRotation('Authentication 6: the new secret gives a token', async () => {
    const { target, mock } = openMock();
    const { clientSecret } = mock.partners.rotateSecret();

    expectStatus(await target.requestToken({ client_secret: clientSecret }), 200);
  });
});

describe('Scope', () => {
  test('Authentication 5: every location of GET /locations can be read', async () => {
    const target = openTarget();
    const listed = await everyItem<Location>(target, '/locations');

    const read = await everyLocation(target);

    expect(read.map((location) => location.id)).toEqual(listed.map((location) => location.id));
  });

  needs('a location outside the scope')(
    'Authentication 5: GET /locations leaves out a location outside the scope',
    async () => {
      const { narrow, outside } = await narrowPartner();

      const answer = await narrow.get<Page<Location>>('/locations');

      expectStatus(answer, 200);
      expect(answer.body.data.map((location) => location.id)).not.toContain(outside);
      expect(answer.body.data.length).toBeGreaterThan(0);
    },
  );

  needs('a location outside the scope').each(['', '/inventory', '/menu', '/menu/metadata'])(
    'Authentication 5: GET /locations/{location_id}%s outside the scope is refused with 403 that names the location',
    async (path) => {
      const { narrow, outside } = await narrowPartner();

      const answer = await narrow.get(`/locations/${outside}${path}`);

      const error = expectRefusal(answer, forbidden('Location not in partner scope'));
      expect(error.detail).toContain(outside);
    },
  );

  needs('a location outside the scope')(
    'Authentication 5: a cart at a location outside the scope is refused with 403',
    async () => {
      const { narrow, outside } = await narrowPartner();

      const answer = await narrow.post('/carts', { location_id: outside });

      const error = expectRefusal(answer, forbidden('Location not in partner scope'));
      expect(error.detail).toContain(outside);
    },
  );
});

/** A partner with one location in scope, and the id of a location that is not. */
async function narrowPartner(): Promise<{ narrow: Target; outside: string }> {
  const { target, mock } = openMock();
  const [inside, outside] = await everyLocation(target);
  const credentials = mock.partners.add({ locations: [inside!.id] });
  return { narrow: new Target({ ...target.credentials, ...credentials }, mock.fetch), outside: outside!.id };
}
