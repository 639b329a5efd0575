import type { Receive } from '../delivery/delivery.js';
import { type DeliveryResult, methodNotAllowed } from '../delivery/delivery-result.js';
import { readBody } from './read-body.js';

/** What keeps a Worker alive after its response: the execution context. */
export interface BackgroundWork {
  /** Keeps the runtime alive until the promise settles. */
  waitUntil(work: Promise<unknown>): void;
}

/** Receives a delivery as a `Request`. */
export async function receiveFetch(receive: Receive, maxBodyBytes: number, request: Request): Promise<Response> {
  const { status, headers, body } = await receiveRequest(receive, maxBodyBytes, request);
  return new Response(body, { status, headers });
}

async function receiveRequest(receive: Receive, maxBodyBytes: number, request: Request): Promise<DeliveryResult> {
  if (request.method !== 'POST') return methodNotAllowed();
  const { headers } = request;
  if (request.bodyUsed) return receive({ body: undefined, headers });
  return receive({ headers, ...(await readBody(request.body ?? [], maxBodyBytes)) });
}
