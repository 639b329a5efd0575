import { withBearerToken } from './auth/bearer-token.js';
import { SharedToken } from './auth/shared-token.js';
import { TokenManager, type TokenManagerDeps } from './auth/token-manager.js';
import { requestToken } from './auth/token-request.js';
import { type CallDefaults, callDefaults } from './http/call-options.js';
import { ContractCheck } from './http/contract/contract-check.js';
import type { Dialect } from './http/dialect/dialect.js';
import { DriftLog } from './http/drift/drift-log.js';
import type { ClientEvents } from './http/events/events.js';
import { loggingEmitter } from './http/events/logging.js';
import { Observer } from './http/events/observer.js';
import type { Call } from './http/exchange/call.js';
import { Closing } from './http/exchange/closing.js';
import type { Send } from './http/exchange/message.js';
import type { ExecuteDeps } from './http/execute.js';
import { type AttemptSteps, callPipeline, tokenPipeline } from './http/pipeline.js';
import { readResponse } from './http/response/parse.js';
import { Cooldowns } from './http/steps/cooldown.js';
import { KeyMemory } from './http/steps/idempotency-key.js';
import { Pauses } from './http/steps/pauses.js';
import { RetryBudget } from './http/steps/retry-budget.js';
import { SharedPauses } from './http/steps/shared-pauses.js';
import { Agents } from './http/transport/agents.js';
import { AttemptTimer } from './http/transport/attempt-timer.js';
import { fetchTransport } from './http/transport/transport-fetch.js';
import { undiciTransport } from './http/transport/transport-undici.js';
import { NamedOperations } from './operations/named-operations.js';
import type { ResolvedConnection, ResolvedSettings } from './options.js';
import { Emitter } from './platform/emitter.js';
import { newUuid } from './platform/uuid.js';
import { Caller } from './resources/caller.js';
import { ConfirmedRecords } from './resources/payments/confirmed-records.js';
import type { PaymentJournal } from './resources/payments/journal/journal.js';
import { memoryJournal } from './resources/payments/journal/memory-journal.js';
import { journalOver } from './resources/payments/journal/store/store-journal.js';
import { type DigestKeys, digestKeys } from './resources/payments/journal/tender-digest.js';
import { boundedStore } from './stores/bounded-store.js';
import { Seal, sealedStore } from './stores/seal.js';
import type { Store } from './stores/store.js';
import { StoreHealth } from './stores/store-health.js';

/**
 * What a client and its views (`withOptions`) share: the sockets, the token, the cool-downs, the memory of keys, the
 * retry budget and the listeners.
 */
export class Connection {
  readonly tokens: TokenManager;
  /** Where `settle` writes down its runs when a call names no journal. */
  readonly journal: PaymentJournal;
  /** How the journal recognises tenders without knowing them. */
  readonly digestKeys: DigestKeys;
  readonly events = new Emitter<ClientEvents>();
  /** Every drift so far. */
  readonly drifts: DriftLog;
  readonly #options: ResolvedConnection;
  readonly #agents = new Agents();
  readonly #timer: AttemptTimer;
  readonly #cooldowns: Cooldowns;
  readonly #keys: KeyMemory;
  readonly #closing = new Closing();
  readonly #budget = new RetryBudget();
  readonly #confirmed = new ConfirmedRecords();
  readonly #sharedToken: SharedToken | undefined;
  readonly #named: NamedOperations;
  readonly #transport: Send;
  readonly #dialect: (() => Promise<Dialect>) | undefined;

