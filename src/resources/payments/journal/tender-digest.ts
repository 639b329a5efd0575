import { ConfigurationError, RequestValidationError } from '../../../errors/local.js';
import type { Clock } from '../../../platform/clock.js';
import { unlessAborted } from '../../../platform/unless-aborted.js';
import { sortKeys, type Tender } from '../tender-body.js';
import { digestTender, type FormerDigest } from './former-digest.js';
import { DEFAULT_OPERATION_MS } from './journal-access.js';
import { hmacSha256, toBase64Url } from './keyed-hash.js';

/** What a digest in the journal tells of a tender: `'other_key'` says that it cannot be told without the former key. */
export type DigestMatch = 'same' | 'other_tender' | 'other_key';

/** A tender as the journal may know it. */
export interface TenderDigest {
  /** Tells whether a tender given later is the same instrument; the amount is compared apart. */
  readonly digest: string;
  /** Tells whether a repetition has the bytes of the first request. */
  ofBody(body: object): Promise<string>;
  /** Compares with the digest of an entry, those of release 0.1.0 included. */
  matches(digest: string): Promise<DigestMatch>;
  /** Compares a body with the body digest of an entry. */
  matchesBody(bodyDigest: string, body: object): Promise<DigestMatch>;
}

/** Digests for one record of the journal, under keys made of its salt. */
export interface RecordDigests {
  /** @throws {RequestValidationError} The tender holds what JSON cannot write. */
  of(tender: Tender): Promise<TenderDigest>;
}

export interface DigestKeys {
  /** @throws {ConfigurationError} The secret function failed, or took too long. */
  forRecord(salt: string, signal: AbortSignal): Promise<RecordDigests>;
}

export type KeySource = string | Uint8Array;

export interface DigestKeyOptions {
  /** The client option `payments.digestKey`; without it the client secret is the key. */
  readonly digestKey?: KeySource | undefined;
  /** Keys and client secrets of before, newest first. */
  readonly formerDigestKeys?: readonly KeySource[] | undefined;
  readonly readSecret: () => string | Promise<string>;
  readonly clock: Clock;
  /** Milliseconds for the secret function. @defaultValue 5000 */
  readonly operationMs?: number | undefined;
}

const SHORTEST_KEY_BYTES = 16;
const VERSION = '2';

export function newSalt(): string {
  return toBase64Url(globalThis.crypto.getRandomValues(new Uint8Array(16)));
}

/**
 * Keys for the digests of tenders. They are derived from the client secret, or from `payments.digestKey`, and stand
 * nowhere in the journal: a gift card number or a PIN cannot be found from a journal by trying. Each digest names its
 * key by six characters, so that a tender under another key is told apart from another tender.
 *
 * @throws {ConfigurationError} A key is shorter than 16 bytes.
 */
export function digestKeys(options: DigestKeyOptions): DigestKeys {
  const { digestKey, formerDigestKeys = [] } = options;
  if (digestKey !== undefined) checkKey('digestKey', digestKey);
  if (!Array.isArray(formerDigestKeys)) {
    throw new ConfigurationError('The option "payments.formerDigestKeys" is a list of keys or former client secrets.');
  }
  for (const key of formerDigestKeys) checkKey('formerDigestKeys', key);
  return {
    async forRecord(salt, signal) {
      const present = await deriveKey(digestKey ?? (await secretOf(options, signal)), salt);
      return { of: (tender) => digestOf({ tender, salt, present, former: formerDigestKeys }) };
    },
  };
}

function checkKey(option: string, key: unknown): void {
  const bytes = typeof key === 'string' ? new TextEncoder().encode(key) : key;
  if (bytes instanceof Uint8Array && bytes.length >= SHORTEST_KEY_BYTES) return;
  throw new ConfigurationError(
    `The option "payments.${option}" needs a text or bytes of at least ${SHORTEST_KEY_BYTES} bytes, ` +
      'for example 32 random ones; whoever knows it can try out card numbers against a journal.',
  );
}

