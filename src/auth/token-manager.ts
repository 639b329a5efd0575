import type { Observer } from '../http/events/observer.js';
import type { Call } from '../http/exchange/call.js';
import { Progress } from '../http/exchange/progress.js';
import { whileCallLasts } from '../http/exchange/wait.js';
import { backoffMs } from '../http/steps/backoff.js';
import { type Clock, monotonicNow } from '../platform/clock.js';
import type { Random } from '../platform/random.js';
import {
  type AccessToken,
  type HeldToken,
  holdToken,
  isDueForRenewal,
  isUsable,
  type TwoReadings,
} from './access-token.js';
import { RefusedTokens, type TokenUse } from './refused-tokens.js';
import type { FoundToken, SharedToken } from './shared-token.js';

/** As much of a call as its token depends on. */
export type TokenCall = Pick<Call, 'operation' | 'settings'>;

/** Whether a caller waits for the token, or the present one still serves. */
export type Urgency = 'needed' | 'background';

export interface TokenManagerDeps {
  /** Asks the token endpoint; in the background without waits, since a wait would keep the process alive. */
  readonly request: (urgency: Urgency, progress: Progress) => Promise<AccessToken>;
  readonly shared: SharedToken | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly observer: Observer;
}

/** A failed early renewal is tried again after this many times the ordinary backoff: no call waits for it. */
const RENEWAL_BACKOFF_FACTOR = 20;
/** How often, at most, a shared store is asked whether the token of all processes is another one by now. */
const LOOK_EVERY_MS = 5 * 60 * 1000;

interface Pending {
  readonly token: Promise<HeldToken>;
  readonly progress: Progress;
}

/**
 * One token for all callers: requested once however many wait, renewed early while the old one still serves, and
 * replaced when the service refuses it; until the new one is there, the old one serves the others.
 */
export class TokenManager {
  readonly #deps: TokenManagerDeps;
  readonly #refused: RefusedTokens;
  #held: HeldToken | undefined;
  /** The last refused token: a shared store may still hold it. */
  #rejected: string | undefined;
  /** The request that callers wait for; all wait for this one. */
  #pending: Pending | undefined;
  /** The early renewal under way; it never rejects. */
  #renewal: Promise<void> | undefined;
  #renewalFailures = 0;
  #renewNotBefore = 0;
  #lookNotBefore = 0;

  constructor(deps: TokenManagerDeps) {
    this.#deps = deps;
    this.#refused = new RefusedTokens(deps.clock);
  }

