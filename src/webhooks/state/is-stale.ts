import { changesOf } from '../event/event-changes.js';
import type { EventOf } from '../event/events.js';
import { serviceTime } from '../event/service-time.js';
import { joinState } from '../event/state-text.js';
import { isOlder } from './known-state.js';

/** What you know of an order: an order of the client, or your own row. */
export interface KnownOrderStatus {
  /** `status` of the order as you keep it. */
  readonly status?: string | null;
  /** `fulfillment_status` of the order as you keep it. */
  readonly fulfillment_status?: string | null;
  /** `payment_status` of the order as you keep it. */
  readonly payment_status?: string | null;
  /** Since when, or when last, these held. */
  readonly updated_at?: string | number | Date | null;
}

/**
 * Whether an `order.status_changed` is older than what you know of the order, and would overwrite it.
 *
 * The times decide. Where they are equal or missing, the event's previous values do, and then the order of the states
 * themselves. An event that brings the state you know already is not stale: it overwrites nothing.
 *
 * @see Interface document, "Events"
 * @example
 * if (isStale(event, await orders.find(event.data.order_id))) return;
 */
export function isStale(event: EventOf<'order.status_changed'>, known: KnownOrderStatus | null | undefined): boolean {
  if (!known) return false;
  const [change] = changesOf(event).changes;
  const state = joinState(known.status, known.fulfillment_status, known.payment_status);
  return isOlder({ state, at: serviceTime(known.updated_at), place: 1, noted: true }, change!);
}
