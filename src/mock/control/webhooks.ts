import type { WebhookEvent } from '../../contract/index.js';
import type { ServiceState } from '../state/state.js';
import type { DeliverToOptions, Pushes } from '../webhooks/deliver-to.js';
import type { Deliveries, RecordedDelivery } from '../webhooks/deliveries.js';
import type { RecordedEvent } from '../webhooks/event-log.js';
import type { DeliveryTarget } from '../webhooks/send.js';

export interface WebhookControl {
  /**
   * Delivers, signed, every event that this target has not taken yet (2xx), one after the other, and resolves with what
   * the target answered. What it refused, or nobody subscribed to, is delivered by a later call. A target is an address, or a function that answers a `Request`.
   */
  deliverTo(target: DeliveryTarget, options?: DeliverToOptions): Promise<RecordedDelivery[]>;
  /**
   * From now on deliveries to subscriptions whose address begins with `httpsUrl` are made, with retries, to `target`.
   * The rest of the address is appended. Without a route nothing leaves the process.
   */
  route(httpsUrl: string, target: DeliveryTarget): void;
  /** Every attempt to deliver so far. */
  deliveries(): RecordedDelivery[];
  /** Every event so far, in order, whether or not somebody subscribed to it. */
  events(): WebhookEvent[];
}

export interface WebhookControlParts {
  readonly deliveries: Deliveries;
  readonly events: () => readonly RecordedEvent[];
  readonly state: () => ServiceState;
  readonly pushes: Pushes;
}

export function createWebhookControl({ deliveries, events, state, pushes }: WebhookControlParts): WebhookControl {
  return {
    deliverTo: (target, options = {}) =>
      pushes.deliverTo(target, options, { deliveries, events: events(), state: state() }),
    route: (httpsUrl, target) => deliveries.route(httpsUrl, target),
    deliveries: () => deliveries.list(),
    events: () => events().map(({ event }) => structuredClone(event)),
  };
}
