import type { KeyObject } from 'node:crypto';
import { ConfigurationError } from '../../errors/configuration.js';
import type { SigningSecret } from './signing-secrets.js';

interface NodeModules {
  readonly crypto: typeof import('node:crypto');
  readonly buffer: typeof import('node:buffer');
  /** Room for one HMAC-SHA256 on either side, used within one synchronous comparison. */
  readonly expected: Buffer;
  readonly given: Uint8Array<ArrayBuffer>;
}

let found: NodeModules | undefined;

let last: { readonly secret: SigningSecret; readonly key: KeyObject } | undefined;

/** A secret as a key that `createHmac` need not prepare again: a twentieth of a verified webhook of 1 KB. */
export function hmacKeyOf(secret: SigningSecret, { crypto, buffer }: NodeModules): KeyObject | SigningSecret {
  if (typeof secret !== 'string') return secret;
  if (last?.secret !== secret) last = { secret, key: crypto.createSecretKey(buffer.Buffer.from(secret)) };
  return last.key;
}

/** Node's modules where there are some. Asked for at run time, so that bundlers for other runtimes see no import. */
export function nodeModules(): NodeModules | undefined {
  if (found) return found;
  const load = globalThis.process?.getBuiltinModule;
  if (typeof load !== 'function') return undefined;
  const crypto = load('node:crypto');
  const buffer = load('node:buffer');
  if (!crypto?.createHmac || !buffer) return undefined;
  found = { crypto, buffer, expected: buffer.Buffer.alloc(32), given: new Uint8Array(32) };
  return found;
}

/** Node's modules, or an error that names the asynchronous way. */
export function nodeHmac(asyncName: string): NodeModules {
  const modules = nodeModules();
  if (modules) return modules;
  throw new ConfigurationError(`No process.getBuiltinModule here: call ${asyncName} instead.`);
}

type WebCrypto = typeof globalThis.crypto.subtle;
export type WebCryptoKey =
  Awaited<ReturnType<WebCrypto['generateKey']>> extends infer Key ? Exclude<Key, { privateKey: unknown }> : never;

/** WebCrypto, which every supported runtime has. */
export function webCrypto(): WebCrypto {
  return globalThis.crypto.subtle;
}
