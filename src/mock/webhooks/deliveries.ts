import type { WebhookEventType } from '../../contract/index.js';
import type { Clock } from '../../platform/clock.js';
import { Latest } from '../state/keep.js';
import type { ServiceState, SubscriptionRecord } from '../state/state.js';
import type { Activity } from '../time/activity.js';
import { timestampNow } from '../time/timestamp.js';
import type { DeliveryDialect } from './delivery-dialect.js';
import type { RecordedEvent } from './event-log.js';
import { isKnownType } from './event-types.js';
import { type DeliveryTarget, sendDelivery } from './send.js';

/** How deliveries to subscriptions are repeated. */
export interface DeliveryOptions {
  /** Milliseconds on the service's clock before each further attempt. @defaultValue [1000, 5000, 30000, 120000, 600000] */
  readonly retryDelaysMs?: readonly number[] | undefined;
  /** Failed deliveries in a row, retries included in each, that disable a subscription. @defaultValue 20 */
  readonly disableAfter?: number | undefined;
  /** Real milliseconds for one attempt. @defaultValue 10000 */
  readonly timeoutMs?: number | undefined;
}

// gap SIG-4
export const DEFAULT_DELIVERIES: Required<DeliveryOptions> = {
  retryDelaysMs: [1000, 5000, 30_000, 120_000, 600_000],
  disableAfter: 20,
  timeoutMs: 10_000,
};

/** One attempt to deliver one event. */
export interface RecordedDelivery {
  /** 1, 2, 3, … in the order in which deliveries ended, for as long as the service lives. */
  readonly number: number;
  /** `event_id` of the event; the same in each attempt to deliver it. */
  readonly eventId: string;
  /** `event_type` of the event. */
  readonly eventType: WebhookEventType;
  /** `null` for a delivery of `deliverTo` with a secret of its own. */
  readonly subscriptionId: string | null;
  /** Address of the subscription. */
  readonly url: string;
  /** The signature that was sent. */
  readonly signature: string;
  /** From 1 on. */
  readonly attempt: number;
  /** The bytes that were signed and sent. */
  readonly requestBody: string;
  /** Status of the receiver's response; `null` when there was none. */
  readonly status: number | null;
  /** What went wrong when there was no response. */
  readonly error: string | null;
  /** Headers of the response, names in lower case. */
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  /** The first 2,000 characters of the response. */
  readonly responseBody: string | null;
  /** Any 2xx (gap SIG-3). */
  readonly delivered: boolean;
  /** ISO 8601, on the service's clock. */
  readonly at: string;
}

/** What a later service needs to go on. */
export interface KeptDeliveries {
  readonly attempts: readonly RecordedDelivery[];
  readonly count: number;
  readonly routes: readonly { readonly url: string; readonly target: string }[];
}

export interface Attempt {
  readonly recorded: RecordedEvent;
  readonly subscription: SubscriptionRecord | undefined;
  readonly target: DeliveryTarget;
  readonly url: string;
  readonly secret: string;
  readonly number: number;
}

export interface DeliveryDeps {
  readonly options: DeliveryOptions | undefined;
  readonly keep: number;
  readonly clock: Clock;
  readonly activity: Activity;
  readonly dialect: DeliveryDialect;
  readonly state: () => ServiceState;
}

