import { type Clock, monotonicNow } from '../../platform/clock.js';
import { within } from '../../platform/within.js';
import { type SigningSecret, type SigningSecrets, secretList } from '../signature/signing-secrets.js';

/**
 * Secrets, or a function that gives them, so that a rotated secret needs no restart: it is called for each delivery that
 * the secrets known so far have signed, and for others at most five times in 10 seconds.
 */
export type SecretsSource = SigningSecrets | (() => SigningSecrets | Promise<SigningSecrets>);

/** How often the function is called for deliveries without a match: forged ones must not flood a secret manager. */
const MOST_CALLS = 5;
const CALLS_WITHIN_MS = 10_000;

export interface SecretSourceOptions {
  readonly name: 'secrets' | 'retiredSecrets';
  readonly source: SecretsSource;
  readonly clock: Clock;
  /** How long the function may take. */
  readonly limitMs: number;
}

/** The secrets of a receiver, from an option that is a list or a function. */
export class SecretSource {
  readonly #options: SecretSourceOptions;
  readonly #load: (() => SigningSecrets | Promise<SigningSecrets>) | undefined;
  #known: readonly SigningSecret[] | undefined;
  #loading: Promise<readonly SigningSecret[]> | undefined;
  /** When the function was called for deliveries without a match. */
  #calls: number[] = [];

  constructor(options: SecretSourceOptions) {
    this.#options = options;
    const { source } = options;
    if (typeof source === 'function') this.#load = source;
    else this.#known = this.#checked(source);
  }

  /** The secrets of the last call; none before the first one. */
  get known(): readonly SigningSecret[] {
    return this.#known ?? [];
  }

  /** The secrets as they are now. */
  async current(): Promise<readonly SigningSecret[]> {
    return this.#load ? this.#refresh() : this.known;
  }

  /** The secrets as they are now, for a delivery that those known have not signed; none if that was asked too often. */
  async forUnknown(): Promise<readonly SigningSecret[]> {
    if (!this.#load) return [];
    const now = monotonicNow(this.#options.clock);
    this.#calls = this.#calls.filter((at) => now - at < CALLS_WITHIN_MS);
    if (this.#calls.length >= MOST_CALLS) return [];
    if (!this.#loading) this.#calls.push(now);
    return this.#refresh();
  }

  #refresh(): Promise<readonly SigningSecret[]> {
    const { clock, limitMs, name } = this.#options;
    this.#loading ??= within(clock, limitMs, `the function of the option "${name}"`, this.#load!)
      .then((secrets) => {
        this.#known = this.#checked(secrets);
        return this.#known;
      })
      .finally(() => {
        this.#loading = undefined;
      });
    return this.#loading;
  }

  #checked(secrets: SigningSecrets): readonly SigningSecret[] {
    const { name } = this.#options;
    // Only of those in use there must be one.
    const mayBeNone = name === 'retiredSecrets' && typeof secrets !== 'string';
    return mayBeNone && secrets.length === 0 ? [] : secretList(secrets, `The option ${name}`);
  }
}
