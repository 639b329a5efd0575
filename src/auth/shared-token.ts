import { takeLease } from '../concurrency/lease.js';
import { type Clock, monotonicNow, sleep } from '../platform/clock.js';
import type { Random } from '../platform/random.js';
import type { Store } from '../stores/store.js';
import type { StoreHealth } from '../stores/store-health.js';
import { type AccessToken, renewalMarginMs } from './access-token.js';

/** A process that dies while it asks holds the others up for this long; one that lives extends its lease. */
const LEASE_MS = 12_000;
/** How long the others wait for the process that asks; then each asks for itself (gap OPS-5). */
const LONGEST_WAIT_MS = 60_000;
const LOOK_AGAIN_MS = 100;

export interface SharedTokenDeps {
  /** Its operations must end: see `boundedStore`. */
  readonly store: Store;
  /** Address and client id. */
  readonly key: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly health: StoreHealth;
  readonly newId: () => string;
}

/** A token, and whether it is old enough to be renewed. */
export interface FoundToken {
  readonly token: AccessToken;
  readonly isDue: boolean;
}

/**
 * One token for all processes that share a store: one of them asks for it, under a lease, and the others take it from
 * there. A store that fails, or does not respond, costs a token request, never a call.
 *
 * Processes share lengths of time, never their clocks: the token's life, and a mark that the store itself lets expire
 * when the token is due for renewal.
 */
export class SharedToken {
  readonly #deps: SharedTokenDeps;
  readonly #writes = new Set<Promise<void>>();

  constructor(deps: SharedTokenDeps) {
    this.#deps = deps;
  }

  /** A token that any process obtained, other than `rejected`; else one from `request`, asked for by one process. */
  async obtain(
    rejected: string | undefined,
    request: () => Promise<AccessToken>,
    { isRenewal = false }: { isRenewal?: boolean } = {},
  ): Promise<FoundToken> {
    const { store, key, clock, random, newId } = this.#deps;
    const holder = newId();
    const lease = { store, clock, key: `${key}:lease`, holder, ttlMs: LEASE_MS };
    for (const giveUpAt = monotonicNow(clock) + LONGEST_WAIT_MS; monotonicNow(clock) < giveUpAt; ) {
      const found = await this.#try('read token', () => this.#read(rejected));
      if (found === FAILED) break;
      if (found) return found;

      const taken = await this.#try('lease token', () => takeLease(lease));
      if (taken === FAILED) break;
      if (taken) {
        const again = await this.#try('read token', () => this.#read(rejected));
        const isFound = again !== FAILED && again !== undefined;
        try {
          const token = isFound ? again : { token: await request(), isDue: false };
          // Before the lease is given back, and the caller goes on: the next process then finds the token at once.
          if (!isFound) await this.#keep(token.token);
          this.#beside(this.#release(taken));
          return token;
        } catch (error) {
          this.#beside(this.#release(taken));
          throw error;
        }
      }
      await sleep(clock, LOOK_AGAIN_MS * (1 + random()), undefined, { background: isRenewal });
    }
    const token = await request();
    this.#beside(this.#keep(token));
    return { token, isDue: false };
  }

  /** The token of all processes at present. */
  async look(): Promise<FoundToken | undefined> {
    const found = await this.#try('read token', () => this.#read(undefined));
    return found === FAILED ? undefined : found;
  }

  async #read(rejected: string | undefined): Promise<FoundToken | undefined> {
    const { store, key } = this.#deps;
    const token = parseToken(await store.get(key));
    if (!token || token.value === rejected) return undefined;
    return { token, isDue: (await store.get(`${key}:fresh`)) !== token.value };
  }

  /**
   * Resolves when what is written beside the calls has ended: a process that ends before would keep its token to itself,
   * and leave the others waiting for its lease.
   */
  async whenIdle(): Promise<void> {
    await Promise.all(this.#writes);
  }

  #beside(write: Promise<void>): void {
    this.#writes.add(write);
    void write.finally(() => this.#writes.delete(write));
  }

  async #keep(token: AccessToken): Promise<void> {
    const { store, key } = this.#deps;
    const { value, lifeMs } = token;
    await this.#try('write token', async () => {
      await store.set(`${key}:fresh`, value, { ttlMs: lifeMs - renewalMarginMs(lifeMs) });
      await store.set(key, JSON.stringify(token), { ttlMs: lifeMs });
    });
  }

  async #release(lease: { release(): Promise<void> }): Promise<void> {
    await this.#try('release token lease', () => lease.release());
  }

  async #try<T>(operation: string, work: () => Promise<T>): Promise<T | typeof FAILED> {
    try {
      return await work();
    } catch (error) {
      this.#deps.health.failed(operation, error);
      return FAILED;
    }
  }
}

/** The store failed, or did not respond in time. */
const FAILED = Symbol('failed');

function parseToken(text: string | undefined): AccessToken | undefined {
  if (text === undefined) return undefined;
  try {
    const token = JSON.parse(text) as Partial<AccessToken> | null;
    if (typeof token?.value !== 'string' || typeof token.lifeMs !== 'number') return undefined;
    return { value: token.value, lifeMs: token.lifeMs };
  } catch {
    return undefined;
  }
}
