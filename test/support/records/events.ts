import { signPayload, type WebhookReceiver } from '../../../src/webhooks/index.js';
import { LOCATION_ID, ORDER_ID } from './ids.js';

export const SECRET = 'whsec_test_4f1c2a7b8d11';
export const AT = '2026-01-15T14:30:00.250Z';

/** `sent` seconds after {@link AT}. */
export function later(seconds: number): string {
  return new Date(Date.parse(AT) + seconds * 1000).toISOString();
}

export interface SampleEvent {
  event_id: string;
  event_type: string;
  created_at: string;
  data: Record<string, unknown>;
}

export function orderCreated(eventId: string, data: Record<string, unknown> = {}): SampleEvent {
  return {
    event_id: eventId,
    event_type: 'order.created',
    created_at: AT,
    data: {
      order_id: ORDER_ID,
      location_id: LOCATION_ID,
      status: 'PENDING',
      handoff_mode: 'PICKUP',
      total: { amount: 1250, currency: 'USD' },
      created_at: AT,
      ...data,
    },
  };
}

/** States as `status|fulfillment_status|payment_status`. */
export function statusChanged(
  eventId: string,
  previous: string,
  current: string,
  changedAt: string,
  orderId = ORDER_ID,
): SampleEvent {
  const [previousStatus, previousFulfillment, previousPayment] = previous.split('|');
  const [status, fulfillment, payment] = current.split('|');
  return {
    event_id: eventId,
    event_type: 'order.status_changed',
    created_at: changedAt,
    data: {
      order_id: orderId,
      location_id: LOCATION_ID,
      previous_status: previousStatus,
      current_status: status,
      previous_fulfillment_status: previousFulfillment,
      current_fulfillment_status: fulfillment,
      previous_payment_status: previousPayment,
      current_payment_status: payment,
      changed_at: changedAt,
    },
  };
}

export function stockUpdated(
  eventId: string,
  ...items: [itemId: string, previous: string, current: string, updatedAt: string][]
): SampleEvent {
  return {
    event_id: eventId,
    event_type: 'stock.updated',
    created_at: items[0]?.[3] ?? AT,
    data: {
      location_id: LOCATION_ID,
      items: items.map(([itemId, previous, current, updatedAt]) => ({
        item_id: itemId,
        name: `Item ${itemId}`,
        previous_status: previous,
        current_status: current,
        updated_at: updatedAt,
      })),
    },
  };
}

export function menuChanged(eventId: string, versionHash: string, changedAt: string): SampleEvent {
  return {
    event_id: eventId,
    event_type: 'menu.changed',
    created_at: changedAt,
    data: { location_id: LOCATION_ID, version_hash: versionHash, change_type: 'ITEMS_MODIFIED', changed_at: changedAt },
  };
}

/** Delivers an event, signed, and gives the response's status and outcome. */
export async function deliver(
  receiver: Pick<WebhookReceiver, 'handle'>,
  event: unknown,
  secret = SECRET,
): Promise<string> {
  const body = JSON.stringify(event);
  const result = await receiver.handle({ body, headers: signPayload(body, secret) });
  return `${result.status} ${result.outcome}`;
}
