import type { Clock } from '../../platform/clock.js';
import type { Behaviour } from '../behaviour/behaviour.js';
import { conflict } from '../refusals/refusal.js';
import { forgetOldest } from '../state/keep.js';

const LIFE_MS = 24 * 3_600_000;

interface Entry<Reply> {
  readonly fingerprint: string;
  readonly expiresAtMs: number;
  reply: Reply | undefined;
  /** Settles when the first request with the key has its response; undefined when another one was faster. */
  running: Promise<void> | undefined;
}

/** The response of a key, as a later service gets it. */
export interface KeptReply<Reply> {
  /** Partner and key. */
  readonly name: string;
  readonly fingerprint: string;
  readonly expiresAtMs: number;
  readonly reply: Reply;
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

/** What becomes of a request whose key is being executed. */
export interface WhileInFlight {
  readonly inFlight: Behaviour['keysInFlight'];
  readonly wait: (running: Promise<void>) => Promise<void>;
}

/** Responses of writes by partner and key, for 24 hours on the service's clock. */
export class IdempotencyCache<Reply> {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry<Reply>>();

  readonly #keep: number;

  constructor(clock: Clock, keep: number) {
    this.#clock = clock;
    this.#keep = keep;
  }

  /** Executes once per key. What becomes of a request that comes while the first one runs, says `inFlight` (gap PAY-11). */
  async once(
    use: KeyUse,
    execute: () => Promise<Executed<Reply>>,
    { inFlight, wait }: WhileInFlight,
  ): Promise<{ reply: Reply; replayed: boolean }> {
    const name = `${use.partnerId} ${use.key.toLowerCase()}`;
    for (let entry = this.#live(name); entry; entry = this.#live(name)) {
      if (entry.fingerprint !== use.fingerprint) throw keyConflict();
      if (entry.reply !== undefined) return { reply: entry.reply, replayed: true };
      if (inFlight === 'conflict') throw keyInFlight();
      if (inFlight === 'run_twice') return { reply: await this.#again(name, entry, execute), replayed: false };
      await wait(entry.running!);
    }
    return { reply: await this.#first(name, use.fingerprint, execute), replayed: false };
  }

  /** Executes beside a request that runs; the first success of them is remembered. */
  async #again(name: string, beside: Entry<Reply>, execute: () => Promise<Executed<Reply>>): Promise<Reply> {
    const { reply, cacheable } = await execute();
    if (!cacheable) return reply;
    const entry = this.#live(name);
    if (entry) entry.reply ??= reply;
    else {
      const expiresAtMs = this.#clock.now() + LIFE_MS;
      this.#add(name, { fingerprint: beside.fingerprint, expiresAtMs, reply, running: undefined });
    }
    return reply;
  }

  get size(): number {
    return this.#entries.size;
  }

  reset(): void {
    this.#entries.clear();
  }

  /** Which response each key has. */
  kept(): KeptReply<Reply>[] {
    return [...this.#entries].flatMap(([name, { fingerprint, expiresAtMs, reply }]) =>
      reply === undefined ? [] : [{ name, fingerprint, expiresAtMs, reply }],
    );
  }

  restore(replies: readonly KeptReply<Reply>[]): void {
    for (const { name, ...entry } of replies) this.#entries.set(name, { ...entry, running: undefined });
  }

  async #first(name: string, fingerprint: string, execute: () => Promise<Executed<Reply>>): Promise<Reply> {
    const entry: Entry<Reply> = {
      fingerprint,
      expiresAtMs: this.#clock.now() + LIFE_MS,
      reply: undefined,
      running: undefined,
    };
    const forget = () => {
      if (this.#entries.get(name) === entry && entry.reply === undefined) this.#entries.delete(name);
    };
    this.#add(name, entry);
    const result = execute();
    entry.running = result.then(({ reply, cacheable }) => {
      if (cacheable) entry.reply ??= reply;
      else forget();
    }, forget);
    await entry.running;
    return (await result).reply;
  }

  /** Entries stand in the order in which they were made, and so in that in which they expire. */
  #add(name: string, added: Entry<Reply>): void {
    for (const [other, entry] of this.#entries) {
      if (entry.reply === undefined || entry.expiresAtMs > this.#clock.now()) break;
      this.#entries.delete(other);
    }
    this.#entries.set(name, added);
    forgetOldest(this.#entries, this.#keep);
  }

  #live(name: string): Entry<Reply> | undefined {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    const expired = entry.reply !== undefined && entry.expiresAtMs <= this.#clock.now();
    if (expired) this.#entries.delete(name);
    return expired ? undefined : entry;
  }
}

function keyInFlight() {
  return conflict(
    'Request with this Idempotency-Key is in progress',
    'The first request with this Idempotency-Key is still being executed. Repeat it later.',
  );
}

function keyConflict() {
  return conflict(
    'Idempotency key conflict',
    'The Idempotency-Key was used with another request. Use a new key for each operation.',
  );
}
