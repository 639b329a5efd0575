import { z } from 'zod';
import { WEBHOOK_EVENT_TYPES } from '../records/events.js';
import {
  WEBHOOK_SUBSCRIPTION_STATUSES,
  type WebhookSubscription,
  type WebhookSubscriptionRequest,
  type WebhookSubscriptionWithSecret,
} from '../records/webhook-subscription.js';
import { annotate } from './annotation.js';
import { once } from './once.js';
import { openEnum } from './open-enum.js';
import { type Fields, record } from './record.js';
import { isHttpsAddress } from './rules.js';
import { explain, id, timestamp } from './scalars.js';

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
  return annotate(z.string({ error }).refine(isHttpsAddress, { error }), { format: 'uri' });
}
