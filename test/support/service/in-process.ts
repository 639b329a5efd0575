import type { DispatchController, DispatchHandler } from '../../../src/http/transport/dispatcher.js';
import type { Reply } from './reply.js';

/** One request on its way through a dispatch handler. */
export class InProcessExchange {
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
    if ('hold' in reply) return;
    if ('wire' in reply) throw new Error('a service in process has no socket: use TestService.listen()');
    if ('fail' in reply) {
      if (reply.written) this.start();
      if (this.#over) return;
      this.#over = true;
      this.#handler.onResponseError(this.#controller, Object.assign(new Error('connection'), { code: reply.fail }));
      return;
    }
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
