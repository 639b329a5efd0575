/** How one thing stands. */
export type Verdict = 'ok' | 'warning' | 'wrong' | 'skipped';

/** One line of the doctor. It never holds a secret, a token or an id of a customer. */
export interface Finding {
  /** What was looked at: `token`. */
  readonly check: string;
  readonly verdict: Verdict;
  /** What was found. */
  readonly found: string;
  /** What to do about it; `undefined` when there is nothing to do. */
  readonly advice?: string | undefined;
  /** The cause by a name that does not change: `wrong_address`, `swapped_credentials`, … */
  readonly cause?: Cause | undefined;
  readonly ms?: number | undefined;
}

/** What goes wrong in the first hour. */
export type Cause =
  | 'node_too_old'
  | 'missing_setting'
  | 'wrong_address'
  | 'plain_http'
  | 'swapped_credentials'
  | 'malformed_client_id'
  | 'dns_failed'
  | 'proxy_not_used'
  | 'connection_failed'
  | 'self_signed_certificate'
  | 'certificate_refused'
  | 'certificate_ends_soon'
  | 'redirected'
  | 'answered_by_a_proxy'
  | 'clock_off'
  | 'credentials_refused'
  | 'other_environment'
  | 'token_forbidden'
  | 'service_failing'
  | 'rate_limited'
  | 'odd_token'
  | 'no_locations'
  | 'forbidden'
  | 'differs_from_contract'
  | 'read_failed';

export const ok = (check: string, found: string, ms?: number): Finding => ({ check, verdict: 'ok', found, ms });
export const skipped = (check: string, found: string): Finding => ({ check, verdict: 'skipped', found });

export function warning(check: string, cause: Cause, found: string, advice: string): Finding {
  return { check, verdict: 'warning', cause, found, advice };
}

export function wrong(check: string, cause: Cause, found: string, advice: string): Finding {
  return { check, verdict: 'wrong', cause, found, advice };
}

/** 0: all is well; 1: something deserves a look; 2: something is wrong. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ verdict }) => verdict === 'wrong')) return 2;
  return findings.some(({ verdict }) => verdict === 'warning') ? 1 : 0;
}
