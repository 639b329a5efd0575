import type { OrderStatusChangedData, OrderSummary } from '../../contract/index.js';
import { type Change, cancelledFact, createdFact, orderSubject } from '../event/event-changes.js';
import { milliseconds, serviceTime, timestamp } from '../event/service-time.js';
import { joinState, sameState, splitState } from '../event/state-text.js';
import {
  afterMissedChange,
  afterReading,
  firstNote,
  isMissed,
  type Known,
  type KnownFacet,
} from '../state/known-state.js';
import { missedEvent, type ReconcileStep } from './missed-change.js';

const CREATED = 'created';
const STATUS = 'status';
const CANCELLED = 'cancelled';

/** What checkout makes of every order, unless a kiosk accepts it at once ("States and transitions"). */
const INITIAL = joinState('PENDING', 'PENDING', 'UNPAID');

export interface OrderReading {
  readonly order: OrderSummary;
  /** When the order was read, in milliseconds. */
  readonly readAt: number;
  /**
   * An order that is not known and was created at this time or later is new, in milliseconds of the service's clock.
   * Older ones existed before the reconciler's first run, or were forgotten since.
   */
  readonly newSince: number;
  /** The first run reads what is there; handlers get nothing older than `newSince`. */
  readonly isFirst: boolean;
}

/** What handlers have missed of an order: its creation, a change of status, its cancellation. */
export function planOrder(known: Known, reading: OrderReading): ReconcileStep[] {
  const created = createdStep(known, reading);
  const status = statusStep(created?.known ?? known, reading);
  const cancelled = cancelledStep(status.known, reading);
  // A note without an event is part of what the next step remembers.
  return [created?.event && created, status, cancelled].filter((step) => step !== undefined);
}

function withFacet(known: Known, name: string, facet: KnownFacet): Known {
  return new Map(known).set(name, facet);
}

function createdStep(known: Known, { order, newSince }: OrderReading): ReconcileStep | undefined {
  if (known.has(CREATED)) return undefined;
  const at = milliseconds(order.created_at);
  const fact = createdFact(serviceTime(order.created_at));
  if (at === undefined || at < newSince) return { known: withFacet(known, CREATED, firstNote(fact)) };
  const data = {
    order_id: order.id,
    location_id: order.location_id,
    status: 'PENDING',
    handoff_mode: order.handoff_mode ?? '',
    total: order.total,
    created_at: order.created_at,
  };
  return {
    event: missedEvent('order.created', `${orderSubject(order.id)}:created`, order.created_at, data),
    known: withFacet(known, CREATED, afterMissedChange(undefined, fact)),
  };
}

function statusStep(known: Known, { order, readAt, isFirst }: OrderReading): ReconcileStep {
  const observed: Change = {
    facet: STATUS,
    state: joinState(order.status, order.fulfillment_status, order.payment_status),
    at: serviceTime(order.updated_at),
  };
  const before = known.get(STATUS);
  const previous = before ? before.state : previousOfUnknown(known, order, isFirst);
  const isNews = before ? isMissed(before, observed) : previous !== undefined && !sameState(observed.state, previous);
  if (!isNews || previous === undefined) {
    return { known: withFacet(known, STATUS, before ? afterReading(before, observed) : firstNote(observed)) };
  }
  const place = milliseconds(order.updated_at) ?? `#${(before?.place ?? 0) + 1}`;
  const at = order.updated_at ?? timestamp(readAt);
  const identity = `${orderSubject(order.id)}:${observed.state}:${place}`;
  return {
    event: missedEvent('order.status_changed', identity, at, statusData(order, previous, at)),
    known: withFacet(known, STATUS, afterMissedChange(before, { ...observed, previous })),
  };
}

/** The state of which handlers must believe an order to be, while no delivery or reading has shown its status; undefined if they know nothing. */
function previousOfUnknown(known: Known, order: OrderSummary, isFirst: boolean): string | undefined {
  if (!known.get(CREATED)?.noted) {
    // A kiosk order may begin further along (gap ORD-10); it has not been touched since.
    const isUntouched = order.handoff_mode === 'KIOSK' && order.updated_at === order.created_at;
    return isUntouched ? undefined : INITIAL;
  }
  // Returns come late: the order was completed before the first run, or so long ago that it was forgotten.
  if (isFirst || order.fulfillment_status !== 'RETURNED') return undefined;
  return joinState('', order.handoff_mode === 'DELIVERY' ? 'DELIVERED' : 'FULFILLED', '');
}

function statusData(order: OrderSummary, before: string, changedAt: string): OrderStatusChangedData {
  const [status, fulfillment, payment] = splitState(before);
  return {
    order_id: order.id,
    location_id: order.location_id,
    previous_status: status || order.status,
    current_status: order.status,
    previous_fulfillment_status: fulfillment || order.fulfillment_status,
    current_fulfillment_status: order.fulfillment_status,
    previous_payment_status: payment || order.payment_status,
    current_payment_status: order.payment_status,
    changed_at: changedAt,
  };
}

function cancelledStep(known: Known, { order, readAt }: OrderReading): ReconcileStep | undefined {
  if (order.status !== 'CANCELLED' || known.has(CANCELLED) || known.get(STATUS)?.noted) return undefined;
  const at = order.updated_at ?? timestamp(readAt);
  const data = {
    order_id: order.id,
    location_id: order.location_id,
    reason: order.cancellation_reason ?? null,
    cancelled_at: at,
  };
  return {
    event: missedEvent('order.cancelled', `${orderSubject(order.id)}:cancelled`, at, data),
    known: withFacet(known, CANCELLED, afterMissedChange(undefined, cancelledFact(serviceTime(at)))),
  };
}
