import type { Headers } from '../exchange/call.js';
import { codeOf } from '../exchange/failure.js';
import type { DispatchController, DispatchHandler, DispatchOptions } from './dispatcher.js';
import { readHeaders } from './raw-headers.js';

/** A handler that can take headers that are read already: names in lower case, each with one text. */
export interface AttemptHandler extends DispatchHandler {
  onHead(controller: DispatchController, status: number, headers: Headers): void;
}

/** What an attempt is sent over: any dispatcher, or one of this package. */
export interface AttemptDispatcher {
  dispatch(options: DispatchOptions, handler: AttemptHandler): unknown;
}

/** As much of an undici `Agent` as is used. It takes handlers of two kinds, and the older one gets headers as bytes. */
export interface RawAgent {
  // biome-ignore lint/suspicious/noExplicitAny: undici types both as unions of its own
  dispatch(options: any, handler: any): unknown;
  destroy(): Promise<void>;
}

/**
 * Sends over an undici agent of this package with a handler of the older kind, which undici 7 takes: between that and one
 * of the newer kind it puts two objects and its own reading of the headers, a twentieth of a call. undici 8, which a
 * partner may put in its place, refuses the older kind before it does anything, and then gets the newer one.
 */
export class RawDispatcher implements AttemptDispatcher {
  readonly #agent: RawAgent;
  #takesRaw = true;

  constructor(agent: RawAgent) {
    this.#agent = agent;
  }

  dispatch(options: DispatchOptions, handler: AttemptHandler): void {
    if (this.#takesRaw) {
      try {
        this.#agent.dispatch(options, new RawHandler(handler));
        return;
      } catch (error) {
        // What is wrong with the options is told to the handler; only a handler that is refused is thrown.
        if (codeOf(error) !== 'UND_ERR_INVALID_ARG') throw error;
        this.#takesRaw = false;
      }
    }
    this.#agent.dispatch(options, handler);
  }

  destroy(): Promise<void> {
    return this.#agent.destroy();
  }
}

class RawHandler implements DispatchController {
  readonly #handler: AttemptHandler;
  #abort: ((reason: Error) => void) | undefined;

  constructor(handler: AttemptHandler) {
    this.#handler = handler;
  }

  abort(reason: Error): void {
    this.#abort?.(reason);
  }

  onConnect(abort: (reason: Error) => void): void {
    this.#abort = abort;
    this.#handler.onRequestStart(this, undefined);
  }

  /** True as in all of them: go on reading. */
  onHeaders(status: number, headers: readonly Buffer[]): boolean {
    this.#handler.onHead(this, status, readHeaders(headers));
    return true;
  }

  onData(chunk: Uint8Array): boolean {
    this.#handler.onResponseData(this, chunk);
    return true;
  }

  onComplete(): void {
    this.#handler.onResponseEnd(this, undefined);
  }

  onError(error: Error): void {
    this.#handler.onResponseError(this, error);
  }
}
