import type { Observer } from '../http/events/observer.js';
import { type Clock, sleep } from '../platform/clock.js';
import type { Random } from '../platform/random.js';
import type { Store } from '../stores/store.js';
import { type AccessToken, isUsable } from './access-token.js';

/** Longer than a token request with its retries usually takes; a process that dies loses the lease then. */
const LEASE_MS = 60_000;
const LOOK_AGAIN_MS = 100;

export interface SharedTokenParts {
  readonly store: Store;
  /** Address and client id. */
  readonly key: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly observer: Observer;
  readonly newId: () => string;
}

/**
 * One token for all processes that share a store: one of them asks for it, under a lease, and the others take it from
 * there. A store that fails costs a token request, never a call.
 */
export class SharedToken {
  readonly #parts: SharedTokenParts;

  constructor(parts: SharedTokenParts) {
    this.#parts = parts;
  }

  /** A token that any process obtained, other than `rejected`; else one from `obtain`, asked for by one process. */
  async obtain(
    rejected: string | undefined,
    obtain: () => Promise<AccessToken>,
    background = false,
  ): Promise<AccessToken> {
    const { store, key, clock, random, newId } = this.#parts;
    const leaseKey = `${key}:lease`;
    const lease = newId();
    for (const giveUpAt = clock.now() + LEASE_MS; clock.now() < giveUpAt; ) {
      const found = await this.#read(rejected);
      if (found) return found;

      const taken = await this.#try('lease token', () => store.setIfAbsent(leaseKey, lease, { ttlMs: LEASE_MS }));
      if (taken === undefined) break;
      if (taken) {
        try {
          return (await this.#read(rejected)) ?? (await this.#keep(await obtain()));
        } finally {
          await this.#try('release token lease', () => store.compareAndDelete(leaseKey, lease));
        }
      }
      await sleep(clock, LOOK_AGAIN_MS * (1 + random()), undefined, { background });
    }
    return obtain();
  }

  async #read(rejected: string | undefined): Promise<AccessToken | undefined> {
    const { store, key, clock } = this.#parts;
    const text = await this.#try('read token', () => store.get(key));
    const token = parseToken(text);
    return isUsable(token, clock.now()) && token.value !== rejected ? token : undefined;
  }

  async #keep(token: AccessToken): Promise<AccessToken> {
    const { store, key, clock } = this.#parts;
    const ttlMs = Math.max(1, token.expiresAt - clock.now());
    await this.#try('write token', () => store.set(key, JSON.stringify(token), { ttlMs }));
    return token;
  }

  async #try<T>(operation: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#parts.observer.tell('store', { operation, error });
      return undefined;
    }
  }
}

function parseToken(text: string | undefined): AccessToken | undefined {
  if (text === undefined) return undefined;
  try {
    const token = JSON.parse(text) as Partial<AccessToken> | null;
    if (typeof token?.value !== 'string' || typeof token.expiresAt !== 'number') return undefined;
    return { value: token.value, expiresAt: token.expiresAt };
  } catch {
    return undefined;
  }
}
