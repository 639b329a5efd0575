import { type Clock, systemClock } from '../../platform/clock.js';
import { asRawBody, type RawBody } from './raw-body.js';
import { nodeHmac, webCrypto } from './runtime-crypto.js';
import { type SignatureScheme, serviceSignature } from './signature-scheme.js';
import { hmacKey, signedBytes, signedPieces } from './signed-content.js';
import { type SigningSecret, secretList } from './signing-secrets.js';

/** How a payload is signed for a test. */
export interface SignPayloadOptions {
  /** How to sign. @defaultValue serviceSignature */
  scheme?: SignatureScheme | undefined;
  /** The time stamp of a scheme that has one. @defaultValue the system's clock */
  clock?: Clock | undefined;
}

/**
 * Signs a payload as the service does, for your tests: gives the headers of a delivery.
 *
 * @param payload - The exact body that will be sent.
 * @returns The signature's header (hex), and the time stamp's where the scheme has one.
 * @throws {ConfigurationError} The secret is empty, or the runtime has no synchronous HMAC.
 * @see Interface document, "Events"; gaps SIG-1 and SIG-2
 * @example
 * const body = JSON.stringify(event);
 * await fetch(url, { method: 'POST', body, headers: signPayload(body, secret) });
 */
export function signPayload(
  payload: RawBody,
  secret: SigningSecret,
  options: SignPayloadOptions = {},
): Record<string, string> {
  const [key] = secretList(secret);
  const signing = prepare(payload, options);
  const hmac = nodeHmac('signPayloadAsync').crypto.createHmac('sha256', key!);
  for (const piece of signing.pieces) hmac.update(piece);
  return signing.headers(hmac.digest());
}

/**
 * Does what {@link signPayload} does, over WebCrypto, in every runtime.
 *
 * @throws {ConfigurationError} The secret is empty.
 * @see Interface document, "Events"; gaps SIG-1 and SIG-2
 */
export async function signPayloadAsync(
  payload: RawBody,
  secret: SigningSecret,
  options: SignPayloadOptions = {},
): Promise<Record<string, string>> {
  const [key] = secretList(secret);
  const signing = prepare(payload, options);
  const mac = await webCrypto().sign('HMAC', await hmacKey(key!, 'sign'), signedBytes(signing.pieces));
  return signing.headers(new Uint8Array(mac));
}

function prepare(payload: RawBody, { scheme = serviceSignature, clock = systemClock }: SignPayloadOptions) {
  const { timestamp: place } = scheme;
  const timestamp = place ? String(place.unit === 'seconds' ? Math.floor(clock.now() / 1000) : clock.now()) : '';
  const pieces = signedPieces(scheme, { body: asRawBody(payload), signature: { timestamp, header: () => undefined } });
  const headers = (mac: Uint8Array): Record<string, string> => {
    const signature = scheme.encoding === 'base64' ? btoa(String.fromCharCode(...mac)) : hex(mac);
    if (!place) return { [scheme.header]: signature };
    if (place.header === undefined) return { [scheme.header]: `t=${timestamp},v1=${signature}` };
    return { [place.header]: timestamp, [scheme.header]: signature };
  };
  return { pieces, headers };
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
