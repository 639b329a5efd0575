import type { ChangeReason, ErrorCode } from '../../contract/index.js';

/** What can be read from an error response, of the service or of a proxy; nothing here is trusted to be short or clean. */
export interface EnvelopeFacts {
  readonly code: ErrorCode | null;
  readonly message: string | null;
  readonly detail: string | null;
  readonly field: string | null;
  readonly requestId: string | null;
  readonly changeReasons: readonly ChangeReason[];
}

const CODE = /^[A-Z][A-Z_]{0,63}$/;
const REQUEST_ID = /^[\w.:-]{1,128}$/;
/** Names, dots and indexes; anything else could be a value that the service repeats. */
const FIELD = /^[A-Za-z_][\w-]*(\[\d+\]|\.[A-Za-z_][\w-]*)*$/;
const LONGEST_FIELD = 256;

/** Reads the error envelope (interface document, "Error envelope"); a response of another shape gives nulls. */
export function readEnvelope(data: unknown): EnvelopeFacts {
  const error = recordOf(recordOf(data)?.error);
  return {
    code: matching(error?.code, CODE),
    message: textOf(error?.message),
    detail: textOf(error?.detail),
    field: (textOf(error?.field)?.length ?? 0) <= LONGEST_FIELD ? matching(error?.field, FIELD) : null,
    requestId: matching(error?.request_id, REQUEST_ID),
    changeReasons: changeReasonsOf(data, error),
  };
}

/** The request id of a response's header, if it looks like one. */
export function requestIdOf(headers: Readonly<Record<string, string>>, name: string): string | null {
  return matching(headers[name], REQUEST_ID);
}

// gap ERR-1: inside `error`, else beside it, else inside `detail`
function changeReasonsOf(data: unknown, error: Record<string, unknown> | undefined): readonly ChangeReason[] {
  const places = [error?.change_reasons, recordOf(data)?.change_reasons, recordOf(error?.detail)?.change_reasons];
  const reasons = places.find((place) => Array.isArray(place)) as unknown[] | undefined;
  return (reasons ?? []).filter((reason): reason is ChangeReason => typeof reason === 'string' && CODE.test(reason));
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function matching(value: unknown, pattern: RegExp): string | null {
  return typeof value === 'string' && pattern.test(value) ? value : null;
}
