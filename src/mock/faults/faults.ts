import {
  type Check,
  demand,
  listOf,
  nullOr,
  objectOf,
  oneOf,
  optional,
  text,
  valuesOf,
  valueThat,
  wholeNumber,
} from '../checks/check.js';
import type { ErrorCode, RefusalFacts } from '../refusals/refusal.js';
import { isPath } from './drift.js';

/** What goes wrong with one request, or with `times` of them. */
export interface Fault {
  /**
   * The connection: refused (nothing is sent), reset or closed in place of a response, or `stall`: no response, ever.
   * Over `service.listen()` a refused connection is one that is reset as soon as it is used.
   */
  readonly fail?: 'connection_refused' | 'socket_reset' | 'socket_close' | 'stall' | undefined;
  /** `'commit'`: the service has done its work when things go wrong. @defaultValue before */
  readonly after?: 'commit' | undefined;
  /** A response with this status, 400 to 599, in place of the real one. */
  readonly status?: number | undefined;
  /** Its `code`. @defaultValue the one that the status has in the interface document */
  readonly code?: ErrorCode | undefined;
  /** Its `message`, such as `'Payment required'` or `'Service temporarily unavailable'`. */
  readonly message?: string | undefined;
  /** Its `detail`. @defaultValue null */
  readonly detail?: string | undefined;
  /** Its `field`. @defaultValue null */
  readonly field?: string | null | undefined;
  /** Its `change_reasons`, for a 409 of checkout. */
  readonly changeReasons?: readonly string[] | undefined;
  /** `Retry-After` of that response. @defaultValue 60 for a 429, otherwise none */
  readonly retryAfterSeconds?: number | undefined;
  /** Milliseconds on the service's clock, before the work or (`after: 'commit'`) before the response. */
  readonly delayMs?: number | undefined;
  /**
   * The body of the response: cut in the middle, no JSON, empty, an HTML page, one byte at a time without an end
   * (`drip`), or never sent (`stall`). Without a `status` the work was done.
   */
  readonly body?: 'truncated' | 'not_json' | 'empty' | 'html' | 'drip' | 'stall' | undefined;
  /**
   * Values of the response to replace, by their path: `{ status: 'ON_HOLD', 'payments[0].amount': '12.50' }`, or
   * `'data[*].status'` for every entry. So an enum value of the future looks, or a field that has drifted.
   */
  readonly set?: Readonly<Record<string, unknown>> | undefined;
  /** Fields that are left out of the response, by their path. */
  readonly remove?: readonly string[] | undefined;
  /** How many requests it meets; `'all'` meets them until `faults.clear()`. @defaultValue 1 */
  readonly times?: number | 'all' | undefined;
}

const CODES: Readonly<Record<number, ErrorCode>> = {
  401: 'AUTHENTICATION_ERROR',
  403: 'AUTHENTICATION_ERROR',
  404: 'NOT_FOUND_ERROR',
  409: 'CONFLICT_ERROR',
  429: 'RATE_LIMIT_ERROR',
};

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'Request validation failed',
  401: 'Invalid or expired access token',
  403: 'Insufficient permissions',
  404: 'Resource not found',
  429: 'Rate limit exceeded',
  500: 'An unexpected error occurred',
};

const FAULT: Check<Fault> = objectOf<Fault>({
  fail: optional(oneOf('connection_refused', 'socket_reset', 'socket_close', 'stall')),
  after: optional(oneOf('commit')),
  status: optional(wholeNumber(400, 'a status from 400 to 599', 599)),
  code: optional(
    oneOf(
      'AUTHENTICATION_ERROR',
      'INVALID_REQUEST_ERROR',
      'RATE_LIMIT_ERROR',
      'NOT_FOUND_ERROR',
      'CONFLICT_ERROR',
      'INTERNAL_ERROR',
    ),
  ),
  message: optional(text),
  detail: optional(text),
  field: optional(nullOr(text)),
  changeReasons: optional(listOf(text)),
  retryAfterSeconds: optional(wholeNumber(0, 'whole seconds')),
  delayMs: optional(valueThat('milliseconds, from 0 on', (value) => Number.isFinite(value) && (value as number) >= 0)),
  body: optional(oneOf('truncated', 'not_json', 'empty', 'html', 'drip', 'stall')),
  set: optional(
    valuesOf(
      valueThat('a value of JSON', (value) => value !== undefined),
      'an object of values by path',
    ),
  ),
  remove: optional(
    listOf(valueThat<string>('a path such as payments[0].status', (path) => typeof path === 'string' && isPath(path))),
  ),
  times: optional(
    valueThat<number | 'all'>(
      "a whole number of requests, from 1 on, or 'all'",
      (value) => value === 'all' || (Number.isSafeInteger(value) && (value as number) > 0),
    ),
  ),
});

