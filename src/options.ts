import type { SecretSource } from './auth/token-request.js';
import { ConfigurationError } from './errors/local.js';
import type { Validation } from './http/contract/contract-check.js';
import type { Logger, LogLevel } from './http/events/logging.js';
import { type BaseAddress, oddBasePath, parseBaseUrl } from './http/request/base-address.js';
import { checkedHeaders, ownHeaders, type RequestHeaders } from './http/request/headers.js';
import type { Dispatcher, DispatcherPair } from './http/transport/dispatcher.js';
import { type Clock, systemClock } from './platform/clock.js';
import { type Random, systemRandom } from './platform/random.js';
import { unknownOption } from './platform/unknown-option.js';
import { type Choices, type Profile, readProfile } from './profile/profile.js';
import { type PaymentOverrides, type PaymentRules, paymentRules } from './resources/payments/overrides.js';
import type { Store } from './stores/store.js';

/** Settings that `withOptions` may change: none of them changes whom the client talks to. */
export interface AdjustableOptions {
  /** Milliseconds for one attempt, from queueing to the last byte of the body. @defaultValue 30000 */
  timeout?: number | undefined;
  /** Milliseconds for a call with all its attempts and waits. @defaultValue none */
  deadline?: number | undefined;
  /** Milliseconds of the longest single wait before an attempt; a longer one fails at once. @defaultValue 300000 */
  maxWait?: number | undefined;
  /** How often a failed attempt is repeated; 0 means exactly one attempt. @defaultValue 3 */
  maxRetries?: number | undefined;
  /**
   * Whether responses are held against the contract, each of them: `'report'` logs differences and gives the data as
   * received, `'strict'` throws a `ResponseValidationError`, `'off'` does not look.
   * @defaultValue 'report'
   */
  validation?: Validation | undefined;
  /** Any object with `error`, `warn`, `info` and `debug`. @defaultValue console */
  logger?: Logger | undefined;
  /** What is logged; `'off'` for nothing. @defaultValue 'warn' */
  logLevel?: LogLevel | undefined;
  /**
   * Sent with every request. Names that the client sets itself are refused; a `user-agent` is put in front of the
   * client's own.
   */
  defaultHeaders?: RequestHeaders | undefined;
}

/** Options of the client. */
export interface OnlineOrderingOptions extends AdjustableOptions {
  /**
   * Base address of the partner, ending in `/v1/online-ordering`; https, loopback excepted.
   * @defaultValue the environment variable ONLINE_ORDERING_BASE_URL
   */
  baseUrl?: string | undefined;
  /**
   * Names of hosts that may be reached over plain http: the mock in a network of containers (`['mock']`). The token and
   * all data travel in clear. @defaultValue none
   */
  plainHttpHosts?: readonly string[] | undefined;
  /** @defaultValue the environment variable ONLINE_ORDERING_CLIENT_ID */
  clientId?: string | undefined;
  /**
   * The secret, or a function that reads the present one; the function is asked at each token request, and once more
   * when the token endpoint refuses what it gave.
   * @defaultValue the environment variable ONLINE_ORDERING_CLIENT_SECRET
   */
  clientSecret?: SecretSource | undefined;
  /**
   * An undici 7 or 8 dispatcher: proxies, HTTP/2, TLS, the mock. The client does not close it. With
   * `{ calls, payments }`, payments and refunds have one of their own: give them one that uses no idle socket again
   * (`pipelining: 0`), since a payment that is lost with its socket cannot simply be sent again.
   */
  dispatcher?: Dispatcher | DispatcherPair | undefined;
  /** Instead of undici: request interceptors, other edge runtimes. @defaultValue on Bun and Workers the runtime's own */
  fetch?: typeof globalThis.fetch | undefined;
  /** State that several processes share: the token, cool-downs, runs of payments. @defaultValue this process's memory */
  store?: Store | undefined;
  /**
   * How the processes of one `store` share the token (gap AUTH-1): `true`, sealed with AES-256-GCM; `false`, not at all:
   * each process asks for its own, and cool-downs and payments stay shared; `'in_clear'`, as readable text.
   * @defaultValue true
   */
  shareToken?: boolean | 'in_clear' | undefined;
  /**
   * What the token is sealed with in the store: 32 bytes or more, as bytes or text, the same in all processes.
   * @defaultValue a key derived from the client secret
   */
  tokenKey?: string | Uint8Array | undefined;
  /** Time for tokens, waits, deadlines and time-outs: the mock's clock in a test. @defaultValue the system's clock */
  clock?: Clock | undefined;
  /** Spreads waits; from 0 (included) to 1 (excluded). It makes no keys. */
  random?: Random | undefined;
  /** Bytes that a response body may have. @defaultValue 67108864 (64 MiB) */
  maxResponseBytes?: number | undefined;
  /** Header of a success that carries the service's request id (gap ERR-2). @defaultValue 'x-request-id' */
  requestIdHeader?: string | undefined;
  /** How payments are written and recognised, where the interface document is silent (gaps PAY-1 and PAY-4). */
  payments?: PaymentOverrides | undefined;
  /**
   * What the service chose where the interface document is silent: the content of `online-ordering.profile.json`, which
   * `online-ordering-sdk certify` writes. The client then speaks as that service does, and your code stays as it is:
   * bodies are translated from and to the names of this package's types; `client.request` is left alone.
   * An option of its own (`requestIdHeader`, `payments`) wins over it. @defaultValue the choices of docs/interface-gaps.md
   */
  profile?: Profile | undefined;
}

