import { unauthenticated } from '../refusals/refusal.js';
import type { ServiceState } from '../state/state.js';

/** The partner of the bearer token; 401 for a missing, malformed, unknown or expired one. */
export function authenticate(state: ServiceState, authorization: string | undefined): string {
  if (authorization === undefined || authorization === '') {
    throw unauthenticated('Missing authorization header', 'Send Authorization: Bearer {token}.');
  }
  const [, token] = /^Bearer ([^\s]+)$/i.exec(authorization) ?? [];
  if (token === undefined) {
    throw unauthenticated('Malformed authorization header', 'The header must read: Bearer {token}.');
  }
  const record = state.tokens.get(token);
  if (!record || record.expiresAtMs <= state.clock.now()) {
    throw unauthenticated('Invalid or expired access token', 'Request a new token with POST /auth/token.');
  }
  return record.partnerId;
}
