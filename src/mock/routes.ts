import { routes as auth } from './handlers/auth.js';
import { routes as calculate } from './handlers/calculate.js';
import { routes as cartItems } from './handlers/cart-items.js';
import { routes as carts } from './handlers/carts.js';
import { routes as checkout } from './handlers/checkout.js';
import { routes as handoff } from './handlers/handoff.js';
import { routes as inventory } from './handlers/inventory.js';
import { routes as locations } from './handlers/locations.js';
import { routes as menus } from './handlers/menus.js';
import { routes as orders } from './handlers/orders.js';
import { routes as payments } from './handlers/payments.js';
import { routes as promoCodes } from './handlers/promo-codes.js';
import { routes as refunds } from './handlers/refunds.js';
import { routes as webhooks } from './handlers/webhooks.js';
import type { Route } from './kernel/route.js';

/** Every endpoint of the interface document. */
export const routes: readonly Route[] = [
  ...auth,
  ...locations,
  ...inventory,
  ...menus,
  ...carts,
  ...cartItems,
  ...calculate,
  ...handoff,
  ...checkout,
  ...promoCodes,
  ...orders,
  ...payments,
  ...refunds,
  ...webhooks,
];
