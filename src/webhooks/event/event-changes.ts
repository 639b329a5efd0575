import type { DayHours } from '../../contract/index.js';
import type { KnownEvent } from './events.js';

/**
 * One change of one thing, as far as its identity goes: the thing, its new state, and when that state began. Deliveries
 * and the reconciler reduce what they see to the same changes, and so recognise each other's.
 */
export interface Change {
  /** What changed within the subject: `status` of an order, one item of a location's stock. */
  readonly facet: string;
  /** The new state, as text; see `joinState`. */
  readonly state: string;
  readonly previous?: string;
  /** When the new state began, in milliseconds; undefined when the event does not say. */
  readonly at: number | undefined;
  /** Something that happens once and stays true, such as the creation of an order. */
  readonly fact?: boolean;
}

/** The changes that an event reports, all of one subject: `order:…`, `stock:…`, `menu:…` or `hours:…`. */
export interface EventChanges {
  readonly subject: string;
  readonly changes: readonly Change[];
}

export const orderSubject = (orderId: string): string => `order:${orderId}`;
export const stockSubject = (locationId: string): string => `stock:${locationId}`;
export const menuSubject = (locationId: string): string => `menu:${locationId}`;

export function changesOf(event: KnownEvent): EventChanges {
  // The fields of `data` that say when may be missing; the envelope then says it.
  const at = (time: string | null | undefined) => milliseconds(time ?? event.created_at);
  const one = (subject: string, change: Change): EventChanges => ({ subject, changes: [change] });
  switch (event.event_type) {
    case 'order.created':
      return one(orderSubject(event.data.order_id), createdFact(at(event.data.created_at)));
    case 'order.cancelled':
      return one(orderSubject(event.data.order_id), cancelledFact(at(event.data.cancelled_at)));
    case 'order.status_changed': {
      const { data } = event;
      return one(orderSubject(data.order_id), {
        facet: 'status',
        state: joinState(data.current_status, data.current_fulfillment_status, data.current_payment_status),
        previous: joinState(data.previous_status, data.previous_fulfillment_status, data.previous_payment_status),
        at: at(data.changed_at),
      });
    }
    case 'stock.updated':
      return {
        subject: stockSubject(event.data.location_id),
        changes: event.data.items.map((item) => ({
          facet: item.item_id,
          state: item.current_status,
          previous: item.previous_status,
          at: at(item.updated_at),
        })),
      };
    case 'menu.changed': {
      const { location_id: locationId, version_hash: state, changed_at: time } = event.data;
      return one(menuSubject(locationId), { facet: 'menu', state, at: at(time) });
    }
    case 'location.hours_changed': {
      const { location_id: locationId, current_hours: hours, effective_date: date, changed_at: time } = event.data;
      // Hours that begin on another date do not replace these, however much later they were announced.
      return one(`hours:${locationId}`, { facet: date ?? 'now', state: hours.map(dayState).join(';'), at: at(time) });
    }
  }
}

const dayState = (day: DayHours): string =>
  `${day.day_of_week} ${day.open_time} ${day.close_time} ${day.is_closed === true}`;

/** An order is created once. */
export const createdFact = (at: number | undefined): Change => ({ facet: 'created', state: '', at, fact: true });

/** An order is cancelled once, and stays so. */
export const cancelledFact = (at: number | undefined): Change => ({ facet: 'cancelled', state: '', at, fact: true });

/** The event with only the changes at these places; undefined when none is left. */
export function withChanges(event: KnownEvent, kept: readonly boolean[]): KnownEvent | undefined {
  if (!kept.includes(true)) return undefined;
  if (event.event_type !== 'stock.updated' || !kept.includes(false)) return event;
  return { ...event, data: { ...event.data, items: event.data.items.filter((_, index) => kept[index]) } };
}

/** Several fields as one state. A field that an event leaves out is empty, and then equals any. */
export function joinState(...fields: readonly (string | null | undefined)[]): string {
  return fields.map((field) => field ?? '').join('|');
}

/** Milliseconds since the epoch; undefined for what is no date. */
export function milliseconds(date: string | number | Date | null | undefined): number | undefined {
  if (date === null || date === undefined) return undefined;
  const value = new Date(date).getTime();
  return Number.isNaN(value) ? undefined : value;
}

/** A time as the service writes it. */
export function timestamp(atMs: number): string {
  return new Date(atMs).toISOString();
}
