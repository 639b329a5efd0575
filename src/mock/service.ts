import type { HttpHandler } from 'msw';
import { type Beginning, beginningOf } from './beginning.js';
import { type BehaviourControl, BehaviourSwitches } from './behaviour/control.js';
import { demand, objectOf, optional, trueOrFalse } from './checks/check.js';
import { createOrderControl, type OrderControl } from './control/orders.js';
import {
  createPartnerControl,
  credentialsOf,
  type PartnerControl,
  type PartnerCredentials,
} from './control/partners.js';
import { createPaymentControl, type PaymentControl } from './control/payments.js';
import { createStoreControls, type StoreControls } from './control/store.js';
import { told } from './control/told.js';
import { createWebhookControl, type WebhookControl } from './control/webhooks.js';
import { FaultQueue } from './faults/faults.js';
import { IdempotencyCache } from './kernel/idempotency.js';
import { Kernel, type WrittenReply } from './kernel/kernel.js';
import { RateLimiter } from './kernel/rate-limits.js';
import { BASE_PATH } from './kernel/request.js';
import { type RecordedRequest, RequestLog } from './kernel/request-log.js';
import { Router } from './kernel/router.js';
import { type Ledger, ledgerOf } from './operations/orders/ledger.js';
import { resumeOrders } from './operations/orders/resume-orders.js';
import { resumeStores } from './operations/stores/resume-stores.js';
import { takeOver } from './operations/subscriptions.js';
import { type MockServiceOptions, type ResolvedOptions, resolveOptions } from './options.js';
import { routes } from './routes.js';
import type { SampleIds } from './samples/index.js';
import { INSTRUMENTS } from './samples/instruments.js';
import { magic, type SampleCustomer, type SamplePromoCode } from './samples/magic.js';
import { type CountedStream, countedStream, seededRandom, uuidFrom } from './seed/seed.js';
import { keptState, type Snapshot, snapshotText } from './snapshot/snapshot.js';
import type { ServiceState } from './state/state.js';
import { Activity } from './time/activity.js';
import { MockClock } from './time/clock.js';
import { ServiceTimers } from './time/service-timers.js';
import { MockDispatcher } from './transport/dispatcher.js';
import { createFetch } from './transport/fetch.js';
import { type ListeningService, type ListenOptions, listen, type Served } from './transport/listen.js';
import { createMswHandlers } from './transport/msw-handlers.js';
import { Pushes } from './webhooks/deliver-to.js';
import { Deliveries } from './webhooks/deliveries.js';
import type { EventLog } from './webhooks/event-log.js';
import type { Workbench } from './workbench/index.js';
import { Taps, type Topic } from './workbench/taps.js';

/** Where the service is found in process. The name ends in `.test`, which is never a real one. */
const IN_PROCESS_URL = `https://online-ordering.test${BASE_PATH}`;

/** Ids of the sample data, and every value with a meaning of its own. */
export interface ServiceSamples extends SampleIds {
  /** Promo codes of the samples by code, each with what it does. */
  readonly promoCodes: Readonly<Record<keyof (typeof magic)['promoCodes'], SamplePromoCode>>;
  /** Customers with member prices by id, each with what it does. */
  readonly customers: Readonly<Record<keyof (typeof magic)['customers'], SampleCustomer>>;
  /** Payment tokens, gift card numbers and loyalty accounts. */
  readonly instruments: typeof INSTRUMENTS;
}

/** What a reset leaves as it is. */
export interface ResetOptions {
  /**
   * Subscriptions stay, with their ids and secrets: a receiver that subscribed once goes on to be told.
   * @defaultValue false
   */
  readonly keepSubscriptions?: boolean | undefined;
}

