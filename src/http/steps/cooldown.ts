import { BoundedMap } from '../../platform/bounded-map.js';
import { type Clock, monotonicNow } from '../../platform/clock.js';
import type { Call } from '../exchange/call.js';
import { Failure } from '../exchange/failure.js';
import type { HttpResponse } from '../exchange/message.js';
import { isTooLong, throwIfEnded, waitUntil } from '../exchange/wait.js';
import { retryAfterSeconds } from '../response/retry-after.js';
import { backoffMs } from './backoff.js';
import { Lane, pausedFailure } from './lane.js';
import { type Pauses, type Scope, type Width, widthsOf } from './pauses.js';
import type { SharedPauses } from './shared-pauses.js';

/** A figure above a day is not taken for the other calls; the call that got it still carries it. */
const LONGEST_PAUSE_MS = 24 * 60 * 60 * 1000;
/** A pause may end early: by the partner's wish, or since the store shows that it is over. */
const LOOK_AGAIN_MS = 1000;
const MOST_SCOPES = 1000;

/** A cool-down began while the request waited for a socket. */
class PausedMeanwhile extends Error {}

/** True when an attempt was held back by {@link Cooldowns.refuseIfPaused}: nothing was sent. */
export function isPausedMeanwhile(error: unknown): boolean {
  return error instanceof Failure && error.cause instanceof PausedMeanwhile;
}

/** A call that has the right to leave, and the lanes that wait for what becomes of it. */
export interface Admission {
  readonly lanes: readonly Lane[];
  readonly sentAt: number;
}

/**
 * The cool-downs of one partner: a 429 pauses everyone in its scope; afterwards calls leave at the pace that the service
 * has shown it takes.
 */
export class Cooldowns {
  readonly #clock: Clock;
  readonly #pauses: Pauses;
  readonly #shared: SharedPauses | undefined;
  readonly #lanes = new BoundedMap<Width, Lane>(MOST_SCOPES);
  /** Refusals in a row without `Retry-After`, by scope. */
  readonly #refusals = new BoundedMap<Width, number>(MOST_SCOPES);

  /** Calls that wait for the end of a pause. */
  #pausedCalls = 0;

  constructor(clock: Clock, pauses: Pauses, shared?: SharedPauses) {
    this.#clock = clock;
    this.#pauses = pauses;
    this.#shared = shared;
  }

  /** True when nothing is paused: the ordinary case, in which a call costs nothing here. */
  get isIdle(): boolean {
    this.#shared?.refresh();
    return this.#pauses.isEmpty && this.#lanes.size === 0;
  }

