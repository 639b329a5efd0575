import { RequestValidationError } from '../errors/local.js';
import type { OperationResolution } from '../errors/operation.js';
import { type CallDefaults, resolveCallOptions, type WriteOptions } from '../http/call-options.js';
import { needsKey, type Operation } from '../http/exchange/operation.js';
import type { CallResult, RequestSpec } from '../http/execute.js';
import { fillPath } from '../http/request/path.js';
import { queryText } from '../http/request/query.js';
import { serializeBody } from '../http/request/serialize-body.js';
import type { CarefulWork, NamedWork } from '../operations/named-work.js';
import type { OperationRecord } from '../operations/operation-record.js';
import { monotonicNow } from '../platform/clock.js';
import { sortKeys } from './payments/tender-body.js';

/** How a resource shows what became of a write; `undefined` where it shows nothing that decides. */
export type Look<T> = (record: OperationRecord) => Promise<OperationResolution<T> | undefined>;

export interface NamedCallDeps<T> {
  readonly spec: RequestSpec;
  readonly options: WriteOptions;
  readonly defaults: CallDefaults;
  readonly look?: Look<T> | undefined;
  /** How a payment or refund is sent and repeated. */
  readonly careful?: ((limits: NamedLimits) => CarefulWork<T>) | undefined;
  /** Sends with options that name a key, and no operation. */
  readonly send: (options: WriteOptions, check: () => void) => Promise<CallResult<T>>;
}

/** The limits of the call under the name. */
export interface NamedLimits {
  /** On the monotonic clock. */
  readonly deadlineAt: number;
  readonly maxRetries: number;
  readonly maxWait: number;
  /** The options of the call, without those that the name decides on. */
  readonly others: WriteOptions;
}

/** The work that a write under a name stands for. */
export function namedWork<T>({ spec, options, defaults, look, careful, send }: NamedCallDeps<T>): NamedWork<T> {
  const { operation, pathParams, query, body } = spec;
  const { operation: name = '', idempotencyKey, ...others } = options;
  if (!needsKey(operation)) {
    throw refusal(`${operation.name} changes nothing, so that it needs no name; leave "operation" out.`);
  }
  if (operation.kind === 'money' && !careful) {
    // A repetition under the same key may execute again what was executed: that takes more than a name.
    throw refusal(
      `${operation.name} takes no name here. Use client.orders.payments.create or client.orders.refunds.create, which know how to look for it; or client.orders.settle, whose journal does the same by the order's id.`,
    );
  }
  if (idempotencyKey !== undefined) {
    throw refusal('A name has a key of its own; give "operation" or "idempotencyKey", not both.');
  }
  const { signal, deadlineAt, maxWait, maxRetries } = resolveCallOptions(others, defaults);
  const path = `${fillPath(operation.template, pathParams)}${queryText({ ...query, ...others.query })}`;
  const leftMs = (): number => Math.max(1, deadlineAt - monotonicNow(defaults.clock));
  return {
    name,
    method: operation.method,
    template: operation.template,
    request: `${operation.method} ${path}\n${serializeBody(operation, body) ?? ''}`,
    signal,
    closing: defaults.closing,
    deadlineAt,
    maxWait,
    look,
    careful: careful?.({ deadlineAt, maxWait, maxRetries, others }),
    send: (key, check) => {
      const deadline = Number.isFinite(deadlineAt) ? { deadline: leftMs() } : {};
      return send({ ...others, ...deadline, idempotencyKey: key }, check);
    },
  };
}

/**
 * The body of a write under a name: the same bytes each time, in whatever order a process writes the members.
 *
 * @throws {RequestValidationError} It cannot be written as JSON.
 */
export function bodyOfName<Body>(operation: Operation, body: Body): Body {
  serializeBody(operation, body);
  return sortKeys(body) as Body;
}

function refusal(message: string): RequestValidationError {
  return new RequestValidationError(message, { problems: [{ field: 'operation', message }] });
}
