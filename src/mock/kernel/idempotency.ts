import type { Clock } from '../../platform/clock.js';
import { conflict } from './refusals.js';

const LIFE_MS = 24 * 3_600_000;

interface Entry<Reply> {
  readonly fingerprint: string;
  readonly expiresAtMs: number;
  reply: Reply | undefined;
  /** Settles when the first request with the key has been answered. */
  running: Promise<void> | undefined;
}

export interface Executed<Reply> {
  readonly reply: Reply;
  /** True for successes alone (Idempotency rules 2 and 3). */
  readonly cacheable: boolean;
}

export interface KeyUse {
  readonly partnerId: string;
  readonly key: string;
  /** Method, path and body: the same key with another operation is a conflict (rule 4). */
  readonly fingerprint: string;
}

/** Answers of writes by partner and key, for 24 hours on the service's clock. */
export class IdempotencyCache<Reply> {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry<Reply>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Executes once per key; a request that comes while the first one runs waits for its answer (gap PAY-11). */
  async once(
    use: KeyUse,
    execute: () => Promise<Executed<Reply>>,
    wait: (running: Promise<void>) => Promise<void>,
  ): Promise<{ reply: Reply; replayed: boolean }> {
    const name = `${use.partnerId} ${use.key.toLowerCase()}`;
    for (let entry = this.#live(name); entry; entry = this.#live(name)) {
      if (entry.fingerprint !== use.fingerprint) throw keyConflict();
      if (entry.reply !== undefined) return { reply: entry.reply, replayed: true };
      await wait(entry.running!);
    }
    return { reply: await this.#first(name, use.fingerprint, execute), replayed: false };
  }

  reset(): void {
    this.#entries.clear();
  }

  async #first(name: string, fingerprint: string, execute: () => Promise<Executed<Reply>>): Promise<Reply> {
    const entry: Entry<Reply> = {
      fingerprint,
      expiresAtMs: this.#clock.now() + LIFE_MS,
      reply: undefined,
      running: undefined,
    };
    const forget = () => {
      if (this.#entries.get(name) === entry) this.#entries.delete(name);
    };
    this.#entries.set(name, entry);
    const result = execute();
    entry.running = result.then(({ reply, cacheable }) => {
      if (cacheable) entry.reply = reply;
      else forget();
    }, forget);
    await entry.running;
    return (await result).reply;
  }

  #live(name: string): Entry<Reply> | undefined {
    const entry = this.#entries.get(name);
    if (!entry || entry.running === undefined) return entry;
    const expired = entry.reply !== undefined && entry.expiresAtMs <= this.#clock.now();
    if (expired) this.#entries.delete(name);
    return expired ? undefined : entry;
  }
}

function keyConflict() {
  return conflict(
    'Idempotency key conflict',
    'The Idempotency-Key was used with another request. Use a new key for each operation.',
  );
}
