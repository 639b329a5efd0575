import { type CallDefaults, NO_OPTIONS, type WriteOptions } from '../http/call-options.js';
import { CallPromise } from '../http/call-promise.js';
import { operationOf } from '../http/exchange/operation.js';
import { type ExecuteParts, execute, type RequestSpec } from '../http/execute.js';
import { AnsweredRecords } from './payments/unknown-outcome/answered-records.js';

/** What a method of a resource says about its request. */
export interface MethodCall extends Omit<RequestSpec, 'operation'> {
  readonly options?: WriteOptions | undefined;
}

/** The way from a resource's method to the service. One for each view of a client. */
export class Caller {
  /** Payments and refunds that were answered, for all views of the client. */
  readonly answered: AnsweredRecords;
  readonly #parts: ExecuteParts;
  readonly #defaults: CallDefaults;

  constructor(parts: ExecuteParts, defaults: CallDefaults, answered = new AnsweredRecords()) {
    this.#parts = parts;
    this.#defaults = defaults;
    this.answered = answered;
  }

  get clock(): CallDefaults['clock'] {
    return this.#defaults.clock;
  }

  /** Sends one request; a slip of the caller rejects the promise, and never throws at the call itself. */
  call<T>(method: string, template: string, call: MethodCall): CallPromise<T> {
    const { options, ...request } = call;
    const spec: RequestSpec = { operation: operationOf(method, template), ...request };
    return new CallPromise<T>(execute<T>(spec, options ?? NO_OPTIONS, this.#defaults, this.#parts));
  }
}
