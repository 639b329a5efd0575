import { createServer, type Server, type Socket } from 'node:net';
import { OnlineOrdering, type OnlineOrderingOptions } from 'online-ordering-sdk';
import type { Reply, Seen } from './reply.js';
import { BASE_PATH, CREDENTIALS, silent, TestService } from './test-service.js';

/** One request on a raw socket, and everything that a server may do wrong with it. */
export interface Exchange extends Seen {
  readonly body: string;
  readonly socket: Socket;
  /** Answers as a proper server does. */
  reply(status: number, body?: unknown, headers?: Readonly<Record<string, string>>): void;
  /** Writes bytes as they are. */
  raw(text: string | Uint8Array): void;
  /** Ends the connection with RST. */
  reset(): void;
}

/** What is done with one request: a reply, or code that writes to the socket. */
export type Step = (exchange: Exchange) => void;

/** The service on a socket of the loopback interface, where it may send any bytes; time is real. */
export class ListeningService extends TestService {
  connections = 0;
  readonly #sockets = new Set<Socket>();
  readonly #clients: OnlineOrdering[] = [];
  readonly #server: Server = createServer((socket) => this.#accept(socket));

  /** Starts a service with one step for each request, and the last one from then on. */
  static async start(...steps: readonly Step[]): Promise<ListeningService> {
    const service = new ListeningService(wired(steps));
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get baseUrl(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return `http://127.0.0.1:${address.port}${BASE_PATH}`;
  }

  /** A client of this service; its waits take no time unless a test asks for it. */
  override client(options: OnlineOrderingOptions = {}): OnlineOrdering {
    const client = new OnlineOrdering({
      ...CREDENTIALS,
      baseUrl: this.baseUrl,
      random: () => 0,
      logger: silent,
      timeout: 10_000,
      ...options,
    });
    this.#clients.push(client);
    return client;
  }

  /** Ends every open connection from the server's side. */
  endConnections(): void {
    for (const socket of this.#sockets) socket.end();
  }

  /** From now on nobody listens at the address; the clients stay open. */
  async refuseConnections(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async stop(): Promise<void> {
    await this.refuseConnections();
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  #accept(socket: Socket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => {});
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (let parsed = parse(received); parsed; parsed = parse(received)) {
        received = parsed.rest;
        this.#serve(exchangeOf(parsed, socket));
      }
    });
  }

  #serve(exchange: Exchange): void {
    const reply = this.receive(exchange);
    if ('hold' in reply) this.held.push({ request: exchange, answer: (late) => carryOut(late, exchange) });
    else carryOut(reply, exchange);
  }
}

/** A script of steps: one for each request, and the last one from then on. */
export function wired(steps: readonly Step[]): TestService['handler'] {
  return (_request, index) => ({ wire: (exchange) => steps[Math.min(index, steps.length - 1)]?.(exchange) });
}

function carryOut(reply: Reply, exchange: Exchange): void {
  if ('wire' in reply) reply.wire(exchange);
  else if ('fail' in reply) exchange.reset();
  else if ('status' in reply) exchange.reply(reply.status, reply.body, reply.headers);
}

interface Parsed {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly rest: string;
}

function parse(text: string): Parsed | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...fields] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    }),
  );
  const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0);
  if (text.length < bodyEnd) return undefined;
  const [method = '', path = ''] = line.split(' ');
  return { method, path, headers, body: text.slice(end + 4, bodyEnd), rest: text.slice(bodyEnd) };
}

function exchangeOf({ method, path, headers, body }: Parsed, socket: Socket): Exchange {
  return {
    method,
    path: path.startsWith(BASE_PATH) ? path.slice(BASE_PATH.length) : path,
    headers,
    body,
    at: Date.now(),
    socket,
    reply(status, data, extra = {}) {
      const text = data === undefined ? '' : typeof data === 'string' ? data : JSON.stringify(data);
      const lines = Object.entries({ 'content-length': String(Buffer.byteLength(text)), ...extra });
      socket.write(
        `HTTP/1.1 ${status} X\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`,
      );
    },
    raw: (text) => void socket.write(text),
    reset: () => void socket.resetAndDestroy(),
  };
}

/** An address on loopback where nobody listens. */
export async function deadAddress(): Promise<string> {
  const server = await ListeningService.start();
  const { baseUrl } = server;
  await server.stop();
  return baseUrl;
}
