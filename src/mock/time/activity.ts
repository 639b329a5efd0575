import { performance } from 'node:perf_hooks';

// Taken when the module loads: fake timers of a test runner must not stop the service from noticing that it is idle.
const { setImmediate: nextTurn, setTimeout: after } = globalThis;

const turn = (): Promise<void> => new Promise((resolve) => nextTurn(resolve));
const pause = (delayMs: number): Promise<void> => new Promise((resolve) => after(resolve, delayMs));

const QUIET_TURNS = 10;

/** Work that the process waits for outside its event loop: files, name look-ups, connects, key derivation. */
const hasPendingWork = (): boolean =>
  process.getActiveResourcesInfo?.().some((resource) => /Req|Connect/.test(resource)) ?? false;

/** Knows whether requests and deliveries are under way, so that time moves only when everybody waits for it. */
export class Activity {
  #running = 0;
  #changes = 0;
  #openServers = 0;

  /** Counts `work` as under way until it settles. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Inside `during`: a wait for the service's clock, which must not hold that clock up. */
  async outside<T>(wait: () => Promise<T>): Promise<T> {
    this.#leave();
    try {
      return await wait();
    } finally {
      this.#enter();
    }
  }

  serverOpened(): void {
    this.#openServers += 1;
  }

  serverClosed(): void {
    this.#openServers -= 1;
  }

  /** Resolves when nothing has happened for some turns of the event loop, or `limitMs` (real) have passed. */
  async quiet(limitMs = 2000): Promise<void> {
    const end = performance.now() + limitMs;
    do {
      await this.#quietTurns(end);
      if (this.#openServers === 0) return;
      // Bytes between a client and a server of this process are in no list of pending work, and need a moment.
      const changes = this.#changes;
      await pause(8);
      if (changes === this.#changes && this.#running === 0) return;
    } while (performance.now() < end);
  }

  /** True when nothing happens during `delayMs` of real time. */
  async staysQuiet(delayMs: number): Promise<boolean> {
    const changes = this.#changes;
    await pause(delayMs);
    return changes === this.#changes && this.#running === 0 && !hasPendingWork();
  }

  async #quietTurns(end: number): Promise<void> {
    let changes = this.#changes;
    for (let turns = 0; turns < QUIET_TURNS; turns += 1) {
      await turn();
      const busy = this.#running > 0 || hasPendingWork();
      if (busy) await pause(1);
      if ((busy || changes !== this.#changes) && performance.now() < end) turns = -1;
      changes = this.#changes;
    }
  }

  #enter(): void {
    this.#running += 1;
    this.#changes += 1;
  }

  #leave(): void {
    this.#running -= 1;
    this.#changes += 1;
  }
}