  /** For the moment at which the bytes would leave: throws when the scope of the call has been paused meanwhile. */
  refuseIfPaused(call: Call): void {
    if (this.#pauses.isEmpty) return;
    if (this.#pauses.pausedUntil(scopeOf(call)) > monotonicNow(this.#clock)) throw new PausedMeanwhile();
  }

  /** Waits until the call may leave. */
  async admit(call: Call): Promise<Admission> {
    const scope = scopeOf(call);
    const granted: Lane[] = [];
    try {
      for (;;) {
        throwIfEnded(call, this.#clock);
        if (await this.#waitForPause(scope, call, granted)) continue;
        const lanes = this.#lanesOf(scope);
        const { attempts } = call.log;
        const yields = attempts > 1 || (attempts > 0 && this.#pausedCalls > 0);
        const blocking = lanes.find((lane) => !granted.includes(lane) && !grantAtOnce(lane, yields, granted));
        if (!blocking) {
          const sentAt = monotonicNow(this.#clock);
          for (const lane of granted) lane.leave(sentAt);
          return { lanes: granted.splice(0), sentAt };
        }
        await blocking.waitForGrant(call, yields);
        granted.push(blocking);
      }
    } finally {
      for (const lane of granted) lane.giveBack();
    }
  }

  /** Waits through a pause of the scope, if there is one; returns whether there was. */
  async #waitForPause(scope: Scope, call: Call, granted: Lane[]): Promise<boolean> {
    const now = monotonicNow(this.#clock);
    const until = this.#pauses.pausedUntil(scope);
    if (until <= now) return false;
    for (const lane of granted.splice(0)) lane.giveBack();
    if (isTooLong(until - now, call, this.#clock)) throw pausedFailure(until - now);
    this.#shared?.refresh();
    this.#pausedCalls += 1;
    try {
      await waitUntil(this.#clock, Math.min(until, now + LOOK_AGAIN_MS), call);
    } finally {
      this.#pausedCalls -= 1;
    }
    return true;
  }

  /** From the narrowest to the widest. */
  #lanesOf(scope: Scope): Lane[] {
    if (this.#lanes.size === 0) return [];
    const now = monotonicNow(this.#clock);
    const lanes: Lane[] = [];
    for (const width of widthsOf(scope)) {
      const lane = this.#lanes.get(width);
      if (lane?.isForgotten(now)) this.#lanes.delete(width);
      else if (lane) lanes.push(lane);
    }
    return lanes;
  }

  /**
   * Notes a response of the call's scope; gives the milliseconds of the pause that a 429 begins. `admission` is left out for
   * a call that left while nothing was paused.
   */
  note(call: Call, response: HttpResponse, admission: Admission | undefined): number | undefined {
    if (!admission && response.status !== 429 && this.#isUnknown) return undefined;
    const scope = scopeOf(call);
    const { lanes, sentAt } = admission ?? { lanes: [], sentAt: call.log.lastSentAt };
    if (response.status !== 429) {
      const isAccepted = response.status < 500;
      for (const lane of lanes) lane.ended(isAccepted);
      if (isAccepted) this.#pauses.accept(scope, sentAt);
      if (this.#refusals.size > 0) this.#refusals.delete(ownKey(scope));
      return undefined;
    }
    const pauseMs = this.#pauseMs(scope, response);
    const now = monotonicNow(this.#clock);
    if (pauseMs > 0) {
      for (const width of this.#pauses.refuse(scope, now + pauseMs)) {
        if (!this.#lanes.has(width)) this.#lanes.set(width, new Lane(this.#clock));
        this.#shared?.publish(width, pauseMs);
      }
    }
    for (const lane of lanes) lane.refused(sentAt, now + pauseMs);
    return pauseMs;
  }

  /** The call ended without a response. */
  ended({ lanes }: Admission): void {
    for (const lane of lanes) lane.ended(false);
  }

  /** True while no refusal is remembered. */
  get #isUnknown(): boolean {
    return this.#pauses.knowsNothing && this.#refusals.size === 0;
  }

  /** Another process met a limit. */
  pausedElsewhere(width: Width, until: number): void {
    if (this.#pauses.extend(width, until) && !this.#lanes.has(width)) this.#lanes.set(width, new Lane(this.#clock));
  }

  /** Ends all cool-downs, with a store those of the other processes, too: waiting calls leave within a second. */
  end(): void {
    this.#pauses.endAll();
    this.#lanes.clear();
    this.#refusals.clear();
    this.#shared?.endAll();
  }

  #pauseMs(scope: Scope, { headers }: HttpResponse): number {
    const asked = retryAfterSeconds(headers, this.#clock.now());
    const key = ownKey(scope);
    const refusals = this.#refusals.get(key) ?? 0;
    this.#refusals.set(key, refusals + 1);
    return Math.min(LONGEST_PAUSE_MS, asked === undefined ? backoffMs(refusals, 1) : asked * 1000);
  }
}

function grantAtOnce(lane: Lane, yields: boolean, granted: Lane[]): boolean {
  const isGranted = lane.tryGrant(yields);
  if (isGranted) granted.push(lane);
  return isGranted;
}

function ownKey(scope: Scope): Width {
  return widthsOf(scope)[0] ?? '';
}

function scopeOf({ operation, locationId }: Call): Scope {
  return { endpoint: operation.name, locationId };
}
