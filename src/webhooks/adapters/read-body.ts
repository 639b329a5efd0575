import { concatenate } from '../signature/signed-content.js';

/** Beyond the limit a body is read on and thrown away, so that its sender hears why; beyond this multiple it is cut off. */
const PATIENCE = 16;

/** Reads a body to its end; `undefined` when it is longer than allowed. */
export async function readBody(
  chunks: AsyncIterable<unknown> | Iterable<unknown>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += (chunk as Uint8Array).byteLength;
    if (length <= maxBytes) kept.push(chunk as Uint8Array);
    else if (length > maxBytes * PATIENCE) break;
    else kept.length = 0;
  }
  return length > maxBytes ? undefined : concatenate(kept);
}
