import type { HttpHandler } from 'msw';
import { sleep } from '../platform/clock.js';
import type { Random } from '../platform/random.js';
import { type BehaviourControl, BehaviourSwitches } from './behaviour/control.js';
import { createOrderControl, type OrderControl } from './control/orders.js';
import {
  createPartnerControl,
  credentialsOf,
  type PartnerControl,
  type PartnerCredentials,
} from './control/partners.js';
import { createPaymentControl, type PaymentControl } from './control/payments.js';
import { createStoreControls, type StoreControls } from './control/store.js';
import { createWebhookControl, type WebhookControl } from './control/webhooks.js';
import { FaultQueue } from './faults/faults.js';
import { IdempotencyCache } from './kernel/idempotency.js';
import { Kernel, type WrittenReply } from './kernel/kernel.js';
import { RateLimiter } from './kernel/rate-limits.js';
import { BASE_PATH } from './kernel/request.js';
import { type RecordedRequest, RequestLog } from './kernel/request-log.js';
import { Router } from './kernel/router.js';
import { type Ledger, ledgerOf } from './operations/orders/ledger.js';
import { type MockServiceOptions, type ResolvedOptions, resolveOptions } from './options.js';
import { routes } from './routes.js';
import { createSamples, type SampleIds } from './samples/index.js';
import { INSTRUMENTS } from './samples/instruments.js';
import { magic } from './samples/magic.js';
import { withOwnData } from './samples/own-data.js';
import { seededRandom, uuidFrom } from './seed/seed.js';
import { addPartner, createState } from './state/service-state.js';
import type { ServiceState } from './state/state.js';
import { Activity } from './time/activity.js';
import { MockClock } from './time/clock.js';
import { ServiceTimers } from './time/service-timers.js';
import { timestamp } from './time/timestamp.js';
import { MockDispatcher } from './transport/dispatcher.js';
import { createFetch } from './transport/fetch.js';
import { type ListeningService, type ListenOptions, listen, type Served } from './transport/listen.js';
import { createMswHandlers } from './transport/msw-handlers.js';
import { Pushes } from './webhooks/deliver-to.js';
import { Deliveries } from './webhooks/deliveries.js';
import { EventLog } from './webhooks/event-log.js';
import type { Workbench } from './workbench/index.js';
import { Taps } from './workbench/taps.js';

/** Where the service is found in process. The name ends in `.test`, which is never a real one. */
const IN_PROCESS_URL = `https://online-ordering.test${BASE_PATH}`;

/** Ids of the sample data, and every value with a meaning of its own. */
export interface ServiceSamples extends SampleIds {
  readonly promoCodes: (typeof magic)['promoCodes'];
  readonly customers: (typeof magic)['customers'];
  /** Payment tokens, gift card numbers and loyalty accounts. */
  readonly instruments: typeof INSTRUMENTS;
}

/**
 * The online ordering service in memory: all endpoints and rules of the interface document, with controls for tests.
 *
 * Made by `createMockService`.
 */
export class MockService {
  /** The clock of the service; give it to the client, too, so that both agree on the time. */
  readonly clock: MockClock;
  /** Lets requests go wrong. */
  readonly faults: FaultQueue;
  /** What the service does where the interface document promises nothing. */
  readonly behaviour: BehaviourControl;
  /** Declines, and payments that take time. */
  readonly payments: PaymentControl;
  /** Every order (`service.orders()`), and what the store does with it. */
  readonly orders: OrderControl;
  /** Changes menus. */
  readonly menu: StoreControls['menu'];
  /** Changes what a store has. */
  readonly stock: StoreControls['stock'];
  /** Changes opening hours. */
  readonly hours: StoreControls['hours'];
  /** Changes locations in mid-session. */
  readonly locations: StoreControls['locations'];
  /** Further partners, and new secrets. */
  readonly partners: PartnerControl;
  /** Events, and where they are delivered. */
  readonly webhooks: WebhookControl;
  /** Ids of locations and items, ready-made cart items, and magic values. */
  readonly samples: ServiceSamples;
  /** A `fetch` that reaches the service and nothing else, whatever the host of the address. */
  readonly fetch: typeof globalThis.fetch;
  /** A dispatcher for undici 7 and 8. */
  readonly dispatcher: MockDispatcher;