const RESET_OPTIONS = objectOf<ResetOptions>({ keepSubscriptions: optional(trueOrFalse) }, { called: 'option' });

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
  readonly #eventIds: CountedStream;
  readonly #requestIds: CountedStream;
  readonly #pushes: Pushes;
  readonly #servers = new Set<ListeningService>();
  #state: ServiceState;
  #events: EventLog;
  #handlers: HttpHandler[] | undefined;
  #workbench: Promise<Workbench> | undefined;

  constructor(options: MockServiceOptions = {}) {
    this.#options = resolveOptions(options);
    const { clock, seed, rateLimits, latencyMs, deliveries, behaviour, dialect, keep, snapshot } = this.#options;
    this.#behaviour = new BehaviourSwitches(seed, behaviour);
    this.behaviour = told(this.#behaviour, ['set', 'setKind'], () => this.#taps.changed('behaviour'));
    this.#eventIds = countedStream(seed, 'event ids', snapshot?.drawn.eventIds);
    this.#requestIds = countedStream(seed, 'request ids', snapshot?.drawn.requestIds);
    this.#pushes = new Pushes(seededRandom(seed, 'shuffle'));
    const state = (): ServiceState => this.#state;
    const router = new Router(routes);

    this.clock = new MockClock(clock, this.#activity);
    this.clock.onMove(() => this.#taps.changed('clock'));
    this.#timers = new ServiceTimers(this.clock, () => this.#behaviour.current.clockOffsetMs);
    this.faults = new FaultQueue(router);
    this.faults.onChange(() => this.#taps.changed('faults'));
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
      nextRequestId: () => uuidFrom(this.#requestIds.next),
      latencyMs,
    });
    // The time of the service never goes back.
    if (snapshot && snapshot.nowMs > this.clock.now()) this.clock.step(snapshot.nowMs - this.clock.now());
    const { state: first, events, ids } = this.#begin(snapshot);
    this.#state = first;
    this.#events = events;
    if (snapshot) this.#goOn(snapshot);

    const begin = this.#taps.on(this.#kernel.begin.bind(this.#kernel));
    this.samples = { ...ids, promoCodes: magic.promoCodes, customers: magic.customers, instruments: INSTRUMENTS };
    this.fetch = createFetch(begin);
    this.dispatcher = new MockDispatcher(begin);
    const changed = (topic: Topic) => () => this.#taps.changed(topic);
    this.payments = told(createPaymentControl(state), ['declineNext', 'settleAfter'], changed('faults'));
    this.orders = told(createOrderControl(state), ['advance'], changed('orders'));
    const stores = createStoreControls(state);
    // Events tell of what changes in menus, stock and hours.
    this.menu = stores.menu;
    this.stock = stores.stock;
    this.hours = stores.hours;
    this.locations = told(stores.locations, ['update'], changed('stores'));
    const partners = createPartnerControl(state, IN_PROCESS_URL);
    this.partners = told(partners, ['add', 'configure', 'rotateSecret'], changed('partners'));
    const webhooks = createWebhookControl({
      deliveries: this.#deliveries,
      events: () => this.#events.list(),
      pushes: this.#pushes,
      state,
    });
    this.webhooks = told(webhooks, ['route', 'subscribe'], changed('webhooks'));
  }

  /** Address and credentials of the first partner, which has every location in scope. */
  get credentials(): PartnerCredentials {
    const [partner] = this.#state.partners.values();
    return credentialsOf(partner!, IN_PROCESS_URL);
  }

  /**
   * Handlers for MSW 2: `setupServer(...service.handlers)`. They respond at the address of `service.credentials`.
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
    return this.#requests.onEnded(listener);
  }

  /**
   * Calls `listener` when something has, or may have, changed, and returns a function that ends that. It is told what
   * that is; `everything` is a reset.
   */
  onChange(listener: (what: Topic | 'requests') => void): () => void {
    const ends = [
      this.#requests.onEnded(() => listener('requests')),
      this.#taps.add({ watch: (_, exchange) => exchange, changed: listener }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  /**
   * Everything that the service remembers, apart from its requests, as text: `createMockService({ snapshot })` goes on
   * from there. It holds secrets and tokens, and is read by the version of the package that wrote it.
   */
  snapshot(): string {
    return snapshotText({
      version: 1,
      seed: this.#options.seed,
      choices: this.#options.dialect.choices,
      nowMs: this.clock.now(),
      drawn: {
        ...this.#state.drawn(),
        eventIds: this.#eventIds.drawn(),
        requestIds: this.#requestIds.drawn(),
      },
      state: keptState(this.#state),
      replies: this.#idempotency.kept(),
      events: this.#events.list(),
      deliveries: this.#deliveries.kept(),
      pushes: this.#pushes.kept(),
      behaviour: this.#behaviour.current,
      faults: this.faults.list(),
    });
  }

  /**
   * Forgets everything but the time, the servers and the routes of webhooks: sample data, credentials and ids are
   * those of a new service with the same seed, except the ids of events, which go on, so that a receiver takes none
   * for one that it has seen. Tokens issued before are refused.
   */
  reset(options: ResetOptions = {}): void {
    const { keepSubscriptions = false } = demand('reset', options, RESET_OPTIONS);
    const { subscriptions } = this.#state;
    this.#timers.clear();
    this.faults.clear();
    this.#behaviour.reset();
    this.#requests.reset();
    this.#limiter.reset();
    this.#idempotency.reset();
    this.#deliveries.reset();
    this.#pushes.reset();
    const { state, events } = this.#begin();
    if (keepSubscriptions) takeOver(state, subscriptions.values());
    this.#state = state;
    this.#events = events;
    this.#taps.changed('everything');
  }

  /** Ends servers, timers and deliveries that are on their way. */
  async close(): Promise<void> {
    this.#timers.clear();
    this.#deliveries.end();
    await Promise.all([...this.#servers].map((server) => server.close()));
  }

  /** `await using service = …` closes the service at the end of its block. */
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

  /** Goes on with what the service of a snapshot had under way. */
  #goOn({ replies, events, deliveries, pushes, behaviour, faults }: Snapshot): void {
    this.#behaviour.set({ ...behaviour, ...this.#options.behaviour });
    for (const { endpoint, fault, left } of faults) this.faults.next(endpoint, { ...fault, times: left });
    this.#idempotency.restore(replies);
    this.#pushes.restore(pushes);
    resumeStores(this.#state);
    resumeOrders(this.#state);
    this.#deliveries.restore(deliveries, events);
  }

  #begin(snapshot?: Snapshot): Beginning {
    return beginningOf(
      {
        options: this.#options,
        clock: this.clock,
        timers: this.#timers,
        activity: this.#activity,
        behaviour: this.#behaviour,
        nextEventId: () => uuidFrom(this.#eventIds.next),
        onEvent: (recorded) => {
          this.#deliveries.announce(recorded);
          this.#taps.changed('webhooks');
          this.#taps.changed(recorded.event.event_type.startsWith('order.') ? 'orders' : 'stores');
        },
      },
      snapshot,
    );
  }
}