/** A fault that waits for its request. */
export interface WaitingFault {
  /** Method and path, or `'*'`. */
  readonly endpoint: string;
  /** What happens to the requests that it meets. */
  readonly fault: Fault;
  /** How many requests it still meets; `'all'` until `faults.clear()`. */
  readonly left: number | 'all';
}

/** A fault that has just met a request. */
export interface TakenFault {
  readonly endpoint: string;
  readonly fault: Fault;
}

/** The endpoints of the service, of which the faults need to know the names. */
export interface Endpoints {
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  /** Any value when a route has this path; `undefined` when none has. */
  find(method: string, path: string): unknown;
}

/** Faults that wait for their request, in the order in which they were set. */
export class FaultQueue {
  readonly #endpoints: Endpoints;
  readonly #listeners = new Set<(taken: TakenFault) => void>();
  #changed: () => void = () => {};
  #waiting: { readonly endpoint: string; readonly fault: Fault; left: number }[] = [];

  constructor(endpoints: Endpoints) {
    this.#endpoints = endpoints;
  }

  /**
   * Lets the next request of an endpoint go wrong: `'GET /orders'`, `'POST /orders/{order_id}/payments'`, a path with
   * real ids, or `'*'` for any request.
   */
  next(endpoint: string, fault: Fault): void {
    const { times = 1 } = demand('fault', fault, FAULT);
    const path = Object.keys(fault.set ?? {}).find((one) => !isPath(one));
    if (path !== undefined) throw new TypeError(`fault: "${path}" is no path; write one such as payments[0].status.`);
    const { fail, status, delayMs, body, set, remove } = fault;
    if (!fail && status === undefined && delayMs === undefined && !body && !set && !remove) {
      throw new TypeError(
        'This fault changes nothing: give it `fail`, `status`, `delayMs`, `body`, `set` or `remove`.',
      );
    }
    const left = times === 'all' ? Number.POSITIVE_INFINITY : times;
    this.#waiting.push({ endpoint: this.#endpointOf(endpoint), fault, left });
    this.#changed();
  }

  /** Every fault that has not met its requests yet. */
  list(): WaitingFault[] {
    return this.#waiting.map(({ endpoint, fault, left }) => ({
      endpoint,
      fault: structuredClone(fault),
      left: Number.isFinite(left) ? left : 'all',
    }));
  }

  /** @internal Calls `listener` whenever a fault meets a request, before that is executed. */
  onTaken(listener: (taken: TakenFault) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @internal Calls `listener` when faults were armed or cleared. */
  onChange(listener: () => void): void {
    this.#changed = listener;
  }

  /** Forgets every fault that has not met its request. */
  clear(): void {
    this.#waiting = [];
    this.#changed();
  }

  /** The fault of this request, which it uses up. `sent` is method and path. */
  take(route: string | undefined, sent: string): Fault | undefined {
    const waiting = this.#waiting.find(({ endpoint }) => endpoint === '*' || endpoint === route || endpoint === sent);
    if (!waiting) return undefined;
    waiting.left -= 1;
    if (waiting.left === 0) this.#waiting = this.#waiting.filter((one) => one !== waiting);
    for (const listener of this.#listeners) listener({ endpoint: waiting.endpoint, fault: waiting.fault });
    return waiting.fault;
  }

  #endpointOf(endpoint: string): string {
    if (endpoint === '*') return endpoint;
    const [method = '', path = ''] = endpoint.trim().split(/\s+/);
    const known = this.#endpoints.routes.map((route) => `${route.method} ${route.path}`);
    const name = `${method.toUpperCase()} ${path}`;
    if (known.includes(name) || this.#endpoints.find(method.toUpperCase(), path)) return name;
    throw new TypeError(
      `The service has no endpoint ${JSON.stringify(endpoint)}. Write '*' or one of: ${known.sort().join(', ')}.`,
    );
  }
}

/** The error that a fault responds with. */
export function refusalOf(fault: Fault & { readonly status: number }): RefusalFacts {
  const { status } = fault;
  const server = status >= 500;
  const retryAfterSeconds = fault.retryAfterSeconds ?? (status === 429 ? 60 : undefined);
  return {
    status,
    code: fault.code ?? (server ? 'INTERNAL_ERROR' : (CODES[status] ?? 'INVALID_REQUEST_ERROR')),
    message:
      fault.message ?? MESSAGES[status] ?? (server ? 'Service temporarily unavailable' : 'Request validation failed'),
    detail: fault.detail ?? 'A fault that was set on the mock service.',
    field: fault.field ?? null,
    ...(fault.changeReasons ? { changeReasons: fault.changeReasons } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}