  constructor(options: ResolvedConnection, settings: ResolvedSettings) {
    const { clock, random, store } = options;
    this.#options = options;
    this.drifts = new DriftLog(clock);
    this.#dialect = dialectOf(options);
    this.#timer = new AttemptTimer(clock, this.#agents.stopConnecting);
    this.#keys = new KeyMemory(clock);
    this.#transport = this.#createTransport();

    const observer = this.#observer(settings);
    const storeKey = `online-ordering:${options.baseUrl}:${options.clientId}`;
    const pauses = new Pauses(clock);
    const health = new StoreHealth(clock, (facts) => observer.emit('store', facts));
    const healthy = (given: Store): Store => health.watching(boundedStore(given, { clock }));
    const bounded = store && healthy(store);
    const shared =
      bounded &&
      new SharedPauses({ store: bounded, key: `${storeKey}:cooldowns`, clock, pauses, health, newId: newUuid });
    this.#cooldowns = new Cooldowns(clock, pauses, shared);
    shared?.onFound((width, until) => this.#cooldowns.pausedElsewhere(width, until));

    const { shareToken, tokenKey, readSecret } = options;
    const secretOfSeal = tokenKey === undefined ? readSecret : () => tokenKey;
    const seal = new Seal({ readSecret: secretOfSeal, context: storeKey, clock });
    const tokenStore = store && healthy(shareToken === 'in_clear' ? store : sealedStore(store, seal));
    this.#sharedToken =
      tokenStore && shareToken !== false
        ? new SharedToken({ store: tokenStore, key: `${storeKey}:token`, clock, random, health, newId: newUuid })
        : undefined;
    const named = { store: bounded, prefix: storeKey, seal, clock, random, newKey: newUuid };
    this.#named = new NamedOperations({ ...named, health, horizonMs: options.payments.limits.horizonMs });
    // The same journal as `storeJournal(store)`; release 0.1.0 kept one for each address and client.
    this.journal = store ? journalOver(store, { formerPrefixes: [`${storeKey}:payments:`] }) : memoryJournal(clock);
    const { digestKey, formerDigestKeys } = options.payments;
    this.digestKeys = digestKeys({ digestKey, formerDigestKeys, readSecret: options.readSecret, clock });
    this.tokens = new TokenManager({
      request: this.#tokenRequest(settings, observer),
      shared: this.#sharedToken,
      clock,
      random,
      observer,
    });
  }

  /** The way of a request for one view of the client. */
  callerFor(settings: ResolvedSettings): Caller {
    const { clock, requestIdHeader, origin, basePath } = this.#options;
    const observer = this.#observer(settings);
    const bearerToken = withBearerToken(this.tokens, clock);
    const send = callPipeline({ keys: this.#keys, bearerToken, ...this.#attemptSteps(observer) });
    const deps: ExecuteDeps = {
      dialect: this.#dialect,
      send,
      clock,
      observer,
      contractCheck: new ContractCheck(settings.validation),
      requestIdHeader,
      origin,
      basePath,
    };
    const defaults = this.defaultsOf(settings);
    return new Caller(deps, defaults, this.#confirmed, this.#named);
  }

  /** What every call of this client starts from. */
  defaultsOf(settings: ResolvedSettings): CallDefaults {
    return callDefaults({ ...settings, clock: this.#options.clock, closing: this.#closing });
  }

  /** Forgets every cool-down, here and in the store. */
  endCooldowns(): void {
    this.#cooldowns.end();
  }

  /** Refuses new calls, ends waits, lets attempts under way end, then closes every socket. */
  async close(): Promise<void> {
    this.#closing.close();
    await this.#closing.whenIdle();
    // Attempts without a call: the token's renewal in the background.
    await this.#timer.whenIdle();
    await this.#sharedToken?.whenIdle();
    await this.#agents.close(() => this.#timer.whenIdle());
    this.#timer.stop();
  }

  #attemptSteps(observer: Observer): AttemptSteps {
    const { clock, random, requestIdHeader } = this.#options;
    const transport = this.#transport;
    return {
      budget: this.#budget,
      cooldowns: this.#cooldowns,
      observer,
      clock,
      random,
      requestIdHeader,
      transport,
    };
  }

  #tokenRequest(settings: ResolvedSettings, observer: Observer): TokenManagerDeps['request'] {
    const { clock, origin, basePath, clientId, readSecret } = this.#options;
    const { timeout, maxWait, maxRetries, defaultHeaders: headers } = settings;
    const send = tokenPipeline(this.#attemptSteps(observer));
    const closing = this.#closing;
    const deps = {
      send,
      clock,
      origin,
      basePath,
      clientId,
      readSecret,
      timeout,
      maxWait,
      maxRetries,
      headers,
      closing,
    };
    return (urgency, progress) =>
      requestToken({ ...deps, ...(urgency === 'background' ? { maxWait: 0, maxRetries: 0 } : { progress }) });
  }

  #createTransport(): Send {
    const { fetch, dispatcher, clock, maxResponseBytes } = this.#options;
    const beforeSending = (call: Call): void => {
      call.checkBeforeSending?.();
      this.#cooldowns.refuseIfPaused(call);
    };
    const common = { clock, timer: this.#timer, maxResponseBytes, beforeSending, read: readResponse };
    if (fetch) return fetchTransport({ ...common, fetch });
    const given =
      dispatcher && (({ operation }: Call) => dispatcher[operation.kind === 'money' ? 'payments' : 'calls']);
    return undiciTransport({ ...common, dispatcherFor: given ?? this.#agents.dispatcherFor });
  }

  #observer({ logger, logLevel }: ResolvedSettings): Observer {
    return new Observer([this.events, loggingEmitter(logger, logLevel)], this.drifts);
  }
}

/** Loaded with the first call, as the contract is; nothing of it without a profile. */
function dialectOf({ choices }: ResolvedConnection): (() => Promise<Dialect>) | undefined {
  if (!choices) return undefined;
  let loading: Promise<Dialect> | undefined;
  return () => {
    loading ??= import('./http/dialect/dialect.js').then(({ Dialect }) => new Dialect(choices));
    return loading;
  };
}
