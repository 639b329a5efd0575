import { isReplayable, REPLAYABLE_MS } from '../../http/response/replay-window.js';
import { type Clock, monotonicNow } from '../../platform/clock.js';
import type { Instant } from './journal/record.js';

/** A header `Date` counts whole seconds. */
const DATE_RESOLUTION_MS = 1000;

/** The service's clock, as its header `Date` tells it, carried on by the monotonic clock of this process. */
export class ServiceTime {
  readonly #clock: Clock;
  #told: { readonly serviceMs: number; readonly monotonicMs: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes the time of a response; `undefined` when it carried none. */
  hear(serviceMs: number | undefined): void {
    if (serviceMs === undefined) return;
    this.#told = { serviceMs, monotonicMs: monotonicNow(this.#clock) };
  }

  now(): Instant {
    const localMs = this.#clock.now();
    if (this.#told === undefined) return { serviceMs: null, localMs };
    const { serviceMs, monotonicMs } = this.#told;
    return { serviceMs: serviceMs + monotonicNow(this.#clock) - monotonicMs, localMs };
  }

  /** Milliseconds since an instant, at least, by the service's clock alone; 0 where it does not tell. */
  leastAgeMs({ serviceMs }: Instant): number {
    const now = this.now();
    if (serviceMs === null || now.serviceMs === null) return 0;
    return Math.max(0, now.serviceMs - serviceMs - DATE_RESOLUTION_MS);
  }

  /** Whether a key that was first sent then is too old to be sent again, by the clock that shows the greatest age. */
  isTooOld(firstSentAt: Instant, monotonicAgeMs = 0): boolean {
    if (monotonicAgeMs >= REPLAYABLE_MS) return true;
    const now = this.now();
    const { serviceMs, localMs } = firstSentAt;
    return !isReplayable(
      { startedAtMs: serviceMs ?? localMs, startedAtLocalMs: localMs },
      { nowMs: serviceMs === null ? now.localMs : (now.serviceMs ?? now.localMs), nowLocalMs: now.localMs },
    );
  }
}
