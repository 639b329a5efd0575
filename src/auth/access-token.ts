/** An access token and its life, as this process knows it. */
export interface AccessToken {
  readonly value: string;
  /** Instant of expiry, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** How long before expiry a token is renewed (interface document, "Authentication" 4). */
const RENEWAL_MARGIN_MS = 60 * 60 * 1000;
const DEFAULT_LIFE_SECONDS = 86_400;

/** What can stand in a header; anything else would break the request, or add one to it. */
const HEADER_SAFE = /^[\x21-\x7e]+$/;

/** Reads the token endpoint's answer; `undefined` when it holds no usable token. */
export function readAccessToken(data: unknown, requestedAt: number): AccessToken | undefined {
  const { access_token: value, expires_in: life } = (data ?? {}) as { access_token?: unknown; expires_in?: unknown };
  if (typeof value !== 'string' || !HEADER_SAFE.test(value)) return undefined;
  const seconds = typeof life === 'number' && Number.isFinite(life) && life > 0 ? life : DEFAULT_LIFE_SECONDS;
  return { value, expiresAt: requestedAt + seconds * 1000 };
}

export function isUsable(token: AccessToken | undefined, now: number): token is AccessToken {
  return token !== undefined && now < token.expiresAt;
}

/** True from an hour before expiry on; a token that lives shorter than two hours is renewed at half its life. */
export function isDueForRenewal(token: AccessToken, obtainedAt: number, now: number): boolean {
  const margin = Math.min(RENEWAL_MARGIN_MS, (token.expiresAt - obtainedAt) / 2);
  return now >= token.expiresAt - margin;
}
