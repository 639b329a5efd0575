import type { CallTrace } from '../events/observer.js';
import type { AttemptLog } from './attempt-log.js';
import type { Closing } from './closing.js';
import type { Operation } from './operation.js';
import type { Progress } from './progress.js';

/** Settings of one call, after defaults and checks. */
export interface CallSettings {
  readonly signal: AbortSignal | undefined;
  /** Milliseconds for one attempt. */
  readonly timeout: number;
  /** Instant of the clock's monotonic reading at which the call ends; infinite without a deadline. */
  readonly deadlineAt: number;
  /** Milliseconds of the longest single wait. */
  readonly maxWait: number;
  readonly maxRetries: number;
  /** The end of the client, which ends waits; `undefined` where there is no client. */
  readonly closing?: Closing | undefined;
  /** Of a request that several calls wait for: gets its failures and waits. */
  readonly progress?: Progress | undefined;
}

/** What one call asks. It is read-only: what happens to it stands in its log, and headers of one attempt go beside it. */
export interface Call {
  readonly operation: Operation;
  readonly settings: CallSettings;
  /** Location of the call's rate-limit scope; empty where the request names none. */
  readonly locationId: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path with query, encoded. */
  readonly path: string;
  /** Those that every attempt carries, except the token and the key. */
  readonly headers: Headers;
  /** Serialised once; every attempt sends the same bytes. */
  readonly body: string | undefined;
  /** True where a success may come without a body: deletions, and endpoints that are not known. */
  readonly emptyAllowed: boolean;
  /** Of a write; `undefined` for reads. */
  readonly idempotencyKey: string | undefined;
  /**
   * Called synchronously at the moment where the bytes would leave. If it throws, nothing is sent, and the attempt ends
   * as a `Failure` of kind `held` with what was thrown as its cause.
   */
  readonly checkBeforeSending: (() => void) | undefined;
  /** Set while calls are traced. */
  readonly trace: CallTrace | undefined;
  readonly log: AttemptLog;
}

/** Headers by name, in lower case. */
export type Headers = Readonly<Record<string, string>>;
