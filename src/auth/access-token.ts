/** An access token as the token endpoint gave it. */
export interface AccessToken {
  readonly value: string;
  /** How long it lives, in milliseconds, counted from the request for it. */
  readonly lifeMs: number;
}

/** A token that this process uses. Its life is a duration, and runs on the monotonic reading. */
export interface HeldToken {
  readonly value: string;
  /** Instant from which on it is not sent any more. */
  readonly usableUntil: number;
  /** Instant from which on it is renewed in the background. */
  readonly dueAt: number;
  /**
   * The same instant on the wall clock. A machine that slept has a monotonic reading that lags: the token is then renewed
   * while it still serves. A wall clock that was stepped ahead costs one renewal, which sets this instant anew.
   */
  readonly dueAtWall: number;
}

/** How long before expiry a token is renewed (interface document, "Authentication" 4). */
const RENEWAL_MARGIN_MS = 60 * 60 * 1000;
const DEFAULT_LIFE_SECONDS = 86_400;

/** What can stand in a header; anything else would break the request, or add one to it. */
const HEADER_SAFE = /^[\x21-\x7e]+$/;

/** Reads the token endpoint's response; `undefined` when it holds no usable token. */
export function readAccessToken(data: unknown): AccessToken | undefined {
  const { access_token: value, expires_in: life } = (data ?? {}) as { access_token?: unknown; expires_in?: unknown };
  if (typeof value !== 'string' || !HEADER_SAFE.test(value)) return undefined;
  const seconds = typeof life === 'number' && Number.isFinite(life) && life > 0 ? life : DEFAULT_LIFE_SECONDS;
  return { value, lifeMs: seconds * 1000 };
}

/** An hour; half the life of a token that lives shorter than two hours. */
export function renewalMarginMs(lifeMs: number): number {
  return Math.min(RENEWAL_MARGIN_MS, lifeMs / 2);
}

export interface TwoReadings {
  readonly monotonic: number;
  readonly wall: number;
}

/** `isDue`: the token is old already, as a shared store knows, and is renewed at its next use. */
export function holdToken({ value, lifeMs }: AccessToken, now: TwoReadings, isDue = false): HeldToken {
  const untilDue = isDue ? 0 : lifeMs - renewalMarginMs(lifeMs);
  return {
    value,
    usableUntil: now.monotonic + lifeMs,
    dueAt: now.monotonic + untilDue,
    dueAtWall: now.wall + untilDue,
  };
}

export function isUsable(token: HeldToken | undefined, monotonic: number): token is HeldToken {
  return token !== undefined && monotonic < token.usableUntil;
}

export function isDueForRenewal({ dueAt, dueAtWall }: HeldToken, now: TwoReadings): boolean {
  return now.monotonic >= dueAt || now.wall >= dueAtWall;
}
