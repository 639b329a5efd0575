import type { Receive } from '../delivery.js';
import { type DeliveryResult, methodNotAllowed } from '../delivery-result.js';
import { bodyTooLarge } from '../raw-body.js';
import { concatenate } from './request-stream.js';

/** What keeps a Worker alive after its answer: the execution context. */
export interface BackgroundWork {
  waitUntil(work: Promise<unknown>): void;
}

const advice =
  'Call receiver.fetch before request.json() or a validator reads the request, or with request.clone(). Hono: ' +
  'receiver.fetch(c.req.raw)';

/** Receives a delivery as a `Request`. */
export async function receiveFetch(receive: Receive, maxBodyBytes: number, request: Request): Promise<Response> {
  const { status, headers, body } = await answer(receive, maxBodyBytes, request);
  return new Response(body, { status, headers });
}

async function answer(receive: Receive, maxBodyBytes: number, request: Request): Promise<DeliveryResult> {
  if (request.method !== 'POST') return methodNotAllowed();
  const { headers } = request;
  if (request.bodyUsed) return receive({ body: undefined, headers, advice });
  const body = await readBody(request, maxBodyBytes);
  return receive({ body, headers, advice, refusal: body ? undefined : bodyTooLarge(maxBodyBytes) });
}

async function readBody(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return undefined;
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concatenate(chunks, length);
    length += value.byteLength;
    if (length > maxBytes) {
      await reader.cancel().catch(() => {});
      return undefined;
    }
    chunks.push(value);
  }
}
