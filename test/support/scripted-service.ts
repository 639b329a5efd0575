import type { OnlineOrderingOptions } from 'online-ordering-sdk';
import { OnlineOrdering } from 'online-ordering-sdk';
import { loadContract } from '../../src/http/contract/load-contract.js';
import type {
  DispatchController,
  Dispatcher,
  DispatchHandler,
  DispatchOptions,
} from '../../src/http/transport/dispatcher.js';
import { VirtualClock } from './virtual-clock.js';

// Loaded before the first test: a virtual clock cannot wait for the file system.
await loadContract();

/** A request as the service saw it. */
export interface Seen {
  readonly method: string;
  /** Below the base path, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Instant on the test's clock. */
  readonly at: number;
}

/** What the service does with a request. */
export type Reply =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** The connection fails; before the request was written, or after. */
  | { readonly fail: string; readonly written?: boolean }
  /** Nothing comes, until the test calls `answer`. */
  | { readonly hold: true };

export type Handler = (request: Seen, index: number) => Reply;

export const SECRET = 'S3cr3t-of-the-partner';
export const CREDENTIALS = {
  baseUrl: 'https://api.example.com/v1/online-ordering',
  clientId: '11111111-2222-4333-8444-555555555555',
  clientSecret: SECRET,
};
const BASE_PATH = '/v1/online-ordering';

export const silent = { error() {}, warn() {}, info() {}, debug() {} };

/** A service behind an undici dispatcher, without sockets: answers arrive at once, and time is virtual. */
export class ScriptedService {
  readonly clock = new VirtualClock();
  /** Every request but those to the token endpoint. */
  readonly requests: Seen[] = [];
  readonly tokenRequests: Seen[] = [];
  readonly held: { answer(reply: Reply): void; readonly request: Seen }[] = [];
  handler: Handler;
  tokenHandler: Handler = (_request, index) => token(`token-${index + 1}`);

  constructor(handler: Handler) {
    this.handler = handler;
  }

  readonly dispatcher: Dispatcher = {
    dispatch: (options: DispatchOptions, handler: DispatchHandler) => this.#dispatch(options, handler),
  };

  client(options: OnlineOrderingOptions = {}): OnlineOrdering {
    return new OnlineOrdering({
      ...CREDENTIALS,
      dispatcher: this.dispatcher,
      clock: this.clock,
      random: () => 0,
      logger: silent,
      ...options,
    });
  }

  #dispatch({ method, path, headers, body }: DispatchOptions, handler: DispatchHandler): boolean {
    const request = {
      method: String(method),
      path: path.slice(BASE_PATH.length),
      headers: { ...headers },
      body,
      at: this.clock.now(),
    };
    const isToken = request.path === '/auth/token';
    const log = isToken ? this.tokenRequests : this.requests;
    const reply = (isToken ? this.tokenHandler : this.handler)(request, log.push(request) - 1);
    const exchange = new Exchange(handler);
    if ('hold' in reply) {
      exchange.start();
      this.held.push({ request, answer: (late) => exchange.answer(late) });
    } else {
      queueMicrotask(() => exchange.answer(reply));
    }
    return true;
  }
}

export function token(value: string, expiresIn = 86_400): Reply {
  return { status: 200, body: { access_token: value, token_type: 'BEARER', expires_in: expiresIn } };
}

/** One request on its way through a dispatch handler. */
class Exchange {
  readonly #handler: DispatchHandler;
  #started = false;
  #over = false;
  readonly #controller: DispatchController = {
    abort: (reason) => {
      if (this.#over) return;
      this.#over = true;
      this.#handler.onResponseError(this.#controller, reason);
    },
  };

  constructor(handler: DispatchHandler) {
    this.#handler = handler;
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#handler.onRequestStart(this.#controller, {});
  }

  answer(reply: Reply): void {
    if ('fail' in reply) {
      if (reply.written) this.start();
      if (this.#over) return;
      this.#over = true;
      this.#handler.onResponseError(this.#controller, Object.assign(new Error('connection'), { code: reply.fail }));
      return;
    }
    if ('hold' in reply) return;
    this.start();
    if (this.#over) return;
    this.#handler.onResponseStart(this.#controller, reply.status, { ...reply.headers });
    const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
    if (text && !this.#over) this.#handler.onResponseData(this.#controller, Buffer.from(text));
    if (this.#over) return;
    this.#over = true;
    this.#handler.onResponseEnd(this.#controller, {});
  }
}

/** A handler that gives one reply after the other, and the last one from then on. */
export function inTurn(...replies: readonly Reply[]): Handler {
  return (_request, index) => replies[Math.min(index, replies.length - 1)] as Reply;
}

/** What a promise rejects with; a promise that resolves fails the test. */
export async function rejection<E = Error>(promise: PromiseLike<unknown>): Promise<E> {
  const value = await promise.then(
    (result) => ({ resolved: result }),
    (error: unknown) => ({ error }),
  );
  if ('error' in value) return value.error as E;
  throw new Error(`expected a rejection, got ${JSON.stringify(value.resolved)}`);
}
