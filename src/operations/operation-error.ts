import { CallError } from '../errors/call.js';
import { NamedOperationError, type NamedOperationReason, type OperationResolution } from '../errors/operation.js';
import type { NamedWork } from './named-work.js';
import type { OperationRecord } from './operation-record.js';

export interface OperationErrorFacts {
  readonly outcome: 'not_sent' | 'refused' | 'applied' | 'unknown';
  readonly record?: OperationRecord | undefined;
  readonly cause?: unknown;
  readonly resolve?: (() => Promise<OperationResolution>) | undefined;
  /** The key is not sent again. */
  readonly isTooOld?: boolean | undefined;
}

const MESSAGES: Readonly<Record<string, string>> = {
  body_differs:
    'was not sent: the name stands for another request already. A name is for one request; give this one a name of its own',
  in_progress:
    'was not sent: another call is at work under the name, or on the same order. Call again later for its result',
  store_failed:
    'was not sent: its key could not be written to, or read from, the store. Call again when the store can be reached',
  order_unreadable:
    'was not sent: the order could not be read, which comes before money moves (see the cause). Call again under the same name',
  amount_exceeds_balance:
    'was not sent: the order asks for less. Read it for what is due; the name is free for another try',
  unknown:
    'may have been executed: no response tells. Call resolve() of this error, or make the same call again; both use the same key',
  unknown_for_good:
    'may have been executed, and its key is too old to be sent again: nothing is sent under this name any more. Read the resource; where it shows that nothing happened, use another name',
  not_applied: 'was not executed. The name is free for another try',
  result_unreadable:
    'was executed, and its result cannot be opened: it was sealed with another secret. Read the resource instead, and set "tokenKey", which outlives a rotated client secret',
};

/** The error of a named operation that ended without a result. */
export function operationError(
  { name, method, template }: NamedWork<unknown>,
  reason: NamedOperationReason,
  { outcome, record, cause, resolve, isTooOld }: OperationErrorFacts,
): NamedOperationError {
  return new NamedOperationError(
    `The operation "${name}" (${method} ${template}) ${MESSAGES[isTooOld ? 'unknown_for_good' : reason] ?? reason}.`,
    {
      method,
      path: template,
      attempts: cause instanceof CallError ? cause.attempts : 0,
      outcome,
      idempotencyKey: record?.key,
      replayableUntil: cause instanceof CallError ? cause.replayableUntil : undefined,
      operation: name,
      reason,
      resolve,
    },
    { cause },
  );
}
