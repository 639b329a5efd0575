import type { EndpointRequest, ResponseOf } from '../endpoints/endpoint-types.js';
import type { EndpointName } from '../endpoints/endpoints.js';
import { type CallDefaults, NO_OPTIONS, type WriteOptions } from '../http/call-options.js';
import { CallPromise } from '../http/call-promise.js';
import { type Operation, operationNamed, operationOf } from '../http/exchange/operation.js';
import { type CallResult, type ExecuteDeps, execute, type RequestSpec } from '../http/execute.js';
import type { NamedOperations } from '../operations/named-operations.js';
import type { NamedWork } from '../operations/named-work.js';
import { bodyOfName, type Look, type NamedCallDeps, namedWork } from './named-call.js';
import { ConfirmedRecords } from './payments/confirmed-records.js';

/** What a method of a resource says about its request. */
export interface MethodCall extends Omit<RequestSpec, 'operation'> {
  readonly options?: WriteOptions | undefined;
  /** How the resource shows what became of a named operation, once its key can tell no more. */
  readonly look?: Look<unknown> | undefined;
}

/** What a method of a resource says about a request to an endpoint of the table. */
export type EndpointCall<Name extends EndpointName> = EndpointRequest<Name> &
  Omit<MethodCall, 'pathParams' | 'query' | 'body'>;

/** The way from a resource's method to the service. One for each view of a client. */
export class Caller {
  /** Payments and refunds that came back, for all views of the client. */
  readonly confirmed: ConfirmedRecords;
  readonly #deps: ExecuteDeps;
  readonly #defaults: CallDefaults;

  readonly #named: NamedOperations | undefined;

  constructor(
    deps: ExecuteDeps,
    defaults: CallDefaults,
    confirmed = new ConfirmedRecords(),
    named: NamedOperations | undefined = undefined,
  ) {
    this.#deps = deps;
    this.#defaults = defaults;
    this.confirmed = confirmed;
    this.#named = named;
  }

  get clock(): CallDefaults['clock'] {
    return this.#defaults.clock;
  }

  /** The settings that a call starts from. */
  get settings(): Readonly<CallDefaults> {
    return this.#defaults;
  }

  /**
   * Calls an endpoint of the table, which decides on the types of path, query, body and result. A slip of the caller
   * rejects the promise, and never throws at the call itself.
   */
  call<Name extends EndpointName>(name: Name, call: EndpointCall<Name>): CallPromise<ResponseOf<Name>> {
    // A query has named fields; the path below asks of it only that they can be written down.
    return this.#send(operationNamed(name), call as MethodCall) as CallPromise<ResponseOf<Name>>;
  }

  /** Sends a request to a path that the table may not know, for `client.request`: whoever calls it knows the result. */
  callUnknown<T>(method: string, template: string, call: MethodCall): CallPromise<T> {
    return this.#send(operationOf(method, template), call) as CallPromise<T>;
  }

  #send(operation: Operation, call: MethodCall): CallPromise<unknown> {
    const { options = NO_OPTIONS, look } = call;
    // Field by field: a spread and the rest of an object cost a thirtieth of a call. The compiler asks for every field.
    const spec: { readonly [Field in keyof Required<RequestSpec>]: RequestSpec[Field] } = {
      operation,
      pathParams: call.pathParams,
      query: call.query,
      body: call.body,
      emptyAllowed: call.emptyAllowed,
      isRaw: call.isRaw,
      isVerbatim: call.isVerbatim,
      checkBeforeSending: call.checkBeforeSending,
      maxWait: call.maxWait,
    };
    if ((options as WriteOptions).operation !== undefined) return new CallPromise(this.#callNamed(spec, options, look));
    return new CallPromise(execute(spec, options, this.#defaults, this.#deps));
  }

  async #callNamed<T>(given: RequestSpec, options: WriteOptions, look: Look<T> | undefined): Promise<CallResult<T>> {
    const spec = { ...given, body: bodyOfName(given.operation, given.body) };
    const { checkBeforeSending } = spec;
    const send = (own: WriteOptions, check: () => void): Promise<CallResult<T>> => {
      const both = (): void => {
        checkBeforeSending?.();
        check();
      };
      return execute<T>({ ...spec, checkBeforeSending: both }, own, this.#defaults, this.#deps);
    };
    return this.runNamed(this.namedWork({ spec, options, look, send }));
  }

  /** The work of a write under the name in `options.operation`. */
  namedWork<T>(deps: Omit<NamedCallDeps<T>, 'defaults'>): NamedWork<T> {
    return namedWork({ ...deps, defaults: this.#defaults });
  }

  async runNamed<T>(work: NamedWork<T>): Promise<CallResult<T>> {
    if (!this.#named) throw new Error('This caller runs no named operations.');
    return this.#named.run(work);
  }
}
