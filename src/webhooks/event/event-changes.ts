import type { DayHours } from '../../contract/index.js';
import type { KnownEvent } from './events.js';
import { type ServiceTime, serviceTime } from './service-time.js';
import { joinState, type StateText } from './state-text.js';

/**
 * One change of one thing, as far as its identity goes: the thing, its new state, and when that state began. Deliveries
 * and the reconciler reduce what they see to the same changes, and so recognise each other's.
 */
export interface Change {
  /** What changed within the subject: `status` of an order, one item of a location's stock. */
  readonly facet: string;
  readonly state: StateText;
  readonly previous?: StateText;
  /** When the new state began; undefined when the event does not say. */
  readonly at: ServiceTime | undefined;
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
export const hoursSubject = (locationId: string): string => `hours:${locationId}`;

export function changesOf(event: KnownEvent): EventChanges {
  // The fields of `data` that say when may be missing; the envelope then says it.
  const at = (time: string | null | undefined) => serviceTime(time ?? event.created_at);
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
      return one(hoursSubject(locationId), { facet: date ?? CURRENT_HOURS, state: hoursState(hours), at: at(time) });
    }
  }
}

/** The facet of the hours that hold today; hours to come have their date as facet. */
export const CURRENT_HOURS = 'now';

/** Opening hours as one state. Days in another order are the same hours, and so are two closed days. */
export function hoursState(hours: readonly Partial<DayHours>[]): StateText {
  return hours
    .map((day) => `${day.day_of_week} ${day.is_closed === true ? 'closed' : `${day.open_time}-${day.close_time}`}`)
    .sort()
    .join(';');
}

/** The hours that {@link hoursState} made a state of. */
export function hoursOf(state: StateText): DayHours[] {
  if (state === '') return [];
  return state.split(';').map((text) => {
    const [day = '', hours = ''] = text.split(' ');
    const [open = '', close = ''] = hours.split('-');
    const isClosed = hours === 'closed';
    return { day_of_week: day, open_time: isClosed ? '' : open, close_time: close, is_closed: isClosed };
  });
}

/** An order is created once. */
export const createdFact = (at: ServiceTime | undefined): Change => ({ facet: 'created', state: '', at, fact: true });

/** An order is cancelled once, and stays so. */
export const cancelledFact = (at: ServiceTime | undefined): Change => ({
  facet: 'cancelled',
  state: '',
  at,
  fact: true,
});

/** The event with only the changes at these places; undefined when none is left. */
export function withChanges(event: KnownEvent, kept: readonly boolean[]): KnownEvent | undefined {
  if (!kept.includes(true)) return undefined;
  if (event.event_type !== 'stock.updated' || !kept.includes(false)) return event;
  return { ...event, data: { ...event.data, items: event.data.items.filter((_, index) => kept[index]) } };
}
