import type { Handler, Route } from '../kernel/route.js';
import { modifiableCart } from '../operations/carts/cart-access.js';
import { locationOf, modifyCart } from '../operations/carts/cart-pricing.js';
import { checkServedMode, readHandoff } from '../rules/handoff.js';

/** The latest call wins: a handoff replaces the one before completely. */
const setHandoff: Handler = (request, state) => {
  const record = modifiableCart(request, state);
  const handoff = readHandoff(request.body);
  checkServedMode(locationOf(state, record.cart).location, handoff);
  return { status: 200, body: modifyCart(state, record, { handoff_mode: handoff }) };
};

export const routes: readonly Route[] = [
  { method: 'PUT', path: '/carts/{cart_id}/handoff', handler: setHandoff, idempotency: 'required', scope: 'partner' },
];
