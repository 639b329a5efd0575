import { z } from 'zod';
import { annotate } from './annotation.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from './events.js';
import { once } from './once.js';
import { type Open, openEnum } from './open-enum.js';
import { type Fields, record } from './record.js';
import { explain, id, timestamp } from './scalars.js';

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
  event_types: Open<WebhookEventType>[];
  status: WebhookSubscriptionStatus;
  /** ISO 8601 date-time in UTC. */
  created_at: string;
}

/** A new subscription, with the secret that verifies its deliveries. Store it now: no other answer has it. */
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

/** Schema of {@link WebhookSubscription}. */
export const webhookSubscriptionSchema = once(() => record<WebhookSubscription>(subscriptionFields()));

/** Schema of {@link WebhookSubscriptionWithSecret}. */
export const webhookSubscriptionWithSecretSchema = once(() =>
  record<WebhookSubscriptionWithSecret>({ ...subscriptionFields(), signing_secret: z.string().min(1) }),
);

function subscriptionFields(): Fields<WebhookSubscription> {
  return {
    id: id(),
    url: annotate(z.string().min(1), { format: 'uri' }),
    event_types: z.array(openEnum(WEBHOOK_EVENT_TYPES)),
    status: openEnum(WEBHOOK_SUBSCRIPTION_STATUSES),
    created_at: timestamp(),
  };
}

/** Schema of {@link WebhookSubscriptionRequest}. */
export const webhookSubscriptionRequestSchema = once(() => {
  const types = `one of ${WEBHOOK_EVENT_TYPES.join(', ')}`;
  const atLeastOne = explain(`an array of at least one event type: ${types}`);
  return record<WebhookSubscriptionRequest>(
    {
      url: httpsAddress(),
      event_types: z
        .array(z.enum(WEBHOOK_EVENT_TYPES, { error: explain(types) }), { error: atLeastOne })
        .min(1, { error: atLeastOne }),
    },
    { error: explain('an object with `url` and `event_types`') },
  );
});

function httpsAddress() {
  const error = explain('an https address, such as https://shop.example.com/webhooks');
  const isHttps = (text: string) => URL.canParse(text) && new URL(text).protocol === 'https:';
  return annotate(z.string({ error }).refine(isHttps, { error }), { format: 'uri' });
}