  /**
   * The token for a call: at once when there is one, else when the request for it has brought it. The wait is bounded by
   * the call's own settings.
   */
  forCall(call: TokenCall): string | Promise<string> {
    const held = this.#held;
    const now = this.#now();
    if (!isUsable(held, now.monotonic)) return this.#obtainFor(call, undefined);
    if (this.#refused.needsAnother(call.operation, held.value)) return this.#obtainFor(call, held.value);
    this.#keepFresh(held, now);
    return held.value;
  }

  /** The service accepted the token that the call sent. */
  accepted(use: TokenUse): void {
    this.#refused.accepted(use);
  }

  /** The service refused the token that the call sent (401); `true` when {@link replacementFor} may help. */
  refused(use: TokenUse): boolean {
    const mayHelp = this.#refused.refused(use, this.#held?.value);
    if (mayHelp && use.token === this.#held?.value && this.#rejected !== use.token) {
      this.#rejected = use.token;
      this.#deps.observer.emit('token', { state: 'rejected' });
    }
    return mayHelp;
  }

  /** A token other than `rejected`: the one that replaced it already, or a new one. */
  replacementFor(call: TokenCall, rejected: string): string | Promise<string> {
    const held = this.#held;
    if (isUsable(held, monotonicNow(this.#deps.clock)) && held.value !== rejected) return held.value;
    return this.#obtainFor(call, rejected);
  }

  #obtainFor(call: TokenCall, rejected: string | undefined): Promise<string> {
    const { token, progress } = this.#obtain(rejected);
    return whileCallLasts(token, call, this.#deps.clock, progress).then(({ value }) => value);
  }

  #obtain(rejected: string | undefined): Pending {
    if (this.#pending) return this.#pending;
    const progress = new Progress();
    const token = this.#askWhenNeeded(rejected, progress).finally(() => {
      this.#pending = undefined;
    });
    this.#pending = { token, progress };
    return this.#pending;
  }

  async #askWhenNeeded(rejected: string | undefined, progress: Progress): Promise<HeldToken> {
    if (this.#renewal) await this.#renewal;
    const held = this.#held;
    if (isUsable(held, monotonicNow(this.#deps.clock)) && held.value !== rejected) return held;
    const { token, isRequested } = await this.#ask(rejected ?? this.#rejected, 'needed', progress);
    if (isRequested && rejected !== undefined) this.#refused.replacedBy(token.value);
    return token;
  }

  async #ask(
    rejected: string | undefined,
    urgency: Urgency,
    progress: Progress,
  ): Promise<{ token: HeldToken; isRequested: boolean }> {
    const { shared, observer } = this.#deps;
    let isRequested = false;
    const request = (): Promise<AccessToken> => {
      isRequested = true;
      observer.emit('token', { state: 'requested' });
      return this.#deps.request(urgency, progress);
    };
    const found: FoundToken = shared
      ? await shared.obtain(rejected, request, { isRenewal: urgency === 'background' })
      : { token: await request(), isDue: false };
    return { token: this.#hold(found, isRequested), isRequested };
  }

  #hold({ token, isDue }: FoundToken, isRequested: boolean): HeldToken {
    this.#held = holdToken(token, this.#now(), isDue);
    this.#renewalFailures = 0;
    this.#lookNotBefore = this.#now().monotonic + LOOK_EVERY_MS;
    const expiresInSeconds = Math.round(token.lifeMs / 1000);
    this.#deps.observer.emit('token', { state: isRequested ? 'obtained' : 'shared', expiresInSeconds });
    return this.#held;
  }

  #now(): TwoReadings {
    const { clock } = this.#deps;
    return { monotonic: monotonicNow(clock), wall: clock.now() };
  }

  /** In the background: a failure is no caller's problem while the old token still serves. */
  #keepFresh(held: HeldToken, now: TwoReadings): void {
    if (this.#renewal) return;
    if (isDueForRenewal(held, now)) {
      if (now.monotonic >= this.#renewNotBefore) this.#inBackground(() => this.#renew(held));
    } else if (this.#deps.shared && now.monotonic >= this.#lookNotBefore) {
      this.#lookNotBefore = now.monotonic + LOOK_EVERY_MS;
      this.#inBackground(() => this.#look(held));
    }
  }

  #inBackground(work: () => Promise<void>): void {
    this.#renewal = work().finally(() => {
      this.#renewal = undefined;
    });
  }

  async #renew({ value }: HeldToken): Promise<void> {
    try {
      await this.#ask(value, 'background', new Progress());
    } catch {
      const { clock, random, observer } = this.#deps;
      this.#renewNotBefore =
        monotonicNow(clock) + RENEWAL_BACKOFF_FACTOR * backoffMs(this.#renewalFailures, (1 + random()) / 2);
      this.#renewalFailures += 1;
      observer.emit('token', { state: 'renewal_failed' });
    }
  }

  /** Takes over the token that another process obtained meanwhile, or learns that the present one is due. */
  async #look(held: HeldToken): Promise<void> {
    const found = await this.#deps.shared?.look();
    if (found && found.token.value !== held.value && found.token.value !== this.#rejected) this.#hold(found, false);
    else if (!found || found.isDue) this.#held = { ...held, dueAt: this.#now().monotonic };
  }
}
