import { foreignResource, locationOutOfScope, notFound } from '../refusals/refusal.js';
import type { CartRecord, LocationRecord, OrderRecord, ServiceState, SubscriptionRecord } from '../state/state.js';

/** The cart of the calling partner, in any status; 404 when there is none, 403 when another partner owns it. */
export function ownedCart(state: ServiceState, partnerId: string, cartId: string): CartRecord {
  return owned(state.carts.get(cartId.toLowerCase()), partnerId, 'Cart');
}

export function ownedOrder(state: ServiceState, partnerId: string, orderId: string): OrderRecord {
  return owned(state.orders.get(orderId.toLowerCase()), partnerId, 'Order');
}

export function ownedSubscription(state: ServiceState, partnerId: string, webhookId: string): SubscriptionRecord {
  return owned(state.subscriptions.get(webhookId.toLowerCase()), partnerId, 'Webhook');
}

/** A location in the partner's scope; 404 when it does not exist, 403 when it was not given to this partner. */
export function locationInScope(state: ServiceState, partnerId: string, locationId: string): LocationRecord {
  const id = locationId.toLowerCase();
  const location = state.locations.get(id);
  if (!location?.active) throw notFound('Location');
  if (!state.partners.get(partnerId)?.locationIds.has(id)) throw locationOutOfScope(id);
  return location;
}

function owned<T extends { readonly partnerId: string }>(record: T | undefined, partnerId: string, what: string): T {
  if (!record) throw notFound(what);
  if (record.partnerId !== partnerId) throw foreignResource();
  return record;
}
