import type { DeliverySignature } from './delivery-signature.js';
import { type WebCryptoKey, webCrypto } from './runtime-crypto.js';
import type { SignatureScheme } from './signature-scheme.js';
import type { SigningSecret } from './signing-secrets.js';

const encoder = /* @__PURE__ */ new TextEncoder();

/** The pieces that a scheme signs, in their order. */
export function signedPieces(
  scheme: SignatureScheme,
  delivery: { body: string | Uint8Array; signature: Pick<DeliverySignature, 'timestamp' | 'header'> },
): readonly (string | Uint8Array)[] {
  if (scheme.signedContent === 'body') return [delivery.body];
  const { timestamp, header } = delivery.signature;
  return scheme.signedContent({ body: delivery.body, timestamp, header });
}

/** The pieces as one run of bytes, which WebCrypto asks for. A single run of bytes is not copied. */
export function signedBytes(pieces: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  return concatenate(pieces.map((piece) => (typeof piece === 'string' ? encoder.encode(piece) : piece)));
}

/** The secret as a WebCrypto key. */
export function hmacKey(secret: SigningSecret, usage: 'sign' | 'verify'): Promise<WebCryptoKey> {
  const bytes = typeof secret === 'string' ? encoder.encode(secret) : (secret as Uint8Array<ArrayBuffer>);
  return webCrypto().importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage]);
}

/** Chunks as one run of bytes; a single one is not copied. */
export function concatenate(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  if (chunks.length === 1) return chunks[0] as Uint8Array<ArrayBuffer>;
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
