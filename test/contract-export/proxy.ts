import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answered, prismOf, type Verdict } from './prism.js';

export interface ValidatingProxy {
  readonly url: string;
  /** With what the proxy itself could not do among the violations. */
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
  const prism = await prismOf(document, tools);
  const { origin, pathname: base } = new URL(upstream);
  const failures: string[] = [];

  async function pass(request: IncomingMessage, body: string): Promise<Answered> {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      if (!ABSENT.has(name) && name !== 'host' && typeof value === 'string') headers.set(name, value);
    }
    headers.set('accept-encoding', 'identity');
    const sent = { method: request.method!, headers, ...(body === '' ? {} : { body }) };
    const response = await fetch(origin + request.url!, sent);
    const text = await response.text();
    return { statusCode: response.status, headers: Object.fromEntries(response.headers), text };
  }

  async function check(request: IncomingMessage): Promise<Answered> {
    const body = await readAll(request);
    const { pathname, searchParams: query } = new URL(request.url!, origin);
    const asked = { method: request.method!, path: pathname.slice(base.length), query, headers: request.headers, body };
    return prism.hold(asked, () => pass(request, body));
  }

  const server = createServer((request, response) => {
    check(request)
      .then(({ statusCode, headers, text }) => {
        const kept = Object.entries(headers).filter(([name]) => !ABSENT.has(name));
        response.writeHead(statusCode, Object.fromEntries(kept)).end(text);
      })
      .catch((error: unknown) => {
        failures.push(`${request.method} ${request.url}: the proxy failed: ${String(error)}`);
        response.writeHead(502).end();
      });
  });
  const url = `${await listening(server)}${base}`;
  return {
    url,
    verdict() {
      const verdict = prism.verdict();
      return { ...verdict, violations: [...verdict.violations, ...failures] };
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

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
