import type { OrderStatusChangedData, OrderSummary } from '../../contract/index.js';
import {
  type Change,
  cancelledFact,
  createdFact,
  joinState,
  milliseconds,
  orderSubject,
  timestamp,
} from '../event/event-changes.js';
import { isMissed, type Known, withMissedChange, withNote, withReading } from '../state/known-state.js';
import { sameState } from '../state/state-order.js';
import { missedEvent, type ReconcileStep } from './missed-change.js';

/** What checkout makes of every order, unless a kiosk accepts it at once ("States and transitions"). */
const INITIAL = joinState('PENDING', 'PENDING', 'UNPAID');

export interface OrderReading {
  readonly order: OrderSummary;
  /** When the order was read, in milliseconds. */
  readonly readAt: number;
  /** Orders created up to here were there before the reconciler was, and are nobody's news. */
  readonly since: number;
}

/** What handlers have missed of an order: its creation, a change of status, its cancellation. */
export function planOrder(known: Known, reading: OrderReading): ReconcileStep[] {
  const created = createdStep(known, reading);
  const status = statusStep(created?.known ?? known, reading);
  const cancelled = cancelledStep(status.known, reading);
  return [created, status, cancelled].filter((step) => step !== undefined);
}

function createdStep(known: Known, { order, readAt, since }: OrderReading): ReconcileStep | undefined {
  const at = milliseconds(order.created_at);
  if (known.has('created') || at === undefined || at <= since) return undefined;
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
    known: withMissedChange(known, createdFact(at), readAt),
  };
}

function statusStep(known: Known, reading: OrderReading): ReconcileStep {
  const { order, readAt } = reading;
  const observed: Change = {
    facet: 'status',
    state: joinState(order.status, order.fulfillment_status, order.payment_status),
    at: milliseconds(order.updated_at),
  };
  const before = known.get('status');
  if (before ? !isMissed(before, observed) : !isFirstMissed(known, observed, order)) {
    return { known: before ? withReading(known, observed) : withNote(known, observed) };
  }
  const previous = before?.state ?? INITIAL;
  const place = observed.at ?? `#${(before?.place ?? 0) + 1}`;
  const at = order.updated_at ?? timestamp(readAt);
  const identity = `${orderSubject(order.id)}:${observed.state}:${place}`;
  return {
    event: missedEvent('order.status_changed', identity, at, statusData(order, previous, at)),
    known: withMissedChange(known, { ...observed, previous }, readAt),
  };
}

/** Of an order whose status nobody has told of yet. */
function isFirstMissed(known: Known, observed: Change, order: OrderSummary): boolean {
  // Its creation was handled, so that it is not older than the reconciler.
  if (!known.has('created')) return false;
  // A kiosk order may begin further along (gap ORD-10); it has not been touched since.
  if (order.handoff_mode === 'KIOSK' && observed.at === milliseconds(order.created_at)) return false;
  return !sameState(observed.state, INITIAL);
}

function statusData(order: OrderSummary, before: string, changedAt: string): OrderStatusChangedData {
  const [status, fulfillment, payment] = before.split('|');
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
  const isNews = order.status === 'CANCELLED' && !known.has('cancelled') && !known.get('status')?.noted;
  if (!isNews) return undefined;
  const at = order.updated_at ?? timestamp(readAt);
  const data = {
    order_id: order.id,
    location_id: order.location_id,
    reason: order.cancellation_reason ?? null,
    cancelled_at: at,
  };
  return {
    event: missedEvent('order.cancelled', `${orderSubject(order.id)}:cancelled`, at, data),
    known: withMissedChange(known, cancelledFact(milliseconds(at)), readAt),
  };
}
