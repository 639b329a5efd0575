import type { ControlRoute } from '../control-route.js';
import { routes as mishaps } from './mishaps.js';
import { routes as orders } from './orders.js';
import { routes as service } from './service.js';
import { routes as stores } from './stores.js';
import { routes as webhooks } from './webhooks.js';

/** Everything that `service.*` does, over HTTP. */
export const controlRoutes: readonly ControlRoute[] = [...service, ...orders, ...stores, ...mishaps, ...webhooks];
