/** Each accepted call makes room for one more, so that each round trip doubles; above this, for half of one. */
const DOUBLED_UP_TO = 16;
/** What was taken before a refusal was a little too much. */
const BELOW_CEILING = 0.9;
const FIRST_STEP = 0.03;
const SHORTEST_PERIOD_MS = 1000;
/** What fewer accepted calls have shown may be far too slow: one refusal by chance shows as much. */
const SHOWN_BY = 5;
/** How much of what a period holds may leave at once after a quiet time. */
const BURST_SHARE = 0.1;
/** However often it is halved, calls per millisecond: a refusal for each pause costs less than a standstill. */
const LOWEST_RATE = 0.002;
/** How many calls may go first when those that went first before were all refused. */
const MOST_PROBES = 4;

/**
 * How fast calls leave after a cool-down: the pace that the service has shown it takes.
 *
 * At first nothing is known: one call goes first, and each that is accepted lets more follow. The first refusal shows how
 * many calls the service takes in how long (until the pause that the refusal asks for is over). From then on calls leave
 * evenly, a little below that rate, which grows slowly while nothing is refused. Pure: instants are parameters, in
 * milliseconds of the monotonic reading.
 */
export class Pace {
  /** Calls that left and have no response yet. */
  #outstanding = 0;
  #window = 1;
  /** Calls per millisecond; `undefined` until the first refusal has shown it. */
  #rate: number | undefined;
  #ceiling = Number.POSITIVE_INFINITY;
  #step = FIRST_STEP;
  /** Whether enough calls were accepted to tell by the rate how long others will wait. */
  #isSure = false;
  #tokens = 1;
  #refilledAt = 0;
  #periodMs = SHORTEST_PERIOD_MS;
  #grownAt = 0;
  /** Since the last cool-down: the first call that left, those that were accepted, and the first refusal. */
  #since: number | undefined;
  #accepted = 0;
  /** Calls that go first after the next cool-down. */
  #probes = 1;
  #refusal: { readonly pauseEndsAt: number } | undefined;
  #endedAt = 0;

  /** Calls per second, once it is known. */
  get perSecond(): number | undefined {
    return this.#rate === undefined ? undefined : this.#rate * 1000;
  }

  /** True until a call has been accepted since the last cool-down: those that leave now may well be refused. */
  get isProbing(): boolean {
    return this.#accepted === 0;
  }

  /** The last response, or the first call after the cool-down. */
  get endedAt(): number {
    return this.#endedAt;
  }

  /** Milliseconds until one more call may leave, besides `granted` others; infinite when a response must come first. */
  delayMs(now: number, granted: number): number {
    if (this.#refusal && now >= this.#refusal.pauseEndsAt) this.#learn();
    if (this.#rate === undefined) {
      return this.#outstanding + granted < Math.floor(this.#window) ? 0 : Number.POSITIVE_INFINITY;
    }
    this.#refill(now);
    return Math.max(0, granted + 1 - this.#tokens) / this.#rate;
  }

  /** Milliseconds in which so many calls will leave; 0 while nothing is known. A rate that is not sure may grow. */
  spanMs(calls: number): number {
    if (this.#rate === undefined) return 0;
    if (this.#isSure) return calls / this.#rate;
    let [rate, step, left, spanMs] = [this.#rate, this.#step, calls, 0];
    for (; left > rate * this.#periodMs; spanMs += this.#periodMs) {
      left -= rate * this.#periodMs;
      rate *= 1 + step;
      if (rate > this.#ceiling) step = Math.min(1, step * 2);
    }
    return spanMs + left / rate;
  }

  leave(now: number): void {
    if (this.#refusal) this.#learn();
    this.#since ??= now;
    if (this.#outstanding === 0) this.#endedAt = Math.max(this.#endedAt, now);
    this.#outstanding += 1;
    if (this.#rate !== undefined) {
      this.#refill(now);
      this.#tokens -= 1;
    }
  }

  /** A call has ended: accepted, or without a response that says anything about the limit. */
  ended(now: number, isAccepted: boolean): void {
    this.#outstanding = Math.max(0, this.#outstanding - 1);
    this.#endedAt = now;
    if (!isAccepted) return;
    this.#accepted += 1;
    this.#window += this.#window < DOUBLED_UP_TO ? 1 : 0.5;
  }

  /** A call that left at `sentAt` was refused, and a pause begins. */
  refused(now: number, sentAt: number, pauseEndsAt: number): void {
    this.#outstanding = Math.max(0, this.#outstanding - 1);
    this.#endedAt = now;
    if (this.#since === undefined || sentAt < this.#since) return;
    this.#refusal = { pauseEndsAt: Math.max(this.#refusal?.pauseEndsAt ?? 0, pauseEndsAt) };
  }

  /** Called while calls wait: only a pace that was too slow for them may grow. */
  grow(now: number): void {
    if (this.#rate === undefined) return;
    for (; now - this.#grownAt >= this.#periodMs; this.#grownAt += this.#periodMs) {
      this.#rate *= 1 + this.#step;
      if (this.#rate > this.#ceiling) this.#step = Math.min(1, this.#step * 2);
    }
  }

  /** Nothing waits: the present pace suffices, and shows nothing. */
  rest(now: number): void {
    this.#grownAt = now;
  }

  #refill(now: number): void {
    const rate = this.#rate ?? 0;
    const most = Math.max(this.#probes, BURST_SHARE * rate * this.#periodMs);
    this.#tokens = Math.min(most, this.#tokens + Math.max(0, now - this.#refilledAt) * rate);
    this.#refilledAt = Math.max(this.#refilledAt, now);
  }

  /** At the first call after a pause, when the calls that were under way have ended, too. */
  #learn(): void {
    const pauseEndsAt = this.#refusal?.pauseEndsAt ?? 0;
    const spanMs = Math.max(1, pauseEndsAt - (this.#since ?? pauseEndsAt));
    const shown = this.#accepted / spanMs;
    this.#isSure ||= this.#accepted >= SHOWN_BY;
    // Where all that went first were refused, the service was not ready, which says nothing of how much it takes. A few
    // more go first the next time, so that a service that refuses each call once ends with that.
    const isFirstRefused = this.#accepted === 0;
    const wasFirstRefused = this.#probes > 1;
    this.#probes = isFirstRefused ? Math.min(MOST_PROBES, this.#probes * 2) : 1;
    if (this.#rate !== undefined && !(isFirstRefused && wasFirstRefused)) {
      this.#ceiling = this.#rate;
      const lower = this.#rate * (shown < this.#rate / 2 ? 0.5 : BELOW_CEILING);
      this.#rate = Math.max(lower, Math.min(this.#rate, LOWEST_RATE));
    } else if (this.#rate === undefined && this.#accepted > 0) {
      this.#ceiling = shown;
      this.#rate = shown * BELOW_CEILING;
      this.#periodMs = Math.max(SHORTEST_PERIOD_MS, spanMs);
    }
    this.#step = FIRST_STEP;
    this.#window = this.#probes;
    this.#tokens = this.#probes;
    this.#refilledAt = pauseEndsAt;
    this.#grownAt = pauseEndsAt;
    this.#since = undefined;
    this.#accepted = 0;
    this.#refusal = undefined;
  }
}
