import { type Clock, monotonicNow } from '../../platform/clock.js';
import type { Observer } from '../events/observer.js';
import type { Call } from '../exchange/call.js';
import { Failure } from '../exchange/failure.js';
import type { HttpResponse, Step } from '../exchange/message.js';
import { Progress } from '../exchange/progress.js';
import { isTooLong, throwIfEnded, waitUntil, whileCallLasts } from '../exchange/wait.js';
import { retryAfterSeconds } from '../response/retry-after.js';
import { backoffMs } from './backoff.js';
import { type Pauses, type Scope, scopeKey } from './pauses.js';
import type { SharedPauses } from './shared-pauses.js';

/** A figure above a day is not believed for everybody; the call that got it still carries it. */
const LONGEST_PAUSE_MS = 24 * 60 * 60 * 1000;

/**
 * The cool-downs of one partner: a 429 pauses everyone in its scope; afterwards one call goes first, and the others
 * follow when it was not refused.
 */
export class Cooldowns {
  readonly #clock: Clock;
  readonly #pauses: Pauses;
  readonly #shared: SharedPauses | undefined;
  /** By scope: the end of the call that goes first after a pause, while the others wait for what it finds. */
  readonly #probes = new Map<string, Promise<void>>();
  /** Refusals in a row without `Retry-After`, by scope. */
  readonly #refusals = new Map<string, number>();

  constructor(clock: Clock, pauses: Pauses, shared?: SharedPauses) {
    this.#clock = clock;
    this.#pauses = pauses;
    this.#shared = shared;
  }

  /** True when nothing is paused: the ordinary case, in which a call costs nothing here. */
  get isIdle(): boolean {
    this.#shared?.refresh();
    return this.#pauses.isEmpty;
  }

  /** Waits until the scope is free. Gives a function that must be called with the answer, when this call goes first. */
  async admit(scope: Scope, call: Call): Promise<(() => void) | undefined> {
    const key = scopeKey(scope);
    for (;;) {
      throwIfEnded(call, this.#clock);
      const now = monotonicNow(this.#clock);
      const until = this.#pauses.pausedUntil(scope);
      if (until > now) {
        if (isTooLong(until - now, call, this.#clock)) {
          const retryAfter = Math.ceil((until - now) / 1000);
          throw new Failure({ kind: 'paused', written: false, retryAfterSeconds: retryAfter });
        }
        await waitUntil(this.#clock, until, call);
        continue;
      }
      if (until === 0) return undefined;

      const probe = this.#probes.get(key);
      if (!probe) return this.#startProbe(key, scope);
      await whileCallLasts(probe, call, this.#clock, new Progress());
    }
  }

  /** Notes what an answer says about its scope; gives the milliseconds of the pause that a 429 begins. */
  note(scope: Scope, response: HttpResponse): number | undefined {
    const key = scopeKey(scope);
    if (response.status !== 429) {
      if (this.#refusals.size > 0) this.#refusals.delete(key);
      return undefined;
    }
    const refusals = this.#refusals.get(key) ?? 0;
    this.#refusals.set(key, refusals + 1);
    const asked = retryAfterSeconds(response.headers, this.#clock.now());
    const pauseMs = Math.min(LONGEST_PAUSE_MS, asked === undefined ? backoffMs(refusals, 1) : asked * 1000);
    if (pauseMs > 0 && this.#pauses.pause(scope, monotonicNow(this.#clock) + pauseMs)) this.#shared?.publish();
    return pauseMs;
  }

  #startProbe(key: string, scope: Scope): () => void {
    let wake = (): void => {};
    const settled = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#probes.set(key, settled);
    return () => {
      this.#probes.delete(key);
      this.#pauses.release(scope);
      wake();
    };
  }
}

/** Holds back calls whose scope is paused, so that one refusal is enough for all. */
export function withCooldown(cooldowns: Cooldowns, observer: Observer): Step {
  return (next) => async (request) => {
    const { call } = request;
    const scope: Scope = { endpoint: call.operation.name, locationId: call.locationId };
    const settleProbe = cooldowns.isIdle ? undefined : await cooldowns.admit(scope, call);
    try {
      const response = await next(request);
      const pauseMs = cooldowns.note(scope, response);
      if (pauseMs !== undefined) {
        const { method, template: path } = call.operation;
        observer.tell('cooldown', { method, path, locationId: call.locationId, pauseMs });
      }
      return response;
    } finally {
      settleProbe?.();
    }
  };
}
