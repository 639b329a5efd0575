import type { Receive } from '../delivery/delivery.js';
import { type DeliveryResult, methodNotAllowed } from '../delivery/delivery-result.js';
import { readBody } from './read-body.js';

/** What is read of a request of `node:http`, and of the frameworks over it. */
export interface NodeRequest extends AsyncIterable<unknown> {
  /** HTTP method; everything but `POST` is refused. */
  readonly method?: string | undefined;
  /** Headers, names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether the stream has been read from. */
  readonly readableDidRead?: boolean | undefined;
  /** What a parser left: Express and others. */
  readonly body?: unknown;
  /** What some hosts keep beside the parsed body. */
  readonly rawBody?: unknown;
}

/** What is written to a response of `node:http`, and of the frameworks over it. */
export interface NodeResponse {
  /** Writes status and headers. */
  writeHead(status: number, headers: Record<string, string>): unknown;
  /** Writes the body, and ends the response. */
  end(body: string): unknown;
}

/** A handler of requests for `node:http`, Connect and Express. */
export type NodeHandler = (request: NodeRequest, response: NodeResponse) => Promise<void>;

export function nodeHandler(receive: Receive, maxBodyBytes: number): NodeHandler {
  return async (request, response) => {
    const result = await receiveRequest(request).catch(() => undefined);
    // Without a result the sender has left, and no response is needed.
    if (!result) return;
    response.writeHead(result.status, { ...result.headers });
    response.end(result.body);
  };

  async function receiveRequest(request: NodeRequest): Promise<DeliveryResult> {
    if (request.method !== 'POST') return methodNotAllowed();
    const { headers } = request;
    const kept = [request.rawBody, request.body].find(isRaw);
    // The stream was read before, and no raw body was kept: the body is refused, and the message says what to do.
    if (kept !== undefined || request.readableDidRead) return receive({ body: kept ?? request.body, headers });
    return receive({ headers, ...(await readBody(request, maxBodyBytes)) });
  }
}

function isRaw(body: unknown): boolean {
  return typeof body === 'string' || ArrayBuffer.isView(body);
}
