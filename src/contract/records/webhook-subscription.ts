import type { WebhookEventType } from './events.js';
import type { Open } from './open-enum.js';

/** The known values of {@link WebhookSubscriptionStatus}. */
export const WEBHOOK_SUBSCRIPTION_STATUSES = ['ACTIVE', 'DISABLED'] as const;

/** `DISABLED` after too many failed deliveries in a row: make a new subscription (gap HOOK-2). */
export type WebhookSubscriptionStatus = Open<(typeof WEBHOOK_SUBSCRIPTION_STATUSES)[number]>;

/**
 * An address that gets events. Its secret is returned at creation only.
 *
 * @see Interface document, "Webhook subscriptions"; gap HOOK-2 for the names of the fields
 */
export interface WebhookSubscription {
  /** UUID. */
  id: string;
  /** The https address. */
  url: string;
  /** What is delivered to the address. */
  event_types: Open<WebhookEventType>[];
  /** Whether deliveries are made. */
  status: WebhookSubscriptionStatus;
  /** ISO 8601 date-time in UTC. */
  created_at: string;
}

/** A new subscription, with the secret that verifies its deliveries. Store it now: no other response has it. */
export interface WebhookSubscriptionWithSecret extends WebhookSubscription {
  /** Key of the signature. Never log it. */
  signing_secret: string;
}

/**
 * The body that registers an address for events (gap HOOK-1).
 *
 * @see Interface document, "Webhook subscriptions"
 */
export interface WebhookSubscriptionRequest {
  /** An https address. */
  url: string;
  /** At least one. The same address and event type twice is refused (409). */
  event_types: WebhookEventType[];
}
