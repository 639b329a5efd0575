import { ConfigurationError } from '../../errors/configuration.js';
import { type Clock, systemClock } from '../../platform/clock.js';
import { memoryStore } from '../../stores/memory.js';
import type { Store } from '../../stores/store.js';
import { type SignatureScheme, serviceSignature } from '../signature/signature-scheme.js';
import { type SigningSecret, type SigningSecrets, secretList } from '../signature/signing-secrets.js';

/** Secrets, or a function that gives them, asked at each delivery: a rotated secret then needs no restart. */
export type SecretsSource = SigningSecrets | (() => SigningSecrets | Promise<SigningSecrets>);

/** Options of a webhook receiver. */
export interface WebhookReceiverOptions {
  /** `signing_secret` of the subscription that delivers here; several subscriptions have several. */
  secrets: SecretsSource;
  /**
   * Secrets of deleted subscriptions, whose last deliveries may still be on their way: they are answered 200 and ignored
   * ("Webhook subscriptions"; an event does not say which subscription it belongs to).
   */
  retiredSecrets?: SecretsSource | undefined;
  /** Where handled events are remembered. Share one among all processes. @defaultValue a store in this process */
  store?: Store | undefined;
  /** Keeps receivers apart that share a store; handlers of two names both get every event. @defaultValue 'default' */
  name?: string | undefined;
  /**
   * `before_handlers` answers as soon as the event is verified, and handles it afterwards. The service then never
   * delivers it again: if a handler fails or the process dies, only the reconciler can bring the change back.
   *
   * @defaultValue 'after_handlers'
   */
  respond?: 'after_handlers' | 'before_handlers' | undefined;
  /**
   * `latest` drops an event that is older than the newest state known of the same order status, stock item, menu or
   * opening hours. `as_delivered` hands it over with `context.stale`.
   *
   * @defaultValue 'as_delivered'
   */
  ordering?: 'as_delivered' | 'latest' | undefined;
  /** How deliveries are signed. @defaultValue serviceSignature */
  scheme?: SignatureScheme | undefined;
  /** Largest body, in bytes; a larger one is answered 413. @defaultValue 1,048,576 (1 MiB) */
  maxBodyBytes?: number | undefined;
  /** After how many milliseconds an event of a dead process is open again; renewed while handlers run. @defaultValue 60,000 */
  leaseMs?: number | undefined;
  /** Longest time for the handlers of one event, in milliseconds; after it the event is open again. @defaultValue 600,000 */
  longestHandlerMs?: number | undefined;
  /** How long a delivery waits for another event of the same order or location, in milliseconds. @defaultValue 2,000 */
  lockWaitMs?: number | undefined;
  /** How long a handled event is remembered, in milliseconds. @defaultValue 604,800,000 (7 days) */
  rememberMs?: number | undefined;
  /** Told of failures as long as nobody listens with `onError`. @defaultValue console */
  logger?: { error(message: string, details?: unknown): void } | undefined;
  clock?: Clock | undefined;
}

/** The options with their defaults. */
export interface ResolvedReceiverOptions {
  readonly secrets: () => Promise<readonly SigningSecret[]>;
  readonly retiredSecrets: () => Promise<readonly SigningSecret[]>;
  readonly store: Store;
  readonly prefix: string;
  readonly respond: 'after_handlers' | 'before_handlers';
  readonly ordering: 'as_delivered' | 'latest';
  readonly scheme: SignatureScheme;
  readonly maxBodyBytes: number;
  readonly leaseMs: number;
  readonly longestHandlerMs: number;
  readonly lockWaitMs: number;
  readonly rememberMs: number;
  readonly logger: { error(message: string, details?: unknown): void };
  readonly clock: Clock;
}

const NUMBERS = {
  maxBodyBytes: 1024 * 1024,
  leaseMs: 60_000,
  longestHandlerMs: 600_000,
  lockWaitMs: 2_000,
  rememberMs: 7 * 86_400_000,
};

export function resolveReceiverOptions(options: WebhookReceiverOptions): ResolvedReceiverOptions {
  const clock = options.clock ?? systemClock;
  const numbers = { ...NUMBERS };
  for (const name of Object.keys(NUMBERS) as (keyof typeof NUMBERS)[]) {
    numbers[name] = options[name] ?? NUMBERS[name];
    if (!(numbers[name] > 0)) throw refused(name, numbers[name], `above 0, or left out for ${NUMBERS[name]}`);
  }
  const respond = oneOf('respond', options.respond, ['after_handlers', 'before_handlers']);
  // An event that was answered is not delivered again: it waits for its turn as long as handlers may take.
  if (respond === 'before_handlers') numbers.lockWaitMs = numbers.longestHandlerMs;
  return {
    ...numbers,
    secrets: secretsOf(options.secrets, 'secrets'),
    retiredSecrets: secretsOf(options.retiredSecrets ?? [], 'retiredSecrets'),
    store: options.store ?? memoryStore({ clock }),
    prefix: `online-ordering:webhooks:${options.name ?? 'default'}:`,
    respond,
    ordering: oneOf('ordering', options.ordering, ['as_delivered', 'latest']),
    scheme: options.scheme ?? serviceSignature,
    logger: options.logger ?? console,
    clock,
  };
}

function secretsOf(source: SecretsSource, option: string): () => Promise<readonly SigningSecret[]> {
  const check = (secrets: SigningSecrets): readonly SigningSecret[] =>
    // Only of those in use there must be one.
    option === 'retiredSecrets' && secrets.length === 0 && typeof secrets !== 'string'
      ? []
      : secretList(secrets, `The option ${option}`);
  if (typeof source === 'function') return async () => check(await source());
  const secrets = check(source);
  return async () => secrets;
}

/** The first choice is the default. */
function oneOf<Choice extends string>(option: string, value: Choice | undefined, choices: readonly Choice[]): Choice {
  if (value !== undefined && !choices.includes(value)) throw refused(option, value, choices.join(' or '));
  return value ?? choices[0]!;
}

function refused(option: string, value: unknown, expected: string): ConfigurationError {
  return new ConfigurationError(`The option ${option} is ${value}; it must be ${expected}.`);
}
