import type { Open } from './open-enum.js';

/** The known values of `token_type`. */
export const TOKEN_TYPES = ['BEARER'] as const;

/**
 * The body that asks for an access token.
 *
 * @see Interface document, "Authentication and locations"
 */
export interface TokenRequest {
  /** Client credentials are the only grant. */
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
