import type { Call } from '../exchange/call.js';
import { Connecting } from './connecting.js';
import { loadUndici } from './load-undici.js';
import { RawDispatcher } from './raw-dispatcher.js';

/** Sockets to one origin at the same time; more calls queue. */
const SOCKETS_PER_ORIGIN = 128;
/** A server that says it keeps sockets longer is believed up to here: proxies in between often drop them earlier. */
const LONGEST_KEEP_ALIVE_MS = 30_000;
const KEEP_ALIVE_MS = 4_000;
/** Sockets for large responses, so that slow ones leave the others free. */
const SOCKETS_FOR_LARGE_RESPONSES = 32;

/** The pools of one client; undici is loaded at the first call, and never in runtimes that use `fetch`. */
export class Agents {
  #loading: Promise<void> | undefined;
  #pooled: RawDispatcher | undefined;
  #single: RawDispatcher | undefined;
  #large: RawDispatcher | undefined;
  readonly #connecting = new Connecting();
  #closed = false;
  #closing: Promise<void> | undefined;

  dispatcherFor = (call: Call): RawDispatcher | Promise<RawDispatcher> => {
    if (this.#closed) return Promise.reject(closedError());
    return this.#ready(call) ?? this.#load().then(() => this.#ready(call) ?? Promise.reject(closedError()));
  };

  /** Gives up connections that are being tried; for the moment when no attempt is under way. */
  stopConnecting = (): void => this.#connecting.end();

  /** Lets the attempts under way end, then closes every socket. May be called again. */
  close(attemptsEnd: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#close(attemptsEnd);
    return this.#closing;
  }

  async #close(attemptsEnd: () => Promise<void>): Promise<void> {
    this.#closed = true;
    await this.#loading;
    if (!this.#pooled || !this.#single || !this.#large) return;
    await attemptsEnd();
    // Not undici's `close`: that waits for connections to hosts that do not respond, long after their attempts have ended.
    await Promise.all([this.#pooled.destroy(), this.#single.destroy(), this.#large.destroy()]);
    this.#connecting.end();
  }

  #ready({ operation }: Call): RawDispatcher | undefined {
    // A socket that the server closed while it was idle loses the request written to it, and a lost payment cannot
    // simply be sent again. Payments are rare; each gets a socket of its own.
    const { kind, isLarge } = operation;
    if (kind === 'money') return this.#single;
    return isLarge ? this.#large : this.#pooled;
  }

  #load(): Promise<void> {
    this.#loading ??= loadUndici().then(({ Agent, buildConnector }) => {
      if (this.#closed) return;
      const connect = this.#connecting.watching(buildConnector({}));
      const common = { connections: SOCKETS_PER_ORIGIN, connect };
      const kept = { ...common, keepAliveTimeout: KEEP_ALIVE_MS, keepAliveMaxTimeout: LONGEST_KEEP_ALIVE_MS };
      this.#pooled = new RawDispatcher(new Agent(kept));
      this.#large = new RawDispatcher(new Agent({ ...kept, connections: SOCKETS_FOR_LARGE_RESPONSES }));
      this.#single = new RawDispatcher(new Agent({ ...common, pipelining: 0 }));
    });
    return this.#loading;
  }
}

function closedError(): Error {
  return Object.assign(new Error('The client is closed.'), { code: 'UND_ERR_CLOSED' });
}