/** Adjustable settings after defaults and checks. */
export interface ResolvedSettings {
  readonly timeout: number;
  readonly deadline: number | undefined;
  readonly maxWait: number;
  readonly maxRetries: number;
  readonly validation: Validation;
  readonly logger: Logger;
  readonly logLevel: LogLevel;
  readonly defaultHeaders: Readonly<Record<string, string>>;
}

/** Whom the client talks to, and over what. */
export interface ResolvedConnection extends BaseAddress {
  readonly clientId: string;
  readonly readSecret: () => string | Promise<string>;
  readonly dispatcher: DispatcherPair | undefined;
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly store: Store | undefined;
  readonly shareToken: boolean | 'in_clear';
  readonly tokenKey: string | Uint8Array | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly maxResponseBytes: number;
  readonly requestIdHeader: string;
  readonly payments: PaymentRules;
  readonly choices: Choices | undefined;
}

const DEFAULTS = { timeout: 30_000, maxWait: 300_000, maxRetries: 3, maxResponseBytes: 64 * 1024 * 1024 };
const VALIDATIONS: readonly Validation[] = ['off', 'report', 'strict'];
const LOG_METHODS = ['error', 'warn', 'info', 'debug'] as const;

/** Applies defaults to, and checks, what `withOptions` may change. `base` is what the new client starts from. */
export function resolveSettings(options: AdjustableOptions, base?: ResolvedSettings): ResolvedSettings {
  const validation = options.validation ?? base?.validation ?? 'report';
  if (!VALIDATIONS.includes(validation)) {
    throw wrong('validation', validation, `write one of ${VALIDATIONS.map((name) => `'${name}'`).join(', ')}`);
  }
  return {
    timeout: positive('timeout', options.timeout, 'milliseconds') ?? base?.timeout ?? DEFAULTS.timeout,
    deadline: positive('deadline', options.deadline, 'milliseconds') ?? base?.deadline,
    maxWait: waitLimit(options.maxWait) ?? base?.maxWait ?? DEFAULTS.maxWait,
    maxRetries: retries(options.maxRetries) ?? base?.maxRetries ?? DEFAULTS.maxRetries,
    validation,
    logger: checkedLogger(options.logger ?? base?.logger ?? console),
    logLevel: options.logLevel ?? base?.logLevel ?? 'warn',
    defaultHeaders: {
      ...(base?.defaultHeaders ?? ownHeaders()),
      ...checkedHeaders(options.defaultHeaders, 'defaultHeaders'),
    },
  };
}

