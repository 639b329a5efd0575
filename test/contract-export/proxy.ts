import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

// Prism brings no types that fit without it: the few that are used here.
interface Violation {
  readonly location?: readonly string[];
  readonly message: string;
  readonly code: string | number;
  readonly severity: string;
}
interface Message {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}
type Either<T> = { readonly _tag: 'Left'; readonly left: Error } | { readonly _tag: 'Right'; readonly right: T };
interface Prism {
  createInstance(
    config: object,
    components: object,
  ): {
    request(
      input: object,
      operations: readonly object[],
      config: object,
    ): () => Promise<Either<{ validations: Validations }>>;
  };
  getHttpOperationsFromSpec(document: string): Promise<readonly object[]>;
}
interface Validations {
  readonly input: readonly Violation[];
  readonly output: readonly Violation[];
}

/** What went through, and what Prism says against it. */
export interface Verdict {
  /** Requests that an operation of the document was found for. */
  readonly checked: number;
  /** Requests to what the document does not have. */
  readonly unknown: number;
  /** A response that the document does not allow, a wrong request that was taken, or an unknown path that was served. */
  readonly violations: readonly string[];
  /** Requests that the document does not allow, and that the service refused too. */
  readonly refused: number;
}

export interface ValidatingProxy {
  readonly url: string;
  verdict(): Verdict;
  close(): Promise<void>;
}

const ABSENT = new Set(['connection', 'transfer-encoding', 'content-length', 'content-encoding', 'keep-alive']);

/**
 * Prism as a proxy between a client and a service: every request and response is held against an OpenAPI document, and
 * passed on as it is.
 *
 * @param tools - The folder in whose `node_modules` Prism is installed.
 */
export async function startProxy(document: string, upstream: string, tools: string): Promise<ValidatingProxy> {
  const require = createRequire(join(tools, 'package.json'));
  const prism = require('@stoplight/prism-http') as Prism;
  const operations = await prism.getHttpOperationsFromSpec(document);
  const { origin, pathname: base } = new URL(upstream);
  const violations: string[] = [];
  let checked = 0;
  let unknown = 0;
  let refused = 0;

  async function pass(request: IncomingMessage, body: string): Promise<Message & { readonly text: string }> {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      if (!ABSENT.has(name) && name !== 'host' && typeof value === 'string') headers.set(name, value);
    }
    headers.set('accept-encoding', 'identity');
    const sent = { method: request.method!, headers, ...(body === '' ? {} : { body }) };
    const response = await fetch(origin + request.url!, sent);
    const text = await response.text();
    return { statusCode: response.status, headers: Object.fromEntries(response.headers), body: parsed(text), text };
  }

  async function check(request: IncomingMessage, body: string) {
    let answer: Awaited<ReturnType<typeof pass>> | undefined;
    const forward = () => () => async () => {
      answer = await pass(request, body);
      return { _tag: 'Right', right: answer };
    };
    const config = {
      isProxy: true,
      upstream: new URL(origin),
      validateRequest: true,
      validateResponse: true,
      checkSecurity: true,
      errors: false,
      mock: false,
      upstreamProxy: undefined,
    };
    const logger = silent();
    const instance = prism.createInstance(config, { logger, forward });
    const { pathname, searchParams } = new URL(request.url!, origin);
    const input = {
      method: request.method!.toLowerCase(),
      url: { path: pathname.slice(base.length) || '/', query: queryOf(searchParams) },
      headers: request.headers,
      body: parsed(body),
    };
    const result = await instance.request(input, operations, config)();
    answer ??= await pass(request, body);
    const name = `${request.method} ${pathname.slice(base.length)} → ${answer.statusCode}`;
    if (result._tag === 'Left') throw result.left;
    const { input: asked, output } = result.right.validations;
    if (asked.some(({ message }) => message === 'Selected route not found')) {
      unknown += 1;
      if (answer.statusCode < 400) violations.push(`${name}: the document has no such path`);
      return answer;
    }
    checked += 1;
    for (const violation of output) violations.push(`${name}: response ${describe(violation)}`);
    if (asked.length > 0 && answer.statusCode >= 400) refused += 1;
    else for (const violation of asked) violations.push(`${name}: request ${describe(violation)}`);
    return answer;
  }

  const server = createServer((request, response) => {
    readAll(request)
      .then((body) => check(request, body))
      .then(({ statusCode, headers, text }) => {
        const kept = Object.entries(headers).filter(([name]) => !ABSENT.has(name));
        response.writeHead(statusCode, Object.fromEntries(kept)).end(text);
      })
      .catch((error: unknown) => {
        violations.push(`${request.method} ${request.url}: the proxy failed: ${String(error)}`);
        response.writeHead(502).end();
      });
  });
  const url = `${await listening(server)}${base}`;
  return {
    url,
    verdict: () => ({ checked, unknown, refused, violations }),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

const describe = ({ location = [], message, code }: Violation): string => `${location.join('.')} ${message} (${code})`;

function listening(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

function queryOf(params: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}

/** A logger in the shape of pino. */
function silent(): object {
  const nothing = () => {};
  const logger = {
    info: nothing,
    warn: nothing,
    error: nothing,
    debug: nothing,
    trace: nothing,
    fatal: nothing,
    success: nothing,
  };
  return { ...logger, child: () => silent() };
}
