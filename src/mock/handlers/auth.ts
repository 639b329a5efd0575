import type { Handler, Route } from '../kernel/route.js';
import { isUuid, readBody, requireString } from '../refusals/read-fields.js';
import { invalidBody, unauthenticated } from '../refusals/refusal.js';

/** Seconds ("Limits"). */
export const TOKEN_LIFE_SECONDS = 86_400;

const createToken: Handler = (request, state) => {
  const body = readBody(request.body);
  const grantType = requireString(body, 'grant_type');
  const clientId = requireString(body, 'client_id');
  const clientSecret = requireString(body, 'client_secret');
  if (grantType !== 'CLIENT_CREDENTIALS') throw invalidBody('grant_type', 'grant_type must be CLIENT_CREDENTIALS.');
  if (!isUuid(clientId)) throw invalidBody('client_id', 'client_id must be a UUID.');

  const partner = [...state.partners.values()].find((one) => one.clientId === clientId.toLowerCase());
  if (!partner || partner.clientSecret !== clientSecret) {
    throw unauthenticated(
      'Invalid client credentials',
      'Check client_id and client_secret, and the address they belong to.',
    );
  }

  // An older token stays valid until it expires (gap LIM-2).
  const token = state.nextSecret('tk_');
  for (const [old, { expiresAtMs }] of state.tokens) {
    // In the order of their issue, and so of their end.
    if (expiresAtMs > state.clock.now()) break;
    state.tokens.delete(old);
  }
  state.tokens.set(token, { partnerId: partner.id, expiresAtMs: state.clock.now() + TOKEN_LIFE_SECONDS * 1000 });
  return { status: 200, body: { access_token: token, token_type: 'BEARER', expires_in: TOKEN_LIFE_SECONDS } };
};

export const routes: readonly Route[] = [
  { method: 'POST', path: '/auth/token', handler: createToken, idempotency: 'none', scope: 'partner', public: true },
];
