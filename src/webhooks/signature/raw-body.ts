import { WebhookVerificationError } from '../../errors/webhook.js';
import { nodeModules } from './runtime-crypto.js';

/** A body as it was sent. `Buffer` is a `Uint8Array`. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** The body without a copy, or the error that says how to keep it from being parsed. */
export function asRawBody(body: unknown): string | Uint8Array {
  if (typeof body === 'string') {
    if (body === '[object Object]') throw parsedBody('is an object as text');
    return body;
  }
  if (body instanceof Uint8Array) return body;
  // Buffers of another realm (Jest, vm) fail `instanceof`.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body as ArrayBuffer);
  throw parsedBody(body == null ? 'is missing' : 'is not the text that was sent');
}

/** The refusal of a body that is no longer what was sent. */
export function parsedBody(state: string): WebhookVerificationError {
  return new WebhookVerificationError(
    'body_parsed',
    `The webhook body ${state}; the signature covers the bytes that were sent. Express: mount the route before ` +
      'app.use(express.json()), or use express.raw(). Fastify: register receiver.fastify. Hono: ' +
      'receiver.fetch(c.req.raw). Others: request.text().',
  );
}

/** The refusal of a body beyond the limit. */
export function bodyTooLarge(maxBodyBytes: number): WebhookVerificationError {
  return new WebhookVerificationError(
    'body_too_large',
    `The webhook body is larger than ${maxBodyBytes} bytes (maxBodyBytes).`,
  );
}

/** The text of a body; bytes that are not UTF-8 are refused rather than replaced. */
export function bodyText(body: string | Uint8Array): string {
  if (typeof body === 'string') return body;
  const buffer = nodeModules()?.buffer;
  if (buffer?.isUtf8) {
    if (!buffer.isUtf8(body)) throw notUtf8();
    return (
      body instanceof buffer.Buffer ? body : buffer.Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    ).toString();
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw notUtf8();
  }
}

function notUtf8(): WebhookVerificationError {
  return new WebhookVerificationError('not_utf8', 'The webhook body is not UTF-8.');
}