  readonly #options: ResolvedOptions;
  readonly #activity = new Activity();
  readonly #taps = new Taps();
  readonly #behaviour: BehaviourSwitches;
  readonly #timers: ServiceTimers;
  readonly #requests: RequestLog;
  readonly #limiter: RateLimiter;
  readonly #idempotency: IdempotencyCache<WrittenReply>;
  readonly #kernel: Kernel;
  readonly #deliveries: Deliveries;
  /** Goes on over a reset: a receiver that has seen an event must not take a new one for it. */
  readonly #eventIds: Random;
  readonly #pushes: Pushes;
  readonly #servers = new Set<ListeningService>();
  #state: ServiceState;
  #events: EventLog;
  #handlers: HttpHandler[] | undefined;
  #workbench: Promise<Workbench> | undefined;

  constructor(options: MockServiceOptions = {}) {
    this.#options = resolveOptions(options);
    const { clock, seed, rateLimits, latencyMs, deliveries, behaviour, dialect, keep } = this.#options;
    this.#behaviour = new BehaviourSwitches(seed, behaviour);
    this.behaviour = this.#behaviour;
    this.#eventIds = seededRandom(seed, 'event ids');
    this.#pushes = new Pushes(seededRandom(seed, 'shuffle'));
    const state = (): ServiceState => this.#state;
    const router = new Router(routes);
    const requestIds = seededRandom(seed, 'request ids');

    this.clock = new MockClock(clock, this.#activity);
    this.#timers = new ServiceTimers(this.clock, () => this.#behaviour.current.clockOffsetMs);
    this.faults = new FaultQueue(router);
    this.#requests = new RequestLog(this.clock, keep.requests);
    this.#limiter = new RateLimiter(this.clock, rateLimits);
    this.#idempotency = new IdempotencyCache(this.clock, keep.keys);
    this.#deliveries = new Deliveries({
      options: deliveries,
      keep: keep.deliveries,
      clock: this.#timers,
      activity: this.#activity,
      dialect: dialect.deliveries,
      state,
    });
    this.#deliveries.onDelivery(() => this.#taps.changed('webhooks'));
    this.#kernel = new Kernel({
      router,
      faults: this.faults,
      requests: this.#requests,
      limiter: this.#limiter,
      idempotency: this.#idempotency,
      activity: this.#activity,
      clock: this.clock,
      behaviour: this.#behaviour,
      edge: dialect,
      state,
      nextRequestId: () => uuidFrom(requestIds),
      latencyMs,
    });
    const { state: first, events, ids } = this.#begin();
    this.#state = first;
    this.#events = events;

    const begin = this.#taps.on(this.#kernel.begin.bind(this.#kernel));
    this.samples = { ...ids, promoCodes: magic.promoCodes, customers: magic.customers, instruments: INSTRUMENTS };
    this.fetch = createFetch(begin);
    this.dispatcher = new MockDispatcher(begin);
    this.payments = createPaymentControl(state);
    this.orders = createOrderControl(state);
    const stores = createStoreControls(state);
    this.menu = stores.menu;
    this.stock = stores.stock;
    this.hours = stores.hours;
    this.locations = stores.locations;
    this.partners = createPartnerControl(state, IN_PROCESS_URL);
    this.webhooks = createWebhookControl({
      deliveries: this.#deliveries,
      events: () => this.#events.list(),
      pushes: this.#pushes,
      state,
    });
  }

  /** Address and credentials of the first partner, which has every location in scope. */
  get credentials(): PartnerCredentials {
    const [partner] = this.#state.partners.values();
    return credentialsOf(partner!, IN_PROCESS_URL);
  }

  /**
   * Handlers for MSW 2: `setupServer(...service.handlers)`. They answer at the address of `service.credentials`.
   *
   * @throws Error when MSW is not installed.
   */
  get handlers(): HttpHandler[] {
    this.#handlers ??= createMswHandlers(this.fetch, IN_PROCESS_URL);
    return this.#handlers;
  }

  /** Serves the service over real HTTP, on this machine only unless `host` says otherwise. */
  async listen(options: ListenOptions = {}): Promise<ListeningService> {
    const begin = this.#taps.on(this.#kernel.begin.bind(this.#kernel));
    const during = this.#activity.during.bind(this.#activity);
    const workbench = await this.#workbenchOf(options);
    const server = await listen({ begin, during, workbench }, options);
    this.#activity.serverOpened();
    const close = async (): Promise<void> => {
      if (this.#servers.delete(opened)) this.#activity.serverClosed();
      await server.close();
    };
    const opened: ListeningService = { ...server, close };
    this.#servers.add(opened);
    return opened;
  }

  /** Every movement of money of an order: charges, voids and refunds, and their sums in cents. */
  ledger(orderId: string): Ledger {
    return ledgerOf(this.#state, orderId);
  }

  /** Every request that reached the service, in order. Tokens and bodies are not kept. */
  requests(): RecordedRequest[] {
    return this.#requests.list();
  }

  /** Calls `listener` at the end of each request, and returns a function that ends that. */
  onRequest(listener: (request: RecordedRequest) => void): () => void {
    return this.#requests.onAnswered(listener);
  }

  /**
   * Forgets everything but the time, the servers and the routes of webhooks: sample data, credentials and ids are
   * those of a new service with the same seed, except the ids of events, which go on, so that a receiver takes none
   * for one that it has seen. Tokens issued before are refused.
   */
  reset(): void {
    this.#timers.clear();
    this.faults.clear();
    this.#behaviour.reset();
    this.#requests.reset();
    this.#limiter.reset();
    this.#idempotency.reset();
    this.#deliveries.reset();
    this.#pushes.reset();
    const { state, events } = this.#begin();
    this.#state = state;
    this.#events = events;
    this.#taps.changed('everything');
  }

  /** Ends servers and timers. */
  async close(): Promise<void> {
    this.#timers.clear();
    await Promise.all([...this.#servers].map((server) => server.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The workbench is loaded when a server is to have one, and not before. */
  async #workbenchOf({ workbench = false }: ListenOptions): Promise<Served['workbench']> {
    if (workbench === false) return undefined;
    this.#workbench ??= import('./workbench/index.js').then(({ openWorkbench }) =>
      openWorkbench({
        service: this,
        taps: this.#taps,
        requests: this.#requests,
        deliveries: this.#deliveries,
        state: () => this.#state,
      }),
    );
    return (await this.#workbench).serve({ hosts: workbench === true ? [] : workbench.hosts });
  }

  #begin(): { state: ServiceState; events: EventLog; ids: SampleIds } {
    const { seed, enforceTenders, strict, autoAdvanceMs, keep } = this.#options;
    const { data } = this.#options;
    const startMs = this.clock.now();
    const samples = withOwnData(createSamples({ seed, startMs }), data, timestamp(startMs));
    const events = new EventLog({
      clock: this.#timers,
      nextId: () => uuidFrom(this.#eventIds),
      keep: keep.events,
      onEvent: (recorded) => {
        this.#deliveries.announce(recorded);
        this.#taps.changed('webhooks');
        this.#taps.changed(recorded.event.event_type.startsWith('order.') ? 'orders' : 'stores');
      },
    });
    const state = createState({
      seed,
      samples,
      clock: this.#timers,
      rules: { enforceTenders, strict, autoAdvanceMs },
      keep,
      behaviour: this.#behaviour,
      wait: (delayMs) => this.#activity.outside(() => sleep(this.clock, delayMs)),
      emit: events.emit.bind(events),
    });
    addPartner(state, state.locations.keys());
    for (const [number, balance] of Object.entries(data?.giftCards ?? {})) {
      state.payments.giftCardBalances.set(number, balance);
    }
    return { state, events, ids: samples.ids };
  }
}
