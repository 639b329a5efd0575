import type { Receive } from '../delivery.js';
import { type DeliveryResult, methodNotAllowed } from '../delivery-result.js';
import { bodyTooLarge } from '../raw-body.js';
import { type NodeRequest, readRequest } from './request-stream.js';

/** What is written to a response of `node:http`, and of the frameworks over it. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: string): unknown;
}

/** A handler of requests for `node:http`, Connect and Express. */
export type NodeHandler = (request: NodeRequest, response: NodeResponse) => Promise<void>;

const advice =
  'Express: mount the route before app.use(express.json()), or put express.raw({ type: "*/*" }) before receiver.express';

export function nodeHandler(receive: Receive, maxBodyBytes: number): NodeHandler {
  return async (request, response) => {
    const result = await answer(request).catch(() => undefined);
    // Without a result the sender is gone, and nobody waits for an answer.
    if (!result) return;
    const closing: Record<string, string> = result.status === 413 ? { connection: 'close' } : {};
    response.writeHead(result.status, { ...result.headers, ...closing });
    response.end(result.body);
  };

  async function answer(request: NodeRequest): Promise<DeliveryResult> {
    if (request.method !== 'POST') {
      request.resume();
      return methodNotAllowed();
    }
    const { headers } = request;
    const kept = [request.rawBody, request.body].find(isRaw);
    // Somebody has read the stream and left no raw body: whatever they left is refused, with the advice.
    if (kept !== undefined || request.readableDidRead) return receive({ body: kept ?? request.body, headers, advice });
    const body = await readRequest(request, maxBodyBytes);
    return receive({ body, headers, advice, refusal: body ? undefined : bodyTooLarge(maxBodyBytes) });
  }
}

function isRaw(body: unknown): boolean {
  return typeof body === 'string' || ArrayBuffer.isView(body);
}
