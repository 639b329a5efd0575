import type { Dispatcher } from './dispatcher.js';
import type { HttpRequest } from './message.js';

/** Sockets to one origin at the same time; more calls queue. */
const SOCKETS_PER_ORIGIN = 128;
/** A server that says it keeps sockets longer is believed up to here: proxies in between often drop them earlier. */
const LONGEST_KEEP_ALIVE_MS = 30_000;
const KEEP_ALIVE_MS = 4_000;

/** The pools of one client; undici is loaded at the first call, and never in runtimes that use `fetch`. */
export class Agents {
  #loading: Promise<void> | undefined;
  #pooled: (Dispatcher & { close(): Promise<void> }) | undefined;
  #single: (Dispatcher & { close(): Promise<void> }) | undefined;
  #closed = false;
  #closing: Promise<void> | undefined;

  dispatcherFor = (request: HttpRequest): Dispatcher | Promise<Dispatcher> => {
    return this.#ready(request) ?? this.#load().then(() => this.#ready(request) ?? closed());
  };

  /** Lets calls under way end, then closes every socket. May be called again. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#closed = true;
    await this.#loading;
    await Promise.all([this.#pooled?.close(), this.#single?.close()]);
  }

  #ready(request: HttpRequest): Dispatcher | undefined {
    // A socket that the server closed while it was idle loses the request written to it, and a lost payment cannot
    // simply be sent again. Payments are rare; each gets a socket of its own.
    return request.call.operation.kind === 'payment' ? this.#single : this.#pooled;
  }

  #load(): Promise<void> {
    this.#loading ??= import('undici').then(({ Agent }) => {
      if (this.#closed) return;
      const common = { connections: SOCKETS_PER_ORIGIN };
      this.#pooled = new Agent({
        ...common,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: LONGEST_KEEP_ALIVE_MS,
      });
      this.#single = new Agent({ ...common, pipelining: 0 });
    });
    return this.#loading;
  }
}

function closed(): never {
  throw Object.assign(new Error('The client is closed.'), { code: 'UND_ERR_CLOSED' });
}