/** Sends events to the addresses that were routed, and again when the receiver fails. */
export class Deliveries {
  readonly #deps: DeliveryDeps;
  readonly #options: Required<DeliveryOptions>;
  readonly #listeners = new Set<(delivery: RecordedDelivery) => void>();
  readonly #routes = new Map<string, DeliveryTarget>();
  /** First attempts of a subscription go out one after the other, in the order of their events. */
  readonly #queues = new Map<string, Promise<void>>();
  readonly #attempts: Latest<RecordedDelivery>;
  /** What each delivery was made of, to make it again. */
  readonly #made = new WeakMap<RecordedDelivery, Attempt>();
  /** Ends what is on its way, and what waits for it: at a reset, and at the end of the service. */
  #life = new AbortController();
  #count = 0;
  /** Events of an earlier service, by id. */
  #earlier = new Map<string, RecordedEvent>();
  /** Those of them that are to be delivered still, as long as a route may be missing for one of them. */
  #left: RecordedEvent[] = [];

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    this.#attempts = new Latest(deps.keep);
    const { retryDelaysMs, disableAfter, timeoutMs } = deps.options ?? {};
    this.#options = {
      retryDelaysMs: retryDelaysMs ?? DEFAULT_DELIVERIES.retryDelaysMs,
      disableAfter: disableAfter ?? DEFAULT_DELIVERIES.disableAfter,
      timeoutMs: timeoutMs ?? DEFAULT_DELIVERIES.timeoutMs,
    };
  }

  /** Deliveries to addresses that begin with `httpsUrl` go to `target`. */
  route(httpsUrl: string, target: DeliveryTarget): void {
    if (!URL.canParse(httpsUrl) || new URL(httpsUrl).protocol !== 'https:') {
      throw new TypeError(
        'The first argument is the https address of subscriptions, such as "https://hooks.example.com".',
      );
    }
    this.#routes.set(httpsUrl.replace(/\/$/, ''), target);
    this.#goOn();
  }

  /** Attempts, and the routes that have an address. */
  kept(): KeptDeliveries {
    const routes = this.routed().flatMap(({ url, target }) => (target === null ? [] : [{ url, target }]));
    return { attempts: this.list(), count: this.#count, routes };
  }

  /** Goes on where an earlier service stood: what was not delivered then is delivered from now on. */
  restore({ attempts, count, routes }: KeptDeliveries, events: readonly RecordedEvent[]): void {
    for (const attempt of attempts) this.#attempts.push(attempt);
    this.#count = count;
    this.#left = [...events];
    this.#earlier = new Map(events.map((recorded) => [recorded.event.event_id, recorded]));
    for (const { url, target } of routes) this.route(url, target);
  }

  /** Where deliveries go, by the address that was routed; a function in this process has no address. */
  routed(): { readonly url: string; readonly target: string | null }[] {
    return [...this.#routes].map(([url, target]) => ({
      url,
      target: typeof target === 'function' ? null : String(target),
    }));
  }

  /** Starts the deliveries of a new event. */
  announce(recorded: RecordedEvent): void {
    for (const subscription of subscribersOf(this.#deps.state(), recorded)) {
      const attempt = this.#attemptOf(recorded, subscription, 1);
      if (attempt) this.#queue(attempt);
    }
  }

  #attemptOf(recorded: RecordedEvent, subscription: SubscriptionRecord, number: number): Attempt | undefined {
    const { url } = subscription.subscription;
    const target = this.#targetOf(url);
    return target === undefined
      ? undefined
      : { recorded, subscription, target, url, secret: subscription.signingSecret, number };
  }

  #queue(attempt: Attempt): void {
    const { id } = attempt.subscription!.subscription;
    const before = this.#queues.get(id) ?? Promise.resolve();
    const { signal } = this.#life;
    const after = this.#deps.activity.during(async () => {
      await before;
      if (signal.aborted) return;
      await this.#attempt(attempt);
      if (this.#queues.get(id) === after) this.#queues.delete(id);
    });
    this.#queues.set(id, after);
  }

  /** Delivers what an earlier service left, as far as its routes are known by now. */
  #goOn(): void {
    const waiting = new Set<RecordedEvent>();
    for (const recorded of this.#left) {
      const subscribers = subscribersOf(this.#deps.state(), recorded).filter(
        ({ subscription }) => Date.parse(subscription.created_at) <= Date.parse(recorded.event.created_at),
      );
      for (const subscriber of subscribers) {
        const made = this.#madeOf(recorded.event.event_id, subscriber.subscription.id);
        if (made.some(({ delivered }) => delivered)) continue;
        const number = Math.max(0, ...made.map(({ attempt }) => attempt)) + 1;
        if (number > this.#options.retryDelaysMs.length + 1) continue;
        const attempt = this.#attemptOf(recorded, subscriber, number);
        if (attempt) this.#queue(attempt);
        else waiting.add(recorded);
      }
    }
    this.#left = [...waiting];
  }

  /** What a delivery of an earlier service was made of, where its subscription and its route are still there. */
  #earlierAttempt({ eventId, subscriptionId, attempt }: RecordedDelivery): Attempt | undefined {
    const recorded = this.#earlier.get(eventId);
    const subscription = this.#deps.state().subscriptions.get(subscriptionId ?? '');
    return recorded && subscription && this.#attemptOf(recorded, subscription, attempt);
  }

  #madeOf(eventId: string, subscriptionId: string | null): RecordedDelivery[] {
    return this.list().filter((one) => one.eventId === eventId && one.subscriptionId === subscriptionId);
  }

  /** One attempt, without a retry. */
  async send(attempt: Attempt): Promise<RecordedDelivery> {
    const { recorded, subscription, number, ...where } = attempt;
    const { clock, dialect } = this.#deps;
    const body = dialect.body(recorded.body);
    const { signature, headers } = dialect.sign(body, attempt.secret, clock.now());
    const { timeoutMs } = this.#options;
    const { signal } = this.#life;
    const response = await sendDelivery({ ...where, body, signature, headers, timeoutMs, signal });
    const { status } = response;
    const delivery: RecordedDelivery = {
      number: ++this.#count,
      eventId: recorded.event.event_id,
      eventType: recorded.event.event_type,
      subscriptionId: subscription?.subscription.id ?? null,
      url: attempt.url,
      signature,
      attempt: number,
      requestBody: body,
      ...response,
      delivered: status !== null && status >= 200 && status < 300,
      at: timestampNow(this.#deps.clock),
    };
    if (signal.aborted) return delivery;
    this.#attempts.push(delivery);
    this.#made.set(delivery, attempt);
    for (const listener of this.#listeners) listener({ ...delivery });
    return delivery;
  }

  onDelivery(listener: (delivery: RecordedDelivery) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Makes a delivery once more, to where it went before, without retries. */
  async resend(delivery: RecordedDelivery): Promise<RecordedDelivery> {
    const made = this.#made.get(delivery) ?? this.#earlierAttempt(delivery);
    if (!made)
      throw new Error(`Where delivery ${delivery.number} went is not known any more: the service was restarted.`);
    const before = this.#madeOf(delivery.eventId, delivery.subscriptionId);
    return this.send({ ...made, number: Math.max(...before.map(({ attempt }) => attempt), made.number) + 1 });
  }

  list(): RecordedDelivery[] {
    return [...this.#attempts.list()];
  }

  /** Breaks off what is on its way, and leaves it undelivered: a receiver that hangs holds nobody up. */
  end(): void {
    this.#life.abort(new Error('The service was closed or reset'));
    this.#life = new AbortController();
    this.#queues.clear();
  }

  /** Forgets attempts; routes stay. */
  reset(): void {
    this.end();
    this.#attempts.clear();
    this.#left = [];
    this.#earlier.clear();
  }

  async #attempt(attempt: Attempt): Promise<void> {
    const subscription = attempt.subscription!;
    const { signal } = this.#life;
    const { delivered } = await this.send(attempt);
    if (signal.aborted) return;
    if (delivered) {
      subscription.consecutiveFailures = 0;
      return;
    }
    const delayMs = this.#options.retryDelaysMs[attempt.number - 1];
    if (delayMs === undefined) this.#countFailure(subscription);
    else this.#deps.clock.setTimer(() => this.#retry({ ...attempt, number: attempt.number + 1 }), delayMs);
  }

  #retry(attempt: Attempt): void {
    const { id } = attempt.subscription!.subscription;
    const isStillWanted = this.#deps.state().subscriptions.get(id)?.subscription.status === 'ACTIVE';
    if (isStillWanted) void this.#deps.activity.during(() => this.#attempt(attempt));
  }

  #countFailure(subscription: SubscriptionRecord): void {
    subscription.consecutiveFailures += 1;
    if (subscription.consecutiveFailures >= this.#options.disableAfter) subscription.subscription.status = 'DISABLED';
  }

  /** The longest routed address that the subscription's address begins with. */
  #targetOf(url: string): DeliveryTarget | undefined {
    const [prefix] = [...this.#routes.keys()]
      .filter((prefix) => url === prefix || url.startsWith(`${prefix}/`) || url.startsWith(`${prefix}?`))
      .sort((a, b) => b.length - a.length);
    const target = prefix === undefined ? undefined : this.#routes.get(prefix);
    if (prefix === undefined || target === undefined || typeof target === 'function') return target;
    const rest = url.slice(prefix.length);
    return rest === '' || rest === '/' ? target : `${String(target).replace(/\/$/, '')}${rest}`;
  }
}

/** Active subscriptions of the event's partner that ask for its type. */
export function subscribersOf(state: ServiceState, { partnerId, event }: RecordedEvent): SubscriptionRecord[] {
  return [...state.subscriptions.values()].filter(
    (record) =>
      record.partnerId === partnerId &&
      record.subscription.status === 'ACTIVE' &&
      // An unknown type goes to all subscriptions: none could ask for it.
      (record.subscription.event_types.includes(event.event_type) || !isKnownType(event.event_type)),
  );
}
