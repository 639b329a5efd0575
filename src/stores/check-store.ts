import { brand, OnlineOrderingError } from '../errors/base.js';
import { ConfigurationError } from '../errors/configuration.js';
import { uniqueName } from '../platform/unique-name.js';
import type { Store } from './store.js';
import { realPass, STORE_RULES } from './store-rules.js';

/** Options of `checkStore`. */
export interface CheckStoreOptions {
  /**
   * The same state over another connection, as a second process has it: races between the two are what matters.
   * @defaultValue the store itself
   */
  other?: Store | undefined;
  /** How often each race is run. @defaultValue 100 */
  rounds?: number | undefined;
  /** Lets milliseconds pass for the store, where its time is a test's. @defaultValue waits */
  pass?: ((ms: number) => Promise<void>) | undefined;
  /** Before the keys that are written. @defaultValue a random one */
  prefix?: string | undefined;
}

/** A store broke rules of `Store`; every one of them is in `broken`. */
export class StoreRuleError extends OnlineOrderingError {
  /** The rules that the store broke, each with what was seen. */
  readonly broken: readonly BrokenStoreRule[];

  constructor(broken: readonly BrokenStoreRule[], options?: ErrorOptions) {
    const list = broken.map(({ rule, seen }) => `\n- ${rule}: ${seen}`).join('');
    super(`The store does not do what a store must (docs/stores.md):${list}`, options);
    this.broken = broken;
  }
}
brand(StoreRuleError, 'StoreRuleError');

/** A rule that a store broke. */
export interface BrokenStoreRule {
  /** The rule, as a sentence that should have been true of the store. */
  readonly rule: string;
  /** What the store did in its place. */
  readonly seen: string;
}

/**
 * Holds a store of your own against everything that the SDK relies on: texts, comparisons, lives, and races with one
 * winner each. It needs no test runner, writes only keys below a prefix of its own, and takes about two seconds.
 *
 * @returns The rules that hold, as sentences.
 * @throws {StoreRuleError} The store breaks some of them: `broken` names each.
 * @example
 * await checkStore(myStore(connection()), { other: myStore(connection()), rounds: 1000 });
 */
export async function checkStore(store: Store, options: CheckStoreOptions = {}): Promise<string[]> {
  const { other = store, rounds = 100, pass = realPass } = options;
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new ConfigurationError(`The option "rounds" is ${String(rounds)}; it must be a whole number from 1 on.`);
  }
  const prefix = options.prefix ?? `online-ordering:check:${uniqueName()}:`;
  const broken: BrokenStoreRule[] = [];
  const causes: unknown[] = [];
  for (const [index, { title, check }] of STORE_RULES.entries()) {
    const used = new Set<string>();
    const key = (name: string): string => {
      const full = `${prefix}${index}:${name}`;
      used.add(full);
      return full;
    };
    try {
      await check({ store, other, key, pass, rounds });
    } catch (error) {
      broken.push({ rule: title, seen: error instanceof Error ? error.message : String(error) });
      causes.push(error);
    }
    await forget(store, used);
  }
  if (broken.length > 0) throw new StoreRuleError(broken, { cause: causes[0] });
  return STORE_RULES.map(({ title }) => title);
}

/** Leaves as little behind as a store without a command to delete allows. */
async function forget(store: Store, keys: Iterable<string>): Promise<void> {
  for (const key of keys) {
    try {
      const value = await store.get(key);
      if (value !== undefined) await store.compareAndDelete(key, value);
    } catch {
      return;
    }
  }
}