function secretOf(
  { readSecret, clock, operationMs = DEFAULT_OPERATION_MS }: DigestKeyOptions,
  signal: AbortSignal,
): Promise<string> {
  const read = new Promise<string>((resolve, reject) => {
    const cancel = clock.setTimer(() => reject(secretMissing(`did not end within ${operationMs} ms`)), operationMs, {
      background: true,
    });
    new Promise<string>((done) => done(readSecret()))
      .then(resolve, (cause: unknown) => reject(secretMissing('failed (see the cause)', cause)))
      .finally(cancel);
  });
  return unlessAborted(read, signal);
}

function secretMissing(what: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(
    `The function of the option "clientSecret" ${what}, and without the secret the journal cannot recognise a tender. ` +
      'Nothing was sent. Call again when it works, or give the option payments: { digestKey }.',
    cause === undefined ? {} : { cause },
  );
}

interface DerivedKey {
  /** Names the key in a digest; another one for each record. */
  readonly id: string;
  mac(purpose: Purpose, text: string): Promise<string>;
}

type Purpose = 'tender' | 'body';
const encoder = new TextEncoder();

/** HKDF with SHA-256 (RFC 5869), one block for each purpose. */
async function deriveKey(source: KeySource, salt: string): Promise<DerivedKey> {
  const secret = typeof source === 'string' ? encoder.encode(source) : source;
  const extracted = await hmacSha256(encoder.encode(salt), secret);
  const expand = (purpose: string): Promise<Uint8Array> =>
    hmacSha256(extracted, encoder.encode(`online-ordering-sdk payments ${purpose}\u0001`));
  const [id, tender, body] = await Promise.all([expand('key id'), expand('tender'), expand('body')]);
  const keys: Record<Purpose, Uint8Array> = { tender, body };
  return {
    id: toBase64Url(id).slice(0, 6),
    mac: async (purpose, text) => toBase64Url((await hmacSha256(keys[purpose], encoder.encode(text))).subarray(0, 24)),
  };
}

interface Digested {
  readonly tender: Tender;
  readonly salt: string;
  readonly present: DerivedKey;
  readonly former: readonly KeySource[];
}

async function digestOf({ tender, salt, present, former }: Digested): Promise<TenderDigest> {
  const { amount: _, ...instrument } = tender;
  const text = toJson(sortKeys(instrument)).normalize();
  let formerDigest: Promise<FormerDigest> | undefined;
  const inFormerForm = (): Promise<FormerDigest> => {
    formerDigest ??= digestTender(tender, salt);
    return formerDigest;
  };
  const write = async (key: DerivedKey, purpose: Purpose, content: string): Promise<string> =>
    `${VERSION}.${key.id}.${await key.mac(purpose, content)}`;

  const compare = async (digest: string, purpose: Purpose, content: string): Promise<DigestMatch> => {
    const [, id] = digest.split('.');
    for (const key of [present, ...former]) {
      const derived = key === present ? present : await deriveKey(key as KeySource, salt);
      if (derived.id !== id) continue;
      return (await write(derived, purpose, content)) === digest ? 'same' : 'other_tender';
    }
    return 'other_key';
  };
  return {
    digest: await write(present, 'tender', text),
    ofBody: (body) => write(present, 'body', toJson(body)),
    async matches(digest) {
      if (digest.startsWith(`${VERSION}.`)) return compare(digest, 'tender', text);
      return (await inFormerForm()).digest === digest ? 'same' : 'other_tender';
    },
    async matchesBody(bodyDigest, body) {
      if (bodyDigest.startsWith(`${VERSION}.`)) return compare(bodyDigest, 'body', toJson(body));
      return (await inFormerForm()).ofBody(body) === bodyDigest ? 'same' : 'other_tender';
    },
  };
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    const message = 'a tender holds a value that JSON cannot write, such as a BigInt or a circle';
    throw new RequestValidationError(`tenders: ${message}. Nothing was sent.`, {
      problems: [{ field: 'tenders', message: `${message} (${cause instanceof Error ? cause.name : typeof cause})` }],
    });
  }
}
