import { WebhookVerificationError } from '../../errors/webhook.js';
import { type Clock, systemClock } from '../../platform/clock.js';
import { parseEvent, type ReceivedEvent } from '../event/events.js';
import { decodeSignature } from '../signature/decode-signature.js';
import type { DeliveryHeaders } from '../signature/delivery-headers.js';
import { type DeliverySignature, readSignature } from '../signature/delivery-signature.js';
import { asRawBody, type RawBody } from '../signature/raw-body.js';
import { hmacKeyOf, nodeHmac, webCrypto } from '../signature/runtime-crypto.js';
import { type SignatureScheme, serviceSignature } from '../signature/signature-scheme.js';
import { hmacKey, signedBytes, signedPieces } from '../signature/signed-content.js';
import { type SigningSecret, type SigningSecrets, secretList } from '../signature/signing-secrets.js';

/** How a delivery is verified. */
export interface ConstructEventOptions {
  /** How deliveries are signed. @defaultValue serviceSignature */
  scheme?: SignatureScheme | undefined;
  /** The time that a time-stamped scheme compares with. @defaultValue the system's clock */
  clock?: Clock | undefined;
}

/**
 * Gives the event of a webhook delivery, after checking that the service signed it. Throws otherwise: there is no
 * result that could be mistaken for a verified event.
 *
 * Synchronous, over `node:crypto` (Node, Bun, Deno); elsewhere use {@link constructEventAsync}.
 *
 * @param rawBody - The body as it was sent, before any parser: text, `Buffer`, `Uint8Array` or `ArrayBuffer`.
 * @param headersOrSignature - The request's headers (a record or `Headers`), or the value of the signature header.
 * @param secretOrSecrets - `signing_secret` of the subscription; several while it is being replaced.
 * @returns The event. An event type that this package does not know has `known: false` and `data: unknown`.
 * @throws {WebhookVerificationError} Its `reason` says which check failed.
 * @throws {ConfigurationError} A secret is empty, or the runtime has no synchronous HMAC.
 * @see Interface document, "Events"; gaps SIG-1 and SIG-2
 * @example
 * const event = constructEvent(rawBody, request.headers, process.env.WEBHOOK_SECRET!);
 * if (event.known && event.event_type === 'order.created') await save(event.data.order_id);
 */
export function constructEvent(
  rawBody: RawBody,
  headersOrSignature: DeliveryHeaders | string,
  secretOrSecrets: SigningSecrets,
  options: ConstructEventOptions = {},
): ReceivedEvent {
  const secrets = secretList(secretOrSecrets);
  const delivery = openDelivery(rawBody, headersOrSignature, options);
  if (findSecret(delivery, secrets) === undefined) throw noMatch(delivery.scheme);
  return parseEvent(delivery.body);
}

/**
 * Does what {@link constructEvent} does, over WebCrypto, in every runtime (Workers, Deno, Bun, Node).
 *
 * @throws {WebhookVerificationError} Its `reason` says which check failed. Await the result: without `await`, nothing
 * has been verified.
 * @throws {ConfigurationError} A secret is empty.
 * @see Interface document, "Events"; gaps SIG-1 and SIG-2
 */
export async function constructEventAsync(
  rawBody: RawBody,
  headersOrSignature: DeliveryHeaders | string,
  secretOrSecrets: SigningSecrets,
  options: ConstructEventOptions = {},
): Promise<ReceivedEvent> {
  const secrets = secretList(secretOrSecrets);
  const delivery = openDelivery(rawBody, headersOrSignature, options);
  if ((await findSecretAsync(delivery, secrets)) === undefined) throw noMatch(delivery.scheme);
  return parseEvent(delivery.body);
}

/** A delivery whose signature has been found, and not yet compared. */
export interface OpenDelivery {
  readonly body: string | Uint8Array;
  readonly scheme: SignatureScheme;
  readonly signature: DeliverySignature;
}

/** Reads body and signature of a delivery; throws when one of them cannot be read. */
export function openDelivery(
  rawBody: unknown,
  headersOrSignature: DeliveryHeaders | string,
  options: ConstructEventOptions,
): OpenDelivery {
  const scheme = options.scheme ?? serviceSignature;
  const body = asRawBody(rawBody);
  const signature = readSignature(scheme, headersOrSignature, options.clock ?? systemClock);
  return { body, scheme, signature };
}

/** The secret that made one of the delivery's signatures. */
export function findSecret(delivery: OpenDelivery, secrets: readonly SigningSecret[]): SigningSecret | undefined {
  const { body, scheme, signature } = delivery;
  const modules = nodeHmac('constructEventAsync');
  const { crypto, expected, given } = modules;
  for (const secret of secrets) {
    const hmac = crypto.createHmac('sha256', hmacKeyOf(secret, modules));
    if (scheme.signedContent === 'body') hmac.update(body);
    else for (const piece of signedPieces(scheme, delivery)) hmac.update(piece);
    // As text into bytes kept for this: a fifth cheaper than the Buffer that `digest()` makes for each call.
    expected.write(hmac.digest('binary'), 0, 32, 'binary');
    for (const candidate of signature.candidates) {
      // Both sides always have 32 bytes: what cannot be decoded to 32 is not compared.
      const bytes = decodeSignature(candidate, scheme.encoding, given);
      if (bytes && crypto.timingSafeEqual(expected, bytes)) return secret;
    }
  }
  return undefined;
}

/** As {@link findSecret}, over WebCrypto, whose `verify` compares in constant time. */
export async function findSecretAsync(
  delivery: OpenDelivery,
  secrets: readonly SigningSecret[],
): Promise<SigningSecret | undefined> {
  const content = signedBytes(signedPieces(delivery.scheme, delivery));
  for (const secret of secrets) {
    const key = await hmacKey(secret, 'verify');
    for (const candidate of delivery.signature.candidates) {
      const bytes = decodeSignature(candidate, delivery.scheme.encoding);
      if (bytes && (await webCrypto().verify('HMAC', key, bytes, content))) return secret;
    }
  }
  return undefined;
}

/** The refusal of a signature that no secret made. */
export function noMatch(scheme: SignatureScheme): WebhookVerificationError {
  return new WebhookVerificationError(
    'no_match',
    `The signature in ${scheme.header} does not match: the secret is another subscription's, or the body was parsed ` +
      'and written again.',
  );
}
