import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { headerRecord } from '../transport/request-text.js';

/** Bytes of a body; a menu is far below. */
const LONGEST_BODY = 5_000_000;

/** Methods that `fetch` does not know: no route has them. */
const UNKNOWN_TO_FETCH: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

/** The request as `fetch` knows it; undefined when its body is too long, which is read to its end all the same. */
export async function readRequest(request: IncomingMessage): Promise<Request | undefined> {
  const { method = 'GET' } = request;
  const headers = headerRecord(request.headers);
  const url = `http://workbench${request.url ?? '/'}`;
  if (UNKNOWN_TO_FETCH.has(method)) return new Request(url, { method: 'OPTIONS', headers });
  // Of a HEAD only the head is written.
  if (method === 'GET' || method === 'HEAD') return new Request(url, { headers });
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length <= LONGEST_BODY) chunks.push(chunk as Buffer);
  }
  if (length > LONGEST_BODY) return undefined;
  return new Request(url, { method, headers, body: length === 0 ? null : Buffer.concat(chunks) });
}

/** Writes a response as it comes, and ends its body when the reader goes. */
export async function writeResponse(from: Response, to: ServerResponse): Promise<void> {
  to.writeHead(from.status, {
    ...Object.fromEntries(from.headers),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  });
  if (!from.body || to.req.method === 'HEAD') {
    await from.body?.cancel();
    to.end();
    return;
  }
  to.flushHeaders();
  const reader = from.body.getReader();
  const leave = (): void => void reader.cancel().catch(() => {});
  to.once('close', leave);
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (!to.write(part.value)) await drained(to);
  }
  to.off('close', leave);
  to.end();
}

/** Resolves when there is room again, or nobody reads any more. */
function drained(to: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      to.off('drain', done);
      to.off('close', done);
      resolve();
    };
    to.once('drain', done);
    to.once('close', done);
    if (to.destroyed) done();
  });
}
