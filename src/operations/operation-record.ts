/** What the store keeps of a named operation. Neither body nor result stand in it in clear. */
export interface OperationRecord {
  readonly format: 1;
  /** The one idempotency key of the name: a random UUID v4. */
  readonly key: string;
  /** `POST /carts/{cart_id}/checkout`, for people who read the store. */
  readonly request: string;
  /** Keyed digest of method, path and body. */
  readonly digest: string;
  /** Sendings that may have been executed, or that a process died over; the note of careful work says which. */
  readonly sendings: number;
  /** Wall time of the first sending, of the process that sent it. It serves comparison with the service's records only. */
  readonly firstSentAtMs: number;
  /** The sendings there were when the service last refused one; the mark of their horizon tells how long ago that is. */
  readonly refusedSendings?: number;
  /** What a careful work notes before each sending. */
  readonly note?: unknown;
  /** The result, sealed; present once the operation is done. */
  readonly result?: string;
}

/** A result as it is sealed. */
export interface StoredResult {
  /** Absent where the response had no body. */
  readonly data?: unknown;
  readonly status: number;
  readonly requestId: string | null;
}

/** @returns `undefined` for a text that no version of this package wrote. */
export function parseOperationRecord(text: string): OperationRecord | undefined {
  try {
    const record = JSON.parse(text) as Partial<OperationRecord> | null;
    const isWhole =
      record?.format === 1 &&
      typeof record.key === 'string' &&
      typeof record.digest === 'string' &&
      typeof record.request === 'string' &&
      typeof record.sendings === 'number' &&
      typeof record.firstSentAtMs === 'number' &&
      (record.refusedSendings === undefined || typeof record.refusedSendings === 'number') &&
      (record.result === undefined || typeof record.result === 'string');
    return isWhole ? (record as OperationRecord) : undefined;
  } catch {
    return undefined;
  }
}
