import { nodeBuiltin } from '../../../platform/node-builtin.js';

/** HMAC with SHA-256: by Node where it is there, which costs a few microseconds, else by the Web Crypto of the runtime. */
export async function hmacSha256(key: Uint8Array, data: Uint8Array): Promise<Uint8Array> {
  const crypto = nodeBuiltin('node:crypto');
  if (crypto) return crypto.createHmac('sha256', key).update(data).digest();
  const { subtle } = globalThis.crypto;
  const imported = await subtle.importKey('raw', bytes(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await subtle.sign('HMAC', imported, bytes(data)));
}

/** Web Crypto wants bytes of a buffer that nobody shares. */
function bytes(data: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(data);
}

export function toBase64Url(data: Uint8Array): string {
  return btoa(String.fromCharCode(...data))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
