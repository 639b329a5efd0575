import type { ServiceState } from '../../state/state.js';
import { scheduleAdvance } from './order-changes.js';
import { resumePayments } from './payment-changes.js';

/** Goes on with orders that were kept: payments under way, and the store that leads orders to their handoff. */
export function resumeOrders(state: ServiceState): void {
  for (const record of state.orders.values()) {
    resumePayments(state, record);
    if (record.order.status === 'CONFIRMED') scheduleAdvance(state, record);
  }
}
