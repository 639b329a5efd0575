import { type CallDefaults, NO_OPTIONS, resolveCallOptions, type WriteOptions } from '../http/call-options.js';
import { CallPromise } from '../http/call-promise.js';
import { type ExecuteParts, execute, type RequestSpec } from '../http/execute.js';
import { operationOf } from '../http/operation.js';
import type { PathParams } from '../http/path.js';
import type { Query } from '../http/query.js';

/** What a method of a resource says about its request. */
export interface MethodCall {
  readonly pathParams?: PathParams;
  readonly query?: Query;
  readonly body?: unknown;
  readonly emptyAllowed?: boolean;
  readonly options?: WriteOptions | undefined;
}

/** The way from a resource's method to the service. One for each view of a client. */
export class Caller {
  readonly #parts: ExecuteParts;
  readonly #defaults: CallDefaults;

  constructor(parts: ExecuteParts, defaults: CallDefaults) {
    this.#parts = parts;
    this.#defaults = defaults;
  }

  get clock(): CallDefaults['clock'] {
    return this.#defaults.clock;
  }

  /** Sends one request; a slip of the caller rejects the promise, and never throws at the call itself. */
  call<T>(method: string, template: string, { options = NO_OPTIONS, ...request }: MethodCall = {}): CallPromise<T> {
    const spec: RequestSpec = { ...request, operation: operationOf(method, template) };
    return new CallPromise<T>(this.#execute(spec, options));
  }

  async #execute<T>(spec: RequestSpec, options: WriteOptions): ReturnType<typeof execute<T>> {
    return execute<T>(spec, resolveCallOptions(options, this.#defaults), this.#parts);
  }
}
