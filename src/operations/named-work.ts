import type { NamedOperationReason, OperationResolution } from '../errors/operation.js';
import type { Closing } from '../http/exchange/closing.js';
import type { CallResult } from '../http/execute.js';
import type { OperationRecord } from './operation-record.js';

/** One write under a name. */
export interface NamedWork<T> {
  readonly name: string;
  readonly method: string;
  readonly template: string;
  /** Method, path with its values, and body: what the name stands for. */
  readonly request: string;
  readonly signal: AbortSignal | undefined;
  /** The end of the client, which ends waits. */
  readonly closing: Closing | undefined;
  /** On the monotonic clock. */
  readonly deadlineAt: number;
  /** Milliseconds to wait for another call under the name. */
  readonly maxWait: number;
  /** Sends under the key; `check` is called where the bytes of each attempt leave, and throws when they may not. */
  readonly send: (key: string, check: () => void) => Promise<CallResult<T>>;
  /** What the resource shows of it; `undefined` where it shows nothing that decides. */
  readonly look?: ((record: OperationRecord) => Promise<OperationResolution<T> | undefined>) | undefined;
  /** For a write whose repetition may execute it again: it is sent and repeated by rules of its own, in place of `send`. */
  readonly careful?: CarefulWork<T> | undefined;
}

/** A write that is looked for before its key leaves again, and how. */
export interface CarefulWork<T> {
  /** Works of one group (an order) go one at a time, and know what the others made. */
  readonly group: string;
  /** Sends it, or finds out what became of it. What it throws before its first note leaves the name free. */
  readonly carryOn: (held: HeldName) => Promise<CarriedOn<T>>;
}

/** What a careful work is lent while it holds its name. */
export interface HeldName {
  readonly key: string;
  /** What was noted last; `undefined` when nothing was sent under the name. */
  readonly note: unknown;
  /** Whether the key is young enough to be sent again, as the store's clock says. */
  readonly isFresh: boolean;
  /** How long after a note its bytes may leave, in milliseconds. */
  readonly mayLeaveMs: number;
  /** Ends with the signal of the call, and when another process may have taken the name. */
  readonly signal: AbortSignal;
  /** Ids of the records that works of the group have made, with the keys that made them. */
  readonly made: Readonly<Record<string, string>>;
  /** Makes a note durable; it precedes each sending. */
  write(note: unknown): Promise<void>;
  /** Notes the id of the record that this work has made. */
  claim(recordId: string): Promise<void>;
  /** Asked where the bytes leave: the name is held, and its last note not older than `mayLeaveMs`. */
  mayStillSend(): boolean;
}

/** What a careful work came to. */
export type CarriedOn<T> =
  | { readonly outcome: 'applied'; readonly result: CallResult<T> }
  /** The name is free again; `error` goes to the caller. */
  | { readonly outcome: 'not_applied'; readonly error?: unknown }
  /** Nothing could be sent, for a reason of its own; the name is as it was. */
  | { readonly outcome: 'not_sent'; readonly reason: NamedOperationReason; readonly cause?: unknown }
  | { readonly outcome: 'unknown'; readonly cause?: unknown };