const ADJUSTABLE: Readonly<Record<keyof AdjustableOptions, true>> = {
  timeout: true,
  deadline: true,
  maxWait: true,
  maxRetries: true,
  validation: true,
  logger: true,
  logLevel: true,
  defaultHeaders: true,
};

const OPTIONS: Readonly<Record<keyof OnlineOrderingOptions, true>> = {
  baseUrl: true,
  clientId: true,
  clientSecret: true,
  plainHttpHosts: true,
  ...ADJUSTABLE,
  dispatcher: true,
  fetch: true,
  store: true,
  shareToken: true,
  tokenKey: true,
  clock: true,
  random: true,
  maxResponseBytes: true,
  requestIdHeader: true,
  payments: true,
  profile: true,
};

/** Refuses what would change whom the client talks to. */
export function refuseFixedOptions(options: AdjustableOptions): void {
  const fixed = Object.keys(options).find((name) => !Object.hasOwn(ADJUSTABLE, name));
  if (fixed === undefined) return;
  throw new ConfigurationError(
    `withOptions cannot change "${fixed}"; it takes ${Object.keys(ADJUSTABLE).join(', ')}. Make another client for the rest.`,
  );
}

/** A misspelt option would be ignored, and an address or a secret of the environment taken in its place. */
function refuseUnknownOptions(options: OnlineOrderingOptions): void {
  const unknown = unknownOption(options, Object.keys(OPTIONS));
  if (unknown) throw new ConfigurationError(unknown.message);
}

/** Applies defaults to, and checks, what a client keeps for its whole life. */
export function resolveConnection(options: OnlineOrderingOptions): ResolvedConnection {
  refuseUnknownOptions(options);
  const baseUrl = required('baseUrl', options.baseUrl, 'ONLINE_ORDERING_BASE_URL');
  const clientId = required('clientId', options.clientId, 'ONLINE_ORDERING_CLIENT_ID');
  const secret = required('clientSecret', options.clientSecret, 'ONLINE_ORDERING_CLIENT_SECRET');
  if (options.dispatcher && options.fetch) {
    throw new ConfigurationError('The options "dispatcher" and "fetch" exclude each other; give one of them.');
  }
  const choices = choicesOf(options.profile);
  return {
    ...parseBaseUrl(baseUrl, hosts(options.plainHttpHosts)),
    clientId,
    readSecret: typeof secret === 'function' ? secret : () => secret,
    dispatcher: dispatcherPair(options.dispatcher),
    fetch: resolveFetch(options.fetch ?? fetchOfRuntime(options)),
    store: options.store,
    ...sharedTokenOptions(options),
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    maxResponseBytes: positive('maxResponseBytes', options.maxResponseBytes, 'bytes') ?? DEFAULTS.maxResponseBytes,
    requestIdHeader: (options.requestIdHeader ?? choices?.['ERR-2'] ?? 'x-request-id').toLowerCase(),
    payments: paymentRules(options.payments),
    choices,
  };
}

function choicesOf(profile: Profile | undefined): Choices | undefined {
  if (profile === undefined) return undefined;
  const read = readProfile(profile);
  if ('choices' in read) return read.choices;
  throw new ConfigurationError(`The option "profile" cannot be used: ${read.problem}.`);
}

