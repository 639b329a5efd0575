import { ConfigurationError } from '../../errors/configuration.js';
import { type Clock, systemClock } from '../../platform/clock.js';
import type { Profile } from '../../profile/profile.js';
import { boundedStore } from '../../stores/bounded-store.js';
import { memoryStore } from '../../stores/memory.js';
import type { Store } from '../../stores/store.js';
import type { Inbox } from '../inbox/inbox.js';
import type { SignatureScheme } from '../signature/signature-scheme.js';
import { type DeliveryStyle, styleOf } from './profile-style.js';
import { SecretSource, type SecretsSource } from './secret-source.js';

/** Options of a webhook receiver. */
export interface WebhookReceiverOptions<Tx = undefined> {
  /** `signing_secret` of the subscription that delivers here; several subscriptions have several. */
  secrets: SecretsSource;
  /**
   * Secrets of deleted subscriptions, whose last deliveries may still be on their way: they get 200 and are ignored
   * ("Webhook subscriptions"; an event does not say which subscription it belongs to).
   */
  retiredSecrets?: SecretsSource | undefined;
  /** Where handled events are remembered. Share one among all processes. @defaultValue a store in this process */
  store?: Store | undefined;
  /**
   * Writes each event before it is acknowledged, and hands it to the workers (`receiver.startWorkers()`), in this process
   * or in others. Handlers may then be slow and fail without the service noticing.
   */
  inbox?: Inbox<Tx> | undefined;
  /** Keeps receivers apart that share a store; handlers of two names both get every event. @defaultValue 'default' */
  name?: string | undefined;
  /**
   * `before_handlers` responds as soon as the event is verified, and handles it afterwards. The service then never
   * delivers it again: if a handler fails or the process dies, only the reconciler can bring the change back. An `inbox`
   * responds as early, and loses nothing.
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
  /**
   * What the service chose (`online-ordering.profile.json`): how deliveries are signed and written; `scheme` wins over it.
   * @defaultValue the choices of gaps SIG-1 and EVT-1
   */
  profile?: Profile | undefined;
  /** Largest body, in bytes; a larger one gets 413. @defaultValue 1,048,576 (1 MiB) */
  maxBodyBytes?: number | undefined;
  /** After how many milliseconds an event of a dead process is open again; renewed while handlers run. @defaultValue 60,000 */
  leaseMs?: number | undefined;
  /** Longest time for the handlers of one event, in milliseconds; after it the event is open again. @defaultValue 600,000 */
  longestHandlerMs?: number | undefined;
  /** How long a delivery waits for another event of the same order or location, in milliseconds. @defaultValue 2,000 */
  lockWaitMs?: number | undefined;
  /** Longest time for one operation of the store, the inbox or the secrets' function, in milliseconds. @defaultValue 3,000 */
  storeTimeoutMs?: number | undefined;
  /** How long a handled event is remembered, in milliseconds. @defaultValue 604,800,000 (7 days) */
  rememberMs?: number | undefined;
  /** Gets failures as long as there is no listener of `onError`. @defaultValue console */
  logger?:
    | {
        /** Gets one sentence, and the error beside it. */
        error(message: string, details?: unknown): void;
      }
    | undefined;
  /** Where time comes from; a test gives one that it moves. @defaultValue the system's clock */
  clock?: Clock | undefined;
}

/** The options with their defaults. */
export interface ResolvedReceiverOptions<Tx> {
  readonly secrets: SecretSource;
  readonly retiredSecrets: SecretSource;
  /** With a time for each operation. */
  readonly store: Store;
  /** As it was given. */
  readonly givenStore: Store | undefined;
  readonly inbox: Inbox<Tx> | undefined;
  readonly prefix: string;
  readonly respond: 'after_handlers' | 'before_handlers';
  readonly ordering: 'as_delivered' | 'latest';
  readonly content: DeliveryStyle['content'];
  readonly scheme: SignatureScheme;
  readonly maxBodyBytes: number;
  readonly leaseMs: number;
  readonly longestHandlerMs: number;
  readonly lockWaitMs: number;
  readonly storeTimeoutMs: number;
  readonly rememberMs: number;
  readonly logger: { error(message: string, details?: unknown): void };
  readonly clock: Clock;
}

const NUMBERS = {
  maxBodyBytes: 1024 * 1024,
  leaseMs: 60_000,
  longestHandlerMs: 600_000,
  lockWaitMs: 2_000,
  storeTimeoutMs: 3_000,
  rememberMs: 7 * 86_400_000,
};

export function resolveReceiverOptions<Tx>(options: WebhookReceiverOptions<Tx>): ResolvedReceiverOptions<Tx> {
  const { clock = systemClock, store: givenStore, inbox } = options;
  const numbers = { ...NUMBERS };
  for (const name of Object.keys(NUMBERS) as (keyof typeof NUMBERS)[]) {
    numbers[name] = options[name] ?? NUMBERS[name];
    if (!(numbers[name] > 0)) throw refused(name, numbers[name], `above 0, or left out for ${NUMBERS[name]}`);
  }
  const respond = oneOf('respond', options.respond, ['after_handlers', 'before_handlers']);
  if (inbox && options.respond) throw refused('respond', respond, 'left out with an inbox, which acknowledges at once');
  // An event that was acknowledged is not delivered again: it waits for its turn as long as handlers may take.
  if (respond === 'before_handlers') numbers.lockWaitMs = numbers.longestHandlerMs;
  const limits = { clock, limitMs: numbers.storeTimeoutMs };
  const style = styleOf(options.profile);
  const secretsOf = (name: 'secrets' | 'retiredSecrets', source: SecretsSource) =>
    new SecretSource({ name, source, ...limits });
  return {
    ...numbers,
    secrets: secretsOf('secrets', options.secrets),
    retiredSecrets: secretsOf('retiredSecrets', options.retiredSecrets ?? []),
    store: givenStore ? boundedStore(givenStore, limits) : memoryStore({ clock }),
    givenStore,
    inbox,
    prefix: `online-ordering:webhooks:${options.name ?? 'default'}:`,
    respond,
    ordering: oneOf('ordering', options.ordering, ['as_delivered', 'latest']),
    content: style.content,
    scheme: options.scheme ?? style.scheme,
    logger: options.logger ?? console,
    clock,
  };
}

/** The first choice is the default. */
function oneOf<Choice extends string>(option: string, value: Choice | undefined, choices: readonly Choice[]): Choice {
  if (value !== undefined && !choices.includes(value)) throw refused(option, value, choices.join(' or '));
  return value ?? choices[0]!;
}

function refused(option: string, value: unknown, expected: string): ConfigurationError {
  return new ConfigurationError(`The option ${option} is ${value}; it must be ${expected}.`);
}
