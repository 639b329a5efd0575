import type { ResponseValidationReason } from '../../errors/response.js';

/** Why an attempt, or the way to one, ended without a response that can be used. */
export type FailureFacts =
  /** The connection failed. `permanent`: the same attempt would fail again in the same way. */
  | { readonly kind: 'connection'; readonly written: boolean; readonly permanent: boolean; readonly code: string }
  /** The attempt's time-out. */
  | { readonly kind: 'timeout'; readonly written: boolean }
  /** The call's deadline. */
  | { readonly kind: 'deadline'; readonly written: boolean }
  /** The caller's signal. */
  | { readonly kind: 'aborted'; readonly written: boolean }
  /** A success that cannot be used. */
  | {
      readonly kind: 'unusable';
      readonly written: true;
      readonly reason: ResponseValidationReason;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** True when the status alone says that the request was executed: 204 and 205. */
      readonly isApplied?: boolean;
    }
  /** A check refused the attempt at the moment of sending; what it threw is the cause. */
  | { readonly kind: 'held'; readonly written: boolean }
  /** The client was closed before the attempt. */
  | { readonly kind: 'closed'; readonly written: false }
  /** The scope is paused by an earlier 429, for longer than this call may wait. */
  | { readonly kind: 'paused'; readonly written: false; readonly retryAfterSeconds: number }
  /** No token could be had. */
  | { readonly kind: 'token'; readonly written: false; readonly response: TokenResponse | undefined };

/** The token endpoint's last response, if it gave one. */
export interface TokenResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly data: unknown;
}

/** Internal: facts about an outcome on their way to a typed error. */
export class Failure extends Error {
  readonly facts: FailureFacts;

  constructor(facts: FailureFacts, cause?: unknown) {
    super(facts.kind, { cause });
    this.facts = facts;
  }
}

/** Failures of connecting that prove that no byte of the request left (reliability: measured on undici 7.30.2). */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const PERMANENT = new Set([
  'EPROTO',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
  // The proxy wants credentials that it did not get.
  'PROXY_407',
]);

/** Codes of certificates and of TLS versions, as OpenSSL and Node name them. */
const TLS =
  /^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|ERROR_IN_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_(CA|PURPOSE)$|PATH_LENGTH_|HOSTNAME_MISMATCH)/;

/** undici's proxy agent has the status with which the proxy refused the tunnel in its message alone. */
const PROXY_REFUSAL = /^Proxy response \((\d{3})\)/;
/** Prefix of the code of such a refusal: `PROXY_407`. Nothing reached the service. */
const PROXY = 'PROXY_';

/** True when the same attempt would fail again: a certificate, a protocol, an argument. */
export function isPermanent(code: string): boolean {
  return PERMANENT.has(code) || TLS.test(code);
}

/** True when the code alone proves that nothing was written. */
export function provesNotSent(code: string): boolean {
  return NEVER_SENT.has(code) || TLS.test(code) || code.startsWith(PROXY);
}

/** The code of an error or of what it wraps: `fetch` hides the cause, and several addresses are tried as one error. */
export function codeOf(error: unknown): string {
  try {
    return findCode(error);
  } catch {
    // An error of foreign code may throw when it is read.
    return '';
  }
}

function findCode(error: unknown): string {
  for (let current = error, depth = 0; depth < 5; depth += 1) {
    if (typeof current !== 'object' || current === null) return '';
    const { code, message, cause, errors } = current as Partial<
      Record<'code' | 'message' | 'cause' | 'errors', unknown>
    >;
    const refusal = typeof message === 'string' ? PROXY_REFUSAL.exec(message) : null;
    if (refusal) return `${PROXY}${refusal[1]}`;
    if (typeof code === 'string') return code;
    current = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return '';
}
