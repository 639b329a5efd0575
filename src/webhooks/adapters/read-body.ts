import type { WebhookVerificationError } from '../../errors/webhook.js';
import { bodyTooLarge, parsedBody } from '../signature/raw-body.js';
import { concatenate } from '../signature/signed-content.js';

/** Beyond the limit a body is read on and thrown away, so that its sender gets a response; beyond this multiple it is cut off. */
const PATIENCE = 16;

export interface BodyReading {
  /** `undefined` for a body that is longer than allowed, or whose stream gives text in place of bytes. */
  readonly body: Uint8Array | undefined;
  readonly refusal: WebhookVerificationError | undefined;
}

/** Reads a body to its end. */
export async function readBody(
  chunks: AsyncIterable<unknown> | Iterable<unknown>,
  maxBytes: number,
): Promise<BodyReading> {
  const kept: Uint8Array[] = [];
  let length = 0;
  let isText = false;
  for await (const chunk of chunks) {
    // The stream decodes (`setEncoding`): the bytes that were signed are gone.
    isText ||= typeof chunk === 'string';
    length += typeof chunk === 'string' ? chunk.length : (chunk as Uint8Array).byteLength;
    if (length > maxBytes * PATIENCE) break;
    if (!isText && length <= maxBytes) kept.push(chunk as Uint8Array);
    else kept.length = 0;
  }
  if (isText) return { body: undefined, refusal: parsedBody('was decoded by its stream (setEncoding)') };
  if (length > maxBytes) return { body: undefined, refusal: bodyTooLarge(maxBytes) };
  return { body: concatenate(kept), refusal: undefined };
}
