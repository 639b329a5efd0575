import type { WebhookEventType, WebhookSubscription } from '../../contract/index.js';
import type { ServiceState, SubscriptionRecord } from '../state/state.js';
import { timestampNow } from '../time/timestamp.js';

/** A subscription with its secret, as the response to its creation shows it. */
export type NewSubscription = WebhookSubscription & {
  /** `whsec_…`: the key of the signatures. Only the response to the subscription shows it. */
  readonly signing_secret: string;
};

export function addSubscription(
  state: ServiceState,
  partnerId: string,
  { url, event_types }: { readonly url: string; readonly event_types: readonly WebhookEventType[] },
): NewSubscription {
  const subscription: WebhookSubscription = {
    id: unusedId(state),
    url,
    event_types: [...event_types],
    status: 'ACTIVE',
    created_at: timestampNow(state.clock),
  };
  const signingSecret = state.nextSecret('whsec_');
  const sequence = Math.max(0, ...[...state.subscriptions.values()].map((one) => one.sequence)) + 1;
  state.subscriptions.set(subscription.id, {
    partnerId,
    subscription,
    signingSecret,
    sequence,
    consecutiveFailures: 0,
  });
  return { ...subscription, signing_secret: signingSecret };
}

/** Takes subscriptions over from an earlier state, as far as it has their partners. */
export function takeOver(state: ServiceState, records: Iterable<SubscriptionRecord>): void {
  for (const record of records) {
    if (!state.partners.has(record.partnerId)) continue;
    state.subscriptions.set(record.subscription.id, { ...record, consecutiveFailures: 0 });
  }
}

/** Ids of a state that begins anew are drawn again; a subscription that was taken over may have one of them. */
function unusedId(state: ServiceState): string {
  const id = state.nextId();
  return state.subscriptions.has(id) ? unusedId(state) : id;
}
