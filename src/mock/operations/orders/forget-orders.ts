import { forgetOldest } from '../../state/keep.js';
import type { ServiceState } from '../../state/state.js';

/** Forgets the oldest orders beyond what the service keeps, with everything that stands under their ids. */
export function forgetOldOrders(state: ServiceState): void {
  for (const { order } of forgetOldest(state.orders, state.keep.orders)) {
    state.ledger.delete(order.id);
    for (const { id } of order.payments) state.payments.instrumentOf.delete(id);
  }
}
