import type { Clock } from '../platform/clock.js';
import type { Store } from './store.js';

/** 256 bits from which the key that seals is derived. */
export type SealSecret = string | Uint8Array;

export interface SealDeps {
  /** Reads what the keys are derived from; all processes that share the store have it, and the store never does. */
  readonly readSecret: () => SealSecret | Promise<SealSecret>;
  /** Address and client id: a text sealed for one partner opens for no other. */
  readonly context: string;
  /** Web Crypto works in threads that a virtual clock cannot see: its time stands still meanwhile. */
  readonly clock?: Clock;
}

type Key = Awaited<ReturnType<typeof crypto.subtle.deriveKey>>;

/** One key for each use, all derived from one secret. */
interface Keys {
  readonly seal: Key;
  readonly digest: Key;
}

const FORMAT = 'sealed:1:';
const IV_BYTES = 12;

/**
 * Seals texts with AES-256-GCM under a key derived (HKDF-SHA-256) from a secret that is kept elsewhere.
 *
 * The key is derived when it is first needed, and again when a text does not open: the secret may have been replaced.
 */
export class Seal {
  readonly #deps: SealDeps;
  #keys: Promise<Keys> | undefined;

  constructor(deps: SealDeps) {
    this.#deps = deps;
  }

  /** The sealed text; it opens only together with `name`, so that it cannot be moved to another key of the store. */
  async seal(text: string, name: string): Promise<string> {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    // Derived anew: what was obtained with a replaced secret is sealed with it.
    const { seal } = await this.#derive();
    const sealed = await this.#atWork(() => crypto.subtle.encrypt(cipher(iv, name), seal, bytesOf(text)));
    return FORMAT + toBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
  }

  /** The text, or `undefined` where it was sealed with another secret, for another name, or not at all. */
  async open(stored: string, name: string): Promise<string | undefined> {
    const bytes = stored.startsWith(FORMAT) ? fromBase64(stored.slice(FORMAT.length)) : undefined;
    if (!bytes || bytes.length <= IV_BYTES) return undefined;
    const opened = ({ seal }: Keys) => this.#atWork(() => decrypt(bytes, name, seal));
    const before = this.#keys && (await opened(await this.#keys));
    return before ?? opened(await this.#derive());
  }

  /**
   * A digest by which two texts can be compared, and nothing be found by trying: it needs the secret. It begins with a
   * mark of the secret, up to a colon: digests under different marks cannot be compared.
   */
  async digest(text: string, name: string): Promise<string> {
    const { digest } = await (this.#keys ?? this.#derive());
    const sign = async (signed: string) =>
      toBase64(new Uint8Array(await this.#atWork(() => crypto.subtle.sign('HMAC', digest, bytesOf(signed)))));
    return `${(await sign('mark')).slice(0, 8)}:${await sign(`${name}\n${text}`)}`;
  }

  #derive(): Promise<Keys> {
    const derived = this.#readAndDerive();
    this.#keys = derived;
    derived.catch(() => {
      if (this.#keys === derived) this.#keys = undefined;
    });
    return derived;
  }

  /** Reading the secret may wait for the clock, and is no work of a thread. */
  async #readAndDerive(): Promise<Keys> {
    const secret = await this.#deps.readSecret();
    return this.#atWork(() => deriveKeys(secret, this.#deps.context));
  }

  #atWork<T>(work: () => Promise<T>): Promise<T> {
    const { clock } = this.#deps;
    return clock?.during ? clock.during(work) : work();
  }
}

function cipher(iv: Uint8Array<ArrayBuffer>, name: string) {
  return { name: 'AES-GCM', iv, additionalData: bytesOf(name) };
}

async function decrypt(bytes: Uint8Array<ArrayBuffer>, name: string, key: Key): Promise<string | undefined> {
  try {
    const opened = await crypto.subtle.decrypt(cipher(bytes.slice(0, IV_BYTES), name), key, bytes.slice(IV_BYTES));
    return new TextDecoder().decode(opened);
  } catch {
    return undefined;
  }
}

async function deriveKeys(secret: SealSecret, context: string): Promise<Keys> {
  const bytes = typeof secret === 'string' ? bytesOf(secret) : new Uint8Array(secret);
  const base = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey']);
  const derive = (use: string, algorithm: { name: string; length: number; hash?: string }, usages: KeyUse[]) => {
    const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: bytesOf(context), info: bytesOf(`online-ordering-sdk ${use}`) };
    return crypto.subtle.deriveKey(hkdf, base, algorithm, false, usages);
  };
  const [seal, digest] = await Promise.all([
    derive('seal', { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt']),
    derive('digest', { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign']),
  ]);
  return { seal, digest };
}

type KeyUse = 'encrypt' | 'decrypt' | 'sign';

/**
 * A store whose values are sealed where they are set and got. What is only compared (a lease) is no secret, and stays as
 * it is.
 */
export function sealedStore(store: Store, seal: Seal): Store {
  return {
    ...passedThrough(store),
    async get(key) {
      const stored = await store.get(key);
      return stored === undefined ? undefined : seal.open(stored, key);
    },
    async set(key, value, options) {
      await store.set(key, await seal.seal(value, key), options);
    },
  };
}

function passedThrough(store: Store): Pick<Store, 'setIfAbsent' | 'compareAndSet' | 'compareAndDelete'> {
  return {
    setIfAbsent: (key, value, options) => store.setIfAbsent(key, value, options),
    compareAndSet: (key, expected, value, options) => store.compareAndSet(key, expected, value, options),
    compareAndDelete: (key, expected) => store.compareAndDelete(key, expected),
  };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
