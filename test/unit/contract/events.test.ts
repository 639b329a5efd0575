import { WEBHOOK_EVENT_TYPES, webhookEventEnvelopeSchema, webhookEventSchema } from 'online-ordering-sdk/contract';
import { describe, expect, test } from 'vitest';
import * as samples from '../../support/records/index.js';

const at = '2026-01-31T10:00:00Z';
const order = { order_id: samples.ORDER_ID, location_id: samples.LOCATION_ID };
const hours = samples.location.business_hours;

const contents: Record<string, object> = {
  'order.created': { ...order, status: 'PENDING', handoff_mode: 'PICKUP', total: samples.usd(1902), created_at: at },
  'order.status_changed': {
    ...order,
    previous_status: 'PENDING',
    current_status: 'CONFIRMED',
    previous_fulfillment_status: 'PENDING',
    current_fulfillment_status: 'PENDING',
    previous_payment_status: 'UNPAID',
    current_payment_status: 'PAID',
    changed_at: at,
  },
  'order.cancelled': { ...order, reason: null, cancelled_at: at },
  'stock.updated': {
    location_id: samples.LOCATION_ID,
    items: [
      {
        item_id: samples.MENU_ITEM_ID,
        name: 'Sub',
        previous_status: 'IN_STOCK',
        current_status: 'SCARCE',
        updated_at: at,
      },
    ],
  },
  'menu.changed': {
    location_id: samples.LOCATION_ID,
    version_hash: 'sha256:b2c3',
    change_type: 'FULL_UPDATE',
    changed_at: at,
  },
  'location.hours_changed': {
    location_id: samples.LOCATION_ID,
    previous_hours: hours,
    current_hours: hours,
    effective_date: null,
    changed_at: at,
  },
};

function event(event_type: string, data: object) {
  return { event_id: 'evt_c3d4e5f6-a7b8', event_type, created_at: at, data };
}

describe('each of the six events is taken as the gaps table describes it, unknown fields kept', () => {
  test.each(WEBHOOK_EVENT_TYPES)('%s', (type) => {
    const delivered = { ...event(type, { ...contents[type], note: 'kept' }), attempt: 2 };

    expect(webhookEventSchema().parse(delivered)).toEqual(delivered);
    expect(webhookEventSchema().safeParse(event(type, {})).success).toBe(false);
  });
});

test('an event of a type to come is taken by the envelope', () => {
  const later = event('order.rated', { stars: 5 });

  expect(webhookEventEnvelopeSchema().parse(later)).toEqual(later);
  expect(webhookEventSchema().safeParse(later).success).toBe(false);
});
