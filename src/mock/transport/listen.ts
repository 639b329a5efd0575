import { Buffer } from 'node:buffer';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Exchange, RawRequest, ResponseOutcome } from '../kernel/exchange.js';
import { BASE_PATH } from '../kernel/request.js';
import { headerRecord } from './request-text.js';

/** Where the service listens. */
export interface ListenOptions {
  /** @defaultValue 0: any free port */
  readonly port?: number | undefined;
  /** @defaultValue '127.0.0.1': only this machine */
  readonly host?: string | undefined;
  /**
   * Serves the workbench beside the service: its page at `/_mock/`, the control API below it. Only this machine may use
   * it, unless `hosts` names the hosts under which others reach it. @defaultValue false
   */
  readonly workbench?:
    | boolean
    | {
        /** Host names, without a port, under which the workbench may be asked: `mock.internal`. */
        readonly hosts: readonly string[];
      }
    | undefined;
}

/** The service as a server. */
export interface ListeningService {
  /** Base address, version path included: give it to a client as `baseUrl`. */
  readonly url: string;
  /** The port that was taken; the one asked for, or a free one. */
  readonly port: number;
  /** Address of the workbench's page; `null` without a workbench. */
  readonly workbenchUrl: string | null;
  /** Ends the server and its open connections. */
  close(): Promise<void>;
}

/** What a server needs of the service. */
export interface Served {
  begin(request: RawRequest): Exchange;
  /** Counts `work` as under way until it settles. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Handles requests below `WORKBENCH_PATH`. */
  readonly workbench: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
}

/** Below it nothing of the service is found. */
export const WORKBENCH_PATH = '/_mock';

/** Serves the service over HTTP. */
export async function listen(served: Served, options: ListenOptions): Promise<ListeningService> {
  const { port = 0, host = '127.0.0.1' } = options;
  const server = createServer((request, response) => {
    // The service says by its own clock what the time is, or does not say it.
    response.sendDate = false;
    if (served.workbench && isBelow(WORKBENCH_PATH, request.url)) return served.workbench(request, response);
    serve(served, request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}${BASE_PATH}`,
    port: address.port,
    workbenchUrl: served.workbench ? `http://${name}:${address.port}${WORKBENCH_PATH}/` : null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const isBelow = (path: string, target = ''): boolean =>
  target.startsWith(path) && (target.length === path.length || /^[/?]/.test(target.slice(path.length)));

async function serve(served: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readText(request);
  const exchange = served.begin({
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    headers: headerRecord(request.headers),
    body: body === '' ? undefined : body,
  });
  const { socket } = request;
  if (!exchange.connects) return reset(socket);
  const outcome = await exchange.run();
  if (outcome.kind === 'reset') return reset(socket);
  if (outcome.kind === 'close') {
    socket.destroy();
    return;
  }
  // Until its last byte is out a request is under way, and the clock waits for it.
  if (outcome.kind === 'response') await served.during(() => write(outcome, response, socket));
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function write(
  { status, headers, body, flow }: ResponseOutcome,
  response: ServerResponse,
  socket: Socket,
): Promise<void> {
  // The client has gone; what it asked for was done all the same.
  if (response.destroyed || socket.destroyed) return;
  const bytes = Buffer.from(body ?? '');
  response.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': bytes.length });
  if (flow === 'whole') {
    const isOver = new Promise<void>((resolve) => response.once('close', resolve));
    response.end(bytes);
    return isOver;
  }
  response.flushHeaders();
  if (flow === 'drip') drip(bytes, response);
  if (flow === 'truncated') response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => socket.destroy());
}

function drip(bytes: Buffer, response: ServerResponse): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (sent < bytes.length - 2) response.write(bytes.subarray(sent, ++sent));
  }, 20);
  timer.unref();
  response.once('close', () => clearInterval(timer));
}

function reset(socket: Socket): void {
  socket.resetAndDestroy();
}
