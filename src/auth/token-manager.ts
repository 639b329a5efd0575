import type { Observer } from '../http/events/observer.js';
import { backoffMs } from '../http/steps/backoff.js';
import { type Clock, monotonicNow } from '../platform/clock.js';
import type { Random } from '../platform/random.js';
import { type AccessToken, isDueForRenewal, isUsable } from './access-token.js';
import type { SharedToken } from './shared-token.js';

/** Whether a caller waits for the token, or the present one still serves. */
export type Urgency = 'needed' | 'background';

export interface TokenManagerParts {
  /** Asks the token endpoint; in the background without waits, since a wait would keep the process alive. */
  readonly request: (urgency: Urgency) => Promise<AccessToken>;
  readonly shared: SharedToken | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly observer: Observer;
}

/** A failed early renewal is tried again after this many times the ordinary backoff: it is nobody's hurry. */
const RENEWAL_BACKOFF_FACTOR = 20;

/**
 * One token for all callers: asked for once however many wait, renewed early while the old one still serves, and
 * replaced when the service refuses exactly this one.
 */
export class TokenManager {
  readonly #parts: TokenManagerParts;
  #token: AccessToken | undefined;
  #obtainedAt = 0;
  /** The last refused token: a shared store may still hold it. */
  #rejected: string | undefined;
  /** The request under way; all callers wait for this one. */
  #pending: Promise<AccessToken> | undefined;
  /** The early renewal under way; it never rejects. */
  #renewal: Promise<void> | undefined;
  #renewalFailures = 0;
  #renewNotBefore = 0;

  constructor(parts: TokenManagerParts) {
    this.#parts = parts;
  }

  /** The token to send: at once when there is one, else when the request under way has brought it. */
  current(): string | Promise<string> {
    const now = this.#parts.clock.now();
    const token = this.#token;
    if (!isUsable(token, now)) return this.#obtain(undefined).then(({ value }) => value);
    const mayRenew = !this.#renewal && monotonicNow(this.#parts.clock) >= this.#renewNotBefore;
    if (mayRenew && isDueForRenewal(token, this.#obtainedAt, now)) this.#renew(token);
    return token.value;
  }

  /** A token other than `rejected`: the one that replaced it already, or a new one. */
  async replace(rejected: string): Promise<string> {
    this.discard(rejected);
    const now = this.#parts.clock.now();
    if (isUsable(this.#token, now)) return this.#token.value;
    return (await this.#obtain(rejected)).value;
  }

  /** Stops using a token that the service refused. A newer one stays. */
  discard(rejected: string): void {
    if (this.#token?.value !== rejected) return;
    this.#token = undefined;
    this.#rejected = rejected;
    this.#parts.observer.tell('token', { state: 'rejected' });
  }

  #obtain(rejected: string | undefined): Promise<AccessToken> {
    this.#pending ??= this.#askWhenNeeded(rejected ?? this.#rejected).finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #askWhenNeeded(rejected: string | undefined): Promise<AccessToken> {
    if (this.#renewal) await this.#renewal;
    const token = this.#token;
    const isRenewed = isUsable(token, this.#parts.clock.now()) && token.value !== rejected;
    return isRenewed ? token : this.#ask(rejected, 'needed');
  }

  async #ask(rejected: string | undefined, urgency: Urgency): Promise<AccessToken> {
    const { shared, observer, clock } = this.#parts;
    let requested = false;
    const request = (): Promise<AccessToken> => {
      requested = true;
      observer.tell('token', { state: 'requested' });
      return this.#parts.request(urgency);
    };
    const token = shared ? await shared.obtain(rejected, request, urgency === 'background') : await request();
    const now = clock.now();
    this.#token = token;
    this.#obtainedAt = now;
    this.#renewalFailures = 0;
    const expiresInSeconds = Math.round((token.expiresAt - now) / 1000);
    observer.tell('token', { state: requested ? 'obtained' : 'shared', expiresInSeconds });
    return token;
  }

  /** In the background: a failure is no caller's problem while the old token still serves. */
  #renew(present: AccessToken): void {
    const failed = (): void => {
      const { clock, random, observer } = this.#parts;
      this.#renewNotBefore =
        monotonicNow(clock) + RENEWAL_BACKOFF_FACTOR * backoffMs(this.#renewalFailures, (1 + random()) / 2);
      this.#renewalFailures += 1;
      observer.tell('token', { state: 'renewal_failed' });
    };
    this.#renewal = this.#ask(present.value, 'background')
      .then(() => {}, failed)
      .finally(() => {
        this.#renewal = undefined;
      });
  }
}
