import type { Receive } from '../delivery/delivery.js';

/** What is used of a Fastify instance. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    contentType: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: Uint8Array, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  post(
    url: string,
    options: { bodyLimit: number },
    handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>,
  ): unknown;
}

/** What is read of a request of Fastify. */
export interface FastifyRequestLike {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What is written to a reply of Fastify. */
export interface FastifyReplyLike {
  code(status: number): unknown;
  headers(headers: Record<string, string>): unknown;
  send(body: string): unknown;
}

/** Options of the plugin's route. */
export interface FastifyRouteOptions {
  /** Path of the route. @defaultValue '/' below the prefix of the registration */
  url?: string;
}

/** The route as a plugin: content type parsers are replaced within it only, all others keep theirs. */
export function fastifyPlugin(receive: Receive, maxBodyBytes: number) {
  return (app: FastifyLike, options: FastifyRouteOptions, done: (error?: Error) => void): void => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, body, parsed) =>
      parsed(null, body),
    );
    app.post(options.url ?? '/', { bodyLimit: maxBodyBytes }, async (request, reply) => {
      const result = await receive({ body: request.body, headers: request.headers });
      reply.code(result.status);
      reply.headers({ ...result.headers });
      return reply.send(result.body);
    });
    done();
  };
}
