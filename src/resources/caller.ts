import { type CallDefaults, NO_OPTIONS, type WriteOptions } from '../http/call-options.js';
import { CallPromise } from '../http/call-promise.js';
import { type ExecuteParts, execute, type RequestSpec } from '../http/execute.js';
import { operationOf } from '../http/operation.js';
import type { PathParams } from '../http/path.js';
import type { Query } from '../http/query.js';
import { AnsweredRecords } from './answered-records.js';

/** What a method of a resource says about its request. */
export interface MethodCall {
  readonly pathParams?: PathParams | undefined;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly emptyAllowed?: boolean | undefined;
  /** True for `client.request`: the body is the caller's own affair. */
  readonly isRaw?: boolean | undefined;
  readonly options?: WriteOptions | undefined;
}

/** The way from a resource's method to the service. One for each view of a client. */
export class Caller {
  readonly #parts: ExecuteParts;
  readonly #defaults: CallDefaults;

  /** Payments and refunds that were answered, for all views of the client. */
  readonly answered: AnsweredRecords;

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
    const { pathParams, query, body, emptyAllowed, isRaw, options } = call;
    const spec: RequestSpec = {
      operation: operationOf(method, template),
      pathParams,
      query,
      body,
      emptyAllowed,
      isRaw,
    };
    return new CallPromise<T>(execute<T>(spec, options ?? NO_OPTIONS, this.#defaults, this.#parts));
  }
}
