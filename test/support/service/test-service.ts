import type { OnlineOrderingOptions } from 'online-ordering-sdk';
import { OnlineOrdering } from 'online-ordering-sdk';
import { loadContract } from '../../../src/http/contract/load-contract.js';
import type { Dispatcher, DispatchHandler, DispatchOptions } from '../../../src/http/transport/dispatcher.js';
import { VirtualClock } from '../virtual-clock.js';
import { InProcessExchange } from './in-process.js';
import { type Handler, type Reply, type Seen, token } from './reply.js';

// Loaded before the first test: a virtual clock cannot wait for the file system.
await loadContract();

export const BASE_PATH = '/v1/online-ordering';
export const SECRET = 'S3cr3t-of-the-partner';
export const CREDENTIALS = {
  baseUrl: `https://api.example.com${BASE_PATH}`,
  clientId: '11111111-2222-4333-8444-555555555555',
  clientSecret: SECRET,
};

export const silent = { error() {}, warn() {}, info() {}, debug() {} };

/**
 * The service of the tests, whose responses are scripted. In process, behind an undici dispatcher, responses arrive at once
 * and time is virtual; `interceptFetch` puts it behind `globalThis.fetch`, and `ListeningService` on a socket.
 */
export class TestService {
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

  /** Notes a request and says what the script does with it. */
  receive(request: Seen): Reply {
    const isToken = request.path === '/auth/token';
    const log = isToken ? this.tokenRequests : this.requests;
    return (isToken ? this.tokenHandler : this.handler)(request, log.push(request) - 1);
  }

  #dispatch({ method, path, headers, body }: DispatchOptions, handler: DispatchHandler): boolean {
    const request = {
      method: String(method),
      path: path.slice(BASE_PATH.length),
      headers: { ...headers },
      body,
      at: this.clock.now(),
    };
    const reply = this.receive(request);
    const exchange = new InProcessExchange(handler);
    if ('hold' in reply) {
      exchange.start();
      this.held.push({ request, answer: (late) => exchange.answer(late) });
    } else {
      queueMicrotask(() => exchange.answer(reply));
    }
    return true;
  }
}
