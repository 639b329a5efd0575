import { z } from 'zod';
import { once } from './once.js';
import { type Open, openEnum } from './open-enum.js';
import { record } from './record.js';
import { explain, uuid } from './scalars.js';

/** The known values of `token_type`. */
export const TOKEN_TYPES = ['BEARER'] as const;

/**
 * The body that asks for an access token.
 *
 * @see Interface document, "Authentication and locations"
 */
export interface TokenRequest {
  grant_type: 'CLIENT_CREDENTIALS';
  /** UUID of the partner. */
  client_id: string;
  /** For servers only; never log it. */
  client_secret: string;
}

/**
 * An access token.
 *
 * @see Interface document, "Authentication and locations"
 */
export interface TokenResponse {
  /** Sent as `Authorization: Bearer …`. Never log it. */
  access_token: string;
  /** Always `BEARER`. */
  token_type: Open<(typeof TOKEN_TYPES)[number]>;
  /** Life in seconds: 86400. */
  expires_in: number;
}

/** Schema of {@link TokenRequest}. */
export const tokenRequestSchema = once(() => {
  const secret = explain('the client secret: text that is not empty');
  return record<TokenRequest>(
    {
      grant_type: z.literal('CLIENT_CREDENTIALS', { error: explain("'CLIENT_CREDENTIALS'") }),
      client_id: uuid('the client id of the partner'),
      client_secret: z.string({ error: secret }).min(1, { error: secret }),
    },
    { error: explain('an object with `grant_type`, `client_id` and `client_secret`') },
  );
});

/** Schema of {@link TokenResponse}. */
export const tokenResponseSchema = once(() =>
  record<TokenResponse>({
    access_token: z.string().min(1),
    token_type: openEnum(TOKEN_TYPES),
    expires_in: z.int(),
  }),
);
