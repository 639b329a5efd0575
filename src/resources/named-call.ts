import { RequestValidationError } from '../errors/local.js';
import type { OperationResolution } from '../errors/operation.js';
import { type CallDefaults, resolveCallOptions, type WriteOptions } from '../http/call-options.js';
import { needsKey } from '../http/exchange/operation.js';
import type { CallResult, RequestSpec } from '../http/execute.js';
import { fillPath } from '../http/request/path.js';
import { queryText } from '../http/request/query.js';
import { serializeBody } from '../http/request/serialize-body.js';
import type { NamedWork } from '../operations/named-operations.js';
import type { OperationRecord } from '../operations/operation-record.js';
import { monotonicNow } from '../platform/clock.js';

/** How a resource shows what became of a write; `undefined` where it shows nothing that decides. */
export type Look<T> = (record: OperationRecord) => Promise<OperationResolution<T> | undefined>;

export interface NamedCallParts<T> {
  readonly spec: RequestSpec;
  readonly options: WriteOptions;
  readonly defaults: CallDefaults;
  readonly look?: Look<T> | undefined;
  /** Sends with options that name a key, and no operation. */
  readonly send: (options: WriteOptions, check: () => void) => Promise<CallResult<T>>;
}

/** The work that a write under a name stands for. */
export function namedWork<T>({ spec, options, defaults, look, send }: NamedCallParts<T>): NamedWork<T> {
  const { operation, pathParams, query, body } = spec;
  const { operation: name = '', idempotencyKey, ...others } = options;
  if (!needsKey(operation)) {
    throw refusal(`${operation.name} changes nothing, so that it needs no name; leave "operation" out.`);
  }
  if (operation.kind === 'money') {
    // A repetition under the same key may execute again what was executed: that takes more than a name.
    throw refusal(
      `${operation.name} takes no name. Pay with client.orders.settle, whose journal does the same by the order's id; for a refund keep an "idempotencyKey" of your own.`,
    );
  }
  if (idempotencyKey !== undefined) {
    throw refusal('A name has a key of its own; give "operation" or "idempotencyKey", not both.');
  }
  const { signal, deadlineAt, maxWait } = resolveCallOptions(others, defaults);
  const path = `${fillPath(operation.template, pathParams)}${queryText(query)}`;
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
    send: (key, check) => {
      const deadline = Number.isFinite(deadlineAt) ? { deadline: leftMs() } : {};
      return send({ ...others, ...deadline, idempotencyKey: key }, check);
    },
  };
}

function refusal(message: string): RequestValidationError {
  return new RequestValidationError(message, { problems: [{ field: 'operation', message }] });
}
