import type { WebhookEvent, WebhookEventType } from '../../contract/index.js';
import {
  demand,
  listOf,
  matching,
  objectOf,
  oneOf,
  optional,
  text,
  trueOrFalse,
  valuesOf,
  valueThat,
  wholeNumber,
} from '../checks/check.js';
import { addSubscription, type NewSubscription } from '../operations/subscriptions.js';
import type { ServiceState } from '../state/state.js';
import type { DeliverToOptions, Pushes } from '../webhooks/deliver-to.js';
import type { Deliveries, RecordedDelivery } from '../webhooks/deliveries.js';
import type { RecordedEvent } from '../webhooks/event-log.js';
import { EVENT_TYPES } from '../webhooks/event-types.js';
import type { DeliveryTarget } from '../webhooks/send.js';
import { partnerOf } from './partners.js';

/** Subscriptions, deliveries and events of the service. */
export interface WebhookControl {
  /**
   * Delivers, signed, every event that this target has not taken yet (2xx), one after the other, and resolves with what
   * the target responded. What it refused, or had no subscription, is delivered by a later call. A target is an address, or a function that takes a `Request` and returns a `Response`.
   */
  deliverTo(target: DeliveryTarget, options?: DeliverToOptions): Promise<RecordedDelivery[]>;
  /**
   * From now on deliveries to subscriptions whose address begins with `httpsUrl` are made, with retries, to `target`.
   * The rest of the address is appended. Without a route nothing leaves the process.
   */
  route(httpsUrl: string, target: DeliveryTarget): void;
  /**
   * Sends an event that the service does not send by itself: of a type of the future, or with other data. It goes to
   * every active subscription of the partner that asked for its type, or to all of them when no type of today is its.
   */
  emit(type: string, data: Readonly<Record<string, unknown>>, options?: EmitOptions): WebhookEvent;
  /**
   * Subscribes a partner (without `clientId`, the first one), as `POST /webhooks` does; returns the signing secret with
   * it. A subscription of the same address and types is given back as it is.
   */
  subscribe(subscription: SubscriptionRequest, options?: EmitOptions): NewSubscription;
  /** Calls `listener` after each attempt to deliver, and returns a function that ends that. */
  onDelivery(listener: (delivery: RecordedDelivery) => void): () => void;
  /**
   * Makes recorded deliveries once more, signed as they were, to where they went before: several `times`, or in another
   * order, which depends on the seed. Nothing of it is retried.
   *
   * @param numbers - `number` of each delivery.
   */
  resend(numbers: readonly number[], options?: ResendOptions): Promise<RecordedDelivery[]>;
  /** Every attempt to deliver so far. */
  deliveries(): RecordedDelivery[];
  /** Every event so far, in order, with or without a subscription to it. */
  events(): WebhookEvent[];
}

/** What a partner subscribes to. */
export interface SubscriptionRequest {
  /** https. */
  readonly url: string;
  /** Types of events that are delivered there; at least one. */
  readonly event_types: readonly WebhookEventType[];
}

const SUBSCRIPTION = objectOf<SubscriptionRequest>({
  url: matching('an https address', /^https:\/\/./),
  event_types: listOf(oneOf(...EVENT_TYPES)),
});

/** How deliveries are made once more. */
export interface ResendOptions {
  /** How often each is made. @defaultValue 1 */
  readonly times?: number | undefined;
  /** @defaultValue false */
  readonly shuffle?: boolean | undefined;
}

/** For whom an event is. */
export interface EmitOptions {
  /** @defaultValue the first partner */
  readonly clientId?: string | undefined;
}

/** Deliveries of one call of `resend`: they go out one after the other. */
const MOST_RESENT = 10_000;

const EMITTED = objectOf({
  type: text,
  data: valuesOf(
    valueThat('a value of JSON', () => true),
    'an object',
  ),
});
const RESEND_OPTIONS = objectOf<ResendOptions>(
  { times: optional(wholeNumber(1, 'a whole number of deliveries, from 1 on')), shuffle: optional(trueOrFalse) },
  { called: 'option' },
);
const EMIT_OPTIONS = objectOf<EmitOptions>({ clientId: optional(text) }, { called: 'option' });

function subscribedAlready(
  { subscriptions }: ServiceState,
  partnerId: string,
  { url, event_types: types }: SubscriptionRequest,
): NewSubscription | undefined {
  const same = [...subscriptions.values()].find(
    ({ partnerId: owner, subscription }) =>
      owner === partnerId &&
      subscription.url === url &&
      subscription.event_types.length === types.length &&
      types.every((type) => subscription.event_types.includes(type)),
  );
  return same && { ...same.subscription, signing_secret: same.signingSecret };
}

export interface WebhookControlDeps {
  readonly deliveries: Deliveries;
  readonly events: () => readonly RecordedEvent[];
  readonly state: () => ServiceState;
  readonly pushes: Pushes;
}

export function createWebhookControl({ deliveries, events, state, pushes }: WebhookControlDeps): WebhookControl {
  return {
    deliverTo: (target, options = {}) =>
      pushes.deliverTo(target, options, { deliveries, events: events(), state: state() }),
    route: (httpsUrl, target) => deliveries.route(httpsUrl, target),
    emit(type, data, options = {}) {
      const { clientId } = demand('webhooks.emit', options, EMIT_OPTIONS);
      demand('webhooks.emit', { type, data }, EMITTED);
      state().emit(partnerOf(state(), clientId).id, type as WebhookEventType, data as unknown as WebhookEvent['data']);
      return structuredClone(events().at(-1)!.event);
    },
    subscribe(subscription, options = {}) {
      const { clientId } = demand('webhooks.subscribe', options, EMIT_OPTIONS);
      demand('webhooks.subscribe', subscription, SUBSCRIPTION);
      const { id: partnerId } = partnerOf(state(), clientId);
      return subscribedAlready(state(), partnerId, subscription) ?? addSubscription(state(), partnerId, subscription);
    },
    onDelivery: (listener) => deliveries.onDelivery(listener),
    async resend(numbers, options = {}) {
      const { times = 1, shuffle = false } = demand('webhooks.resend', options, RESEND_OPTIONS);
      demand('webhooks.resend', numbers, listOf(wholeNumber(1, 'the number of a delivery')));
      if (numbers.length * times > MOST_RESENT) {
        const asked = `${numbers.length} deliveries ${times} times`;
        throw new TypeError(`webhooks.resend: ${asked} are more than ${MOST_RESENT}; make them in several calls.`);
      }
      const made = deliveries.list();
      const chosen = numbers.map((number) => {
        const delivery = made.find((one) => one.number === number);
        if (!delivery) throw new Error(`There is no delivery ${number}; webhooks.deliveries() lists those there are.`);
        return delivery;
      });
      const all = chosen.flatMap((delivery) => Array.from({ length: times }, () => delivery));
      if (shuffle) pushes.shuffle(all);
      const results: RecordedDelivery[] = [];
      for (const delivery of all) results.push(await deliveries.resend(delivery));
      return results;
    },
    deliveries: () => deliveries.list(),
    events: () => events().map(({ event }) => structuredClone(event)),
  };
}
