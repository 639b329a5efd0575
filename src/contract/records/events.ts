import type { HandoffModeName } from './handoff.js';
import type { InventoryStatus } from './inventory.js';
import type { DayHours } from './location.js';
import type { Money } from './money.js';
import type { Open } from './open-enum.js';
import type { FulfillmentStatus, OrderStatus, PaymentStatus } from './order.js';

/** The six kinds of events, in the order of the interface document. */
export const WEBHOOK_EVENT_TYPES = [
  'order.created',
  'order.status_changed',
  'order.cancelled',
  'stock.updated',
  'menu.changed',
  'location.hours_changed',
] as const;

/**
 * One of {@link WEBHOOK_EVENT_TYPES}.
 *
 * @see Interface document, "Events"
 */
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/**
 * An event as it is delivered; `event_type` says which one. Drop duplicates by `event_id`.
 *
 * @see Interface document, "Events"; gaps EVT-1 to EVT-7 for the names of the fields
 */
export type WebhookEvent =
  | OrderCreatedEvent
  | OrderStatusChangedEvent
  | OrderCancelledEvent
  | StockUpdatedEvent
  | MenuChangedEvent
  | LocationHoursChangedEvent;

/** What every event has around its data (gap EVT-1). */
export interface WebhookEventEnvelope<Type extends string, Data> {
  /** Opaque; the same in every delivery of the event. */
  event_id: string;
  /** What happened; it tells the six kinds apart. */
  event_type: Type;
  /** When it happened: ISO 8601 date-time in UTC. */
  created_at: string;
  /** What the event is about. */
  data: Data;
}

/** A checkout placed an order. Read the whole order with `client.orders.retrieve`. */
export interface OrderCreatedEvent extends WebhookEventEnvelope<'order.created', OrderCreatedData> {}

/** Content of `order.created` (gap EVT-2). */
export interface OrderCreatedData {
  /** UUID. */
  order_id: string;
  /** UUID. */
  location_id: string;
  /** `PENDING`: the order awaits payment. */
  status: OrderStatus;
  /** Name of the mode. */
  handoff_mode: Open<HandoffModeName>;
  /** What is to be paid. */
  total: Money;
  /** ISO 8601 date-time in UTC. */
  created_at: string;
}

/** One of the three status fields of an order changed. */
export interface OrderStatusChangedEvent extends WebhookEventEnvelope<'order.status_changed', OrderStatusChangedData> {}

/** Content of `order.status_changed`: the three status fields before and after (gap EVT-3). */
export interface OrderStatusChangedData {
  /** UUID. */
  order_id: string;
  /** UUID. */
  location_id: string;
  /** Lifecycle status before the change. */
  previous_status: OrderStatus;
  /** Lifecycle status after the change. */
  current_status: OrderStatus;
  /** Fulfillment status before the change. */
  previous_fulfillment_status: FulfillmentStatus;
  /** Fulfillment status after the change. */
  current_fulfillment_status: FulfillmentStatus;
  /** Payment status before the change. */
  previous_payment_status: PaymentStatus;
  /** Payment status after the change. */
  current_payment_status: PaymentStatus;
  /** ISO 8601 date-time in UTC. */
  changed_at: string;
}

/** An order was cancelled. Payments under way are voided, completed ones refunded. */
export interface OrderCancelledEvent extends WebhookEventEnvelope<'order.cancelled', OrderCancelledData> {}

/** Content of `order.cancelled` (gap EVT-4). */
export interface OrderCancelledData {
  /** UUID. */
  order_id: string;
  /** UUID. */
  location_id: string;
  /** As given at the cancel; null or absent when none was. */
  reason?: string | null;
  /** ISO 8601 date-time in UTC. */
  cancelled_at: string;
}

/** The availability of one or several items changed at a location. */
export interface StockUpdatedEvent extends WebhookEventEnvelope<'stock.updated', StockUpdatedData> {}

/** Content of `stock.updated` (gap EVT-5). */
export interface StockUpdatedData {
  /** UUID. */
  location_id: string;
  /** The items whose availability changed; one event may carry several. */
  items: StockChange[];
}

/** The availability of one item, before and after (gap EVT-5). */
export interface StockChange {
  /** UUID of the menu item. */
  item_id: string;
  /** Name of the menu item. */
  name: string;
  /** Availability before the change. */
  previous_status: InventoryStatus;
  /** Availability after the change. */
  current_status: InventoryStatus;
  /** ISO 8601 date-time in UTC. */
  updated_at: string;
}

/** The menu of a location changed. Fetch it again when you have another `version_hash`. */
export interface MenuChangedEvent extends WebhookEventEnvelope<'menu.changed', MenuChangedData> {}

/** The known values of {@link MenuChangeType}. */
export const MENU_CHANGE_TYPES = [
  'ITEMS_ADDED',
  'ITEMS_REMOVED',
  'ITEMS_MODIFIED',
  'CATEGORIES_CHANGED',
  'FULL_UPDATE',
] as const;

/** What changed in a menu (gap EVT-6). */
export type MenuChangeType = Open<(typeof MENU_CHANGE_TYPES)[number]>;

/** Content of `menu.changed` (gap EVT-6). */
export interface MenuChangedData {
  /** UUID. */
  location_id: string;
  /** The `version_hash` of the new menu. */
  version_hash: string;
  /** What changed, as far as the service says. */
  change_type: MenuChangeType;
  /** ISO 8601 date-time in UTC. */
  changed_at: string;
}

/** The opening hours of a location changed. */
export interface LocationHoursChangedEvent
  extends WebhookEventEnvelope<'location.hours_changed', LocationHoursChangedData> {}

/** Content of `location.hours_changed` (gap EVT-7). */
export interface LocationHoursChangedData {
  /** UUID. */
  location_id: string;
  /** Hours before the change. */
  previous_hours: DayHours[];
  /** Hours after the change. */
  current_hours: DayHours[];
  /** `YYYY-MM-DD`; null or absent means at once. */
  effective_date?: string | null;
  /** ISO 8601 date-time in UTC. */
  changed_at: string;
}