/** What is odd about options that may work all the same. */
export function oddOptions(options: OnlineOrderingOptions, { clientId, ...address }: ResolvedConnection): string[] {
  const odd = [oddBasePath(address)];
  if (!UUID.test(clientId)) {
    odd.push('The option "clientId" is not a UUID; the service gives client ids of this form. Is it another value?');
  }
  if (options.dispatcher?.constructor?.name === 'RetryAgent') {
    odd.push(
      'The option "dispatcher" is a RetryAgent: it sends again by itself, writes and payments too, and hides the status of ' +
        'failures. The client retries what may be sent again; give it the agent without RetryAgent.',
    );
  }
  return odd.filter((text) => text !== undefined);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function hosts(names: readonly string[] | undefined): readonly string[] {
  if (names === undefined) return [];
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names;
  throw wrong('plainHttpHosts', names, "give an array of host names, for example ['mock']");
}

function dispatcherPair(given: OnlineOrderingOptions['dispatcher']): DispatcherPair | undefined {
  if (given === undefined) return undefined;
  if (isDispatcher(given)) return { calls: given, payments: given };
  const { calls, payments } = (given ?? {}) as Partial<DispatcherPair>;
  if (isDispatcher(calls) && isDispatcher(payments)) return { calls, payments };
  throw new ConfigurationError(
    'The option "dispatcher" has no method "dispatch"; give an undici 7 or 8 Dispatcher, or two as { calls, payments }.',
  );
}

function isDispatcher(value: unknown): value is Dispatcher {
  return typeof (value as Partial<Dispatcher> | undefined)?.dispatch === 'function';
}

/** Bun puts a shell that cannot dispatch in the place of undici, and Workers have no sockets for it: both use `fetch`. */
function fetchOfRuntime({ dispatcher }: OnlineOrderingOptions): typeof globalThis.fetch | undefined {
  if (dispatcher !== undefined) return undefined;
  const { Bun, navigator } = globalThis as { Bun?: unknown; navigator?: { userAgent?: string } };
  const isWithoutUndici = Bun !== undefined || navigator?.userAgent === 'Cloudflare-Workers';
  return isWithoutUndici ? globalThis.fetch : undefined;
}

/** Looked up at each call when it is the global one: an interceptor that starts later must still see the call. */
function resolveFetch(given: OnlineOrderingOptions['fetch']): typeof globalThis.fetch | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== 'function') throw wrong('fetch', typeof given, 'give a WHATWG fetch function');
  return given === globalThis.fetch ? (input, init) => globalThis.fetch(input, init) : given;
}

function required<T>(name: string, given: T | undefined, variable: string): T | string {
  const value = given ?? globalThis.process?.env?.[variable];
  if (value !== undefined && value !== null && value !== '') return value;
  throw new ConfigurationError(
    `The option "${name}" is missing; pass it, or set the environment variable ${variable}.`,
  );
}

function positive(name: string, value: number | undefined, unit: 'milliseconds' | 'bytes'): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value > 0 && Number.isFinite(value)) return value;
  throw wrong(name, value, `it counts ${unit} and must be above 0. Leave it out for the default`);
}

const SHORTEST_TOKEN_KEY_BYTES = 32;

function sharedTokenOptions({ shareToken = true, tokenKey }: OnlineOrderingOptions) {
  if (shareToken !== 'in_clear' && typeof shareToken !== 'boolean') {
    throw wrong('shareToken', shareToken, "write true (sealed), false (not shared) or 'in_clear'");
  }
  if (tokenKey === undefined) return { shareToken, tokenKey };
  if (shareToken !== true) {
    throw new ConfigurationError(
      'The option "tokenKey" seals a shared token; leave it out, or leave out "shareToken".',
    );
  }
  const bytes = typeof tokenKey === 'string' ? new TextEncoder().encode(tokenKey) : tokenKey;
  if (!(bytes instanceof Uint8Array) || bytes.length < SHORTEST_TOKEN_KEY_BYTES) {
    throw new ConfigurationError(
      `The option "tokenKey" is too short or no text; give ${SHORTEST_TOKEN_KEY_BYTES} random bytes or more, for example of "openssl rand -base64 32".`,
    );
  }
  return { shareToken, tokenKey };
}

function waitLimit(value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= 0) return value;
  throw wrong('maxWait', value, 'it counts milliseconds and must be 0 or above. Leave it out for the default');
}

function retries(value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (Number.isInteger(value) && value >= 0 && value <= 100) return value;
  throw wrong('maxRetries', value, 'it must be a whole number from 0 (exactly one attempt) to 100');
}

function checkedLogger(logger: Logger): Logger {
  const missing = LOG_METHODS.find((method) => typeof logger[method] !== 'function');
  if (missing === undefined) return logger;
  throw new ConfigurationError(
    `The option "logger" has no method "${missing}"; give an object like console, pino or winston.`,
  );
}

function wrong(name: string, value: unknown, advice: string): ConfigurationError {
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value);
  return new ConfigurationError(`The option "${name}" is ${shown}; ${advice}.`);
}
