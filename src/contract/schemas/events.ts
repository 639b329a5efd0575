import { z } from 'zod';
import {
  type LocationHoursChangedEvent,
  MENU_CHANGE_TYPES,
  type MenuChangedEvent,
  type OrderCancelledEvent,
  type OrderCreatedEvent,
  type OrderStatusChangedEvent,
  type StockChange,
  type StockUpdatedEvent,
  type WebhookEvent,
  type WebhookEventEnvelope,
  type WebhookEventType,
} from '../records/events.js';
import { HANDOFF_MODES } from '../records/handoff.js';
import { INVENTORY_STATUSES } from '../records/inventory.js';
import { FULFILLMENT_STATUSES, ORDER_STATUSES, PAYMENT_STATUSES } from '../records/order.js';
import { annotate } from './annotation.js';
import { dayHoursSchema } from './location.js';
import { moneySchema } from './money.js';
import { once } from './once.js';
import { openEnum } from './open-enum.js';
import { type Fields, record } from './record.js';
import { id, opaque, timestamp } from './scalars.js';

/** Schema of {@link OrderCreatedEvent}. */
export const orderCreatedEventSchema = once(() =>
  event<OrderCreatedEvent>('order.created', {
    order_id: id(),
    location_id: id(),
    status: openEnum(ORDER_STATUSES),
    handoff_mode: openEnum(HANDOFF_MODES),
    total: moneySchema(),
    created_at: timestamp(),
  }),
);

/** Schema of {@link OrderStatusChangedEvent}. */
export const orderStatusChangedEventSchema = once(() =>
  event<OrderStatusChangedEvent>('order.status_changed', {
    order_id: id(),
    location_id: id(),
    previous_status: openEnum(ORDER_STATUSES),
    current_status: openEnum(ORDER_STATUSES),
    previous_fulfillment_status: openEnum(FULFILLMENT_STATUSES),
    current_fulfillment_status: openEnum(FULFILLMENT_STATUSES),
    previous_payment_status: openEnum(PAYMENT_STATUSES),
    current_payment_status: openEnum(PAYMENT_STATUSES),
    changed_at: timestamp(),
  }),
);

/** Schema of {@link OrderCancelledEvent}. */
export const orderCancelledEventSchema = once(() =>
  event<OrderCancelledEvent>('order.cancelled', {
    order_id: id(),
    location_id: id(),
    reason: z.string().nullish(),
    cancelled_at: timestamp(),
  }),
);

/** Schema of {@link StockChange}. */
export const stockChangeSchema = once(() =>
  record<StockChange>({
    item_id: id(),
    name: z.string(),
    previous_status: openEnum(INVENTORY_STATUSES),
    current_status: openEnum(INVENTORY_STATUSES),
    updated_at: timestamp(),
  }),
);

/** Schema of {@link StockUpdatedEvent}. */
export const stockUpdatedEventSchema = once(() =>
  event<StockUpdatedEvent>('stock.updated', { location_id: id(), items: z.array(stockChangeSchema()) }),
);

/** Schema of {@link MenuChangedEvent}. */
export const menuChangedEventSchema = once(() =>
  event<MenuChangedEvent>('menu.changed', {
    location_id: id(),
    version_hash: z.string().min(1),
    change_type: openEnum(MENU_CHANGE_TYPES),
    changed_at: timestamp(),
  }),
);

/** Schema of {@link LocationHoursChangedEvent}. */
export const locationHoursChangedEventSchema = once(() =>
  event<LocationHoursChangedEvent>('location.hours_changed', {
    location_id: id(),
    previous_hours: z.array(dayHoursSchema()),
    current_hours: z.array(dayHoursSchema()),
    effective_date: annotate(z.string(), { format: 'date' }).nullish(),
    changed_at: timestamp(),
  }),
);

/**
 * Schema of {@link WebhookEvent}. It knows the six types only; `webhookEventEnvelopeSchema` takes types to come too.
 */
export const webhookEventSchema = once((): z.ZodType<WebhookEvent> => {
  const events: Readonly<Record<WebhookEventType, z.ZodType<WebhookEvent>>> = {
    'order.created': orderCreatedEventSchema(),
    'order.status_changed': orderStatusChangedEventSchema(),
    'order.cancelled': orderCancelledEventSchema(),
    'stock.updated': stockUpdatedEventSchema(),
    'menu.changed': menuChangedEventSchema(),
    'location.hours_changed': locationHoursChangedEventSchema(),
  };
  const options = Object.values(events) as unknown as [z.ZodObject];
  return z.discriminatedUnion('event_type', options) as unknown as z.ZodType<WebhookEvent>;
});

/** Schema of what every event has around its data, whatever its type. */
export const webhookEventEnvelopeSchema = once(() =>
  record<WebhookEventEnvelope<string, Record<string, unknown>>>({
    event_id: opaque(),
    event_type: z.string().min(1),
    created_at: timestamp(),
    data: z.looseObject({}),
  }),
);

function event<Event extends WebhookEvent>(type: Event['event_type'], data: Fields<Event['data']>): z.ZodType<Event> {
  return z.looseObject({
    event_id: opaque(),
    event_type: z.literal(type),
    created_at: timestamp(),
    data: z.looseObject(data),
  }) as unknown as z.ZodType<Event>;
}
