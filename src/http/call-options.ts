import { RequestValidationError } from '../errors/local.js';
import { type Clock, monotonicNow } from '../platform/clock.js';
import { unknownOption } from '../platform/unknown-option.js';
import type { CallSettings } from './exchange/call.js';
import type { Closing } from './exchange/closing.js';
import { CALL_OPTIONS } from './request/call-option-names.js';
import { checkedHeaders, type RequestHeaders } from './request/headers.js';
import type { Query } from './request/query.js';
import { checkIdempotencyKey } from './steps/idempotency-key.js';

/** Options that every method takes as its last argument. */
export interface CallOptions {
  /** Ends the call at once, waits included; it then rejects with an `APIUserAbortError`. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt. */
  timeout?: number | undefined;
  /** Milliseconds for the call with all its attempts and waits. */
  deadline?: number | undefined;
  /** How often a failed attempt is repeated; 0 means exactly one attempt. */
  maxRetries?: number | undefined;
  /** Sent in addition, as a plain object; names that the client sets itself are refused. */
  headers?: RequestHeaders | undefined;
  /**
   * Query parameters in addition to those of the method: filters that are newer than this package, or that the interface
   * document does not show (gap LIST-1).
   */
  query?: Query | undefined;
}

/** Options of a request that changes state. */
export interface WriteOptions extends CallOptions {
  /**
   * UUID v4 that all attempts of this operation carry. Give the one of an earlier error to repeat that operation safely
   * within 24 hours; leave it out otherwise.
   */
  idempotencyKey?: string | undefined;
  /**
   * A name of yours for what is done once, for example `'checkout:basket-42'`: it stands for one key, one body and one
   * result, kept in the client's `store` for 30 days. The same call under the same name, in any process and after any
   * crash, gives the first result. A GET takes none. A payment or refund under a name is looked for before its key leaves
   * again (docs/stores.md); `settle` has its journal.
   */
  operation?: string | undefined;
}

/** Options of one call, after defaults and checks. */
export interface ResolvedCallOptions extends CallSettings {
  readonly idempotencyKey: string | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What a call starts from: the settings of its client. */
export interface CallDefaults {
  readonly timeout: number;
  readonly deadline: number | undefined;
  readonly maxWait: number;
  readonly maxRetries: number;
  readonly defaultHeaders: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly closing?: Closing | undefined;
  /** The options of a call that gives none; `undefined` where a deadline makes them differ from call to call. */
  readonly plain?: ResolvedCallOptions | undefined;
}

/** Completes the settings of a client with the options of a call that gives none: most calls share them. */
export function callDefaults(defaults: CallDefaults): CallDefaults {
  return { ...defaults, plain: defaults.deadline === undefined ? withDefaults(defaults) : undefined };
}

/** Applies the client's defaults to, and checks, the options of one call. */
export function resolveCallOptions(options: WriteOptions, defaults: CallDefaults): ResolvedCallOptions {
  if (options === NO_OPTIONS) return defaults.plain ?? withDefaults(defaults);
  if (typeof options !== 'object' || options === null) {
    throw refusal('options', 'The last argument is not an object of options; write for example { timeout: 5000 }.');
  }
  const unknown = unknownOption(options, CALL_OPTIONS);
  if (unknown) throw refusal(unknown.name, unknown.message);
  if (options.idempotencyKey !== undefined) checkIdempotencyKey(options.idempotencyKey);
  const deadline = milliseconds('deadline', options.deadline) ?? defaults.deadline;
  return {
    signal: signalOf(options),
    timeout: milliseconds('timeout', options.timeout) ?? defaults.timeout,
    deadlineAt: deadlineAt(deadline, defaults.clock),
    maxWait: defaults.maxWait,
    maxRetries: retriesOf(options) ?? defaults.maxRetries,
    closing: defaults.closing,
    idempotencyKey: options.idempotencyKey,
    headers: options.headers
      ? { ...defaults.defaultHeaders, ...checkedHeaders(options.headers, 'headers') }
      : defaults.defaultHeaders,
  };
}

export const NO_OPTIONS: CallOptions = Object.freeze({});

function withDefaults({
  clock,
  deadline,
  timeout,
  maxWait,
  maxRetries,
  defaultHeaders,
  closing,
}: CallDefaults): ResolvedCallOptions {
  return {
    signal: undefined,
    timeout,
    deadlineAt: deadlineAt(deadline, clock),
    maxWait,
    maxRetries,
    closing,
    idempotencyKey: undefined,
    headers: defaultHeaders,
  };
}

function deadlineAt(deadline: number | undefined, clock: Clock): number {
  return deadline === undefined ? Number.POSITIVE_INFINITY : monotonicNow(clock) + deadline;
}

function signalOf({ signal }: CallOptions): AbortSignal | undefined {
  if (signal === undefined || signal === null) return undefined;
  if (typeof signal === 'object' && typeof signal.addEventListener === 'function') return signal;
  throw refusal('signal', 'The option "signal" is not an AbortSignal; pass the "signal" of an AbortController.');
}

function retriesOf({ maxRetries }: CallOptions): number | undefined {
  if (maxRetries === undefined || (Number.isInteger(maxRetries) && maxRetries >= 0 && maxRetries <= 100))
    return maxRetries;
  throw refusal('maxRetries', 'The option "maxRetries" must be a whole number from 0 (exactly one attempt) to 100.');
}

function milliseconds(name: string, value: number | undefined): number | undefined {
  if (value === undefined || (typeof value === 'number' && value > 0 && Number.isFinite(value))) return value;
  throw refusal(name, `The option "${name}" is ${String(value)}; it counts milliseconds and must be above 0.`);
}

function refusal(name: string, message: string): RequestValidationError {
  return new RequestValidationError(message, { problems: [{ field: name, message }] });
}
