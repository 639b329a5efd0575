import type { WebhookVerificationError } from '../../errors/webhook.js';
import type { Receive } from '../delivery/delivery.js';
import { type DeliveryResult, methodNotAllowed } from '../delivery/delivery-result.js';
import { readBody } from './read-body.js';

/** What is used of a Fastify instance. */
export interface FastifyLike {
  /** Takes the parsers away, within the plugin only. */
  removeAllContentTypeParsers(): unknown;
  /** Adds the parser that keeps the bytes as they came. */
  addContentTypeParser(
    contentType: string,
    parser: (request: FastifyRequestLike, payload: AsyncIterable<unknown>) => Promise<unknown>,
  ): unknown;
  /** Adds the route that takes deliveries. */
  route(options: {
    method: string | string[];
    url: string;
    handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>;
  }): unknown;
}

/** What is read of a request of Fastify. */
export interface FastifyRequestLike {
  /** The body as the plugin's own parser leaves it: the bytes that were sent. */
  readonly body: unknown;
  /** Headers, names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What is written to a reply of Fastify. */
export interface FastifyReplyLike {
  /** Sets the status. */
  code(status: number): unknown;
  /** Sets headers. */
  headers(headers: Record<string, string>): unknown;
  /** Sends the body, and ends the response. */
  send(body: string): unknown;
}

/** Options of the plugin's route. */
export interface FastifyRouteOptions {
  /** Path of the route. @defaultValue '/' below the prefix of the registration */
  url?: string;
}

const OTHER_METHODS = ['GET', 'PUT', 'PATCH', 'DELETE'];

/** The route as a plugin: content type parsers are replaced within it only, all others keep theirs. */
export function fastifyPlugin(receive: Receive, maxBodyBytes: number) {
  const refusals = new WeakMap<FastifyRequestLike, WebhookVerificationError>();
  return (app: FastifyLike, { url = '/' }: FastifyRouteOptions, done: (error?: Error) => void): void => {
    app.removeAllContentTypeParsers();
    // Read here and not by Fastify, whose own limit would respond 413 without a word to the receiver.
    app.addContentTypeParser('*', async (request, payload) => {
      const { body, refusal } = await readBody(payload, maxBodyBytes);
      if (refusal) refusals.set(request, refusal);
      return body && Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    });
    app.route({
      method: 'POST',
      url,
      handler: async (request, reply) => {
        const { headers } = request;
        const refusal = refusals.get(request);
        const body = request.body ?? (isEmpty(headers) ? new Uint8Array() : undefined);
        return send(reply, await receive(refusal ? { body, headers, refusal } : { body, headers }));
      },
    });
    app.route({ method: OTHER_METHODS, url, handler: async (_request, reply) => send(reply, methodNotAllowed()) });
    done();
  };
}

/** Fastify calls no parser for a request without content. */
function isEmpty(headers: FastifyRequestLike['headers']): boolean {
  return Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined;
}

function send(reply: FastifyReplyLike, result: DeliveryResult): unknown {
  reply.code(result.status);
  reply.headers({ ...result.headers });
  return reply.send(result.body);
}
