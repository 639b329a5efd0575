/**
 * A small web shop for convenience stores: this file puts the server together, `page.html` is the page. `npm run shop` starts it
 * beside the mock service. A purchase goes through `stores.ts`, `cart.ts`, `checkout.ts`, `payment.ts` and `afterwards.ts`.
 */
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie, setCookie } from 'hono/cookie';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import { serveAfterwards } from './afterwards.js';
import { serveCart } from './cart.js';
import { serveCheckout } from './checkout.js';
import { explain } from './explain.js';
import { narrate } from './narrate.js';
import { servePayment } from './payment.js';
import { openShop, type ShopApp, type ShopContext, type ShopOptions, serveEvents } from './shop.js';
import { serveStores } from './stores.js';
import type { Visits } from './visit.js';
import { serveWebhooks } from './webhooks.js';

const PAGE = fileURLToPath(new URL('page/', import.meta.url));

export function createShop(options: ShopOptions) {
  const app: ShopApp = new Hono();
  const shop = openShop(options);
  protect(app, shop.visits);
  serveEvents(app, shop);
  // What the client does by itself is of no interest to a customer. Here it shows what the SDK is for.
  narrate(options.client, shop.tellAll);
  serveStores(app, shop);
  serveCart(app, shop);
  serveCheckout(app, shop);
  servePayment(app, shop);
  serveAfterwards(app, shop);
  const reconciler = serveWebhooks(app, shop, options.webhookSecret);
  app.get('/', serveStatic({ path: 'page.html', root: PAGE }));
  app.get('/:file{[a-z]+\\.(?:js|css)}', serveStatic({ root: PAGE }));

  const close = async (): Promise<void> => {
    for (const visit of shop.visits.all()) visit.question?.answer('stop');
    await reconciler.stop();
  };
  return { app, close };
}

/** What no request may leave out: whose visit it is, that it comes from our page, and words for what goes wrong. */
function protect(app: ShopApp, visits: Visits): void {
  app.use(
    secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'self'"], imgSrc: ['data:'], frameAncestors: ["'none'"] } }),
  );
  app.use('/api/*', csrf(), bodyLimit({ maxSize: 100_000 }));
  app.use('/api/*', async (c, next) => {
    const { id, visit } = visits.enter(getCookie(c, 'visit'));
    setCookie(c, 'visit', id, { httpOnly: true, sameSite: 'Strict', path: '/' });
    c.set('visit', visit);
    await next();
  });

  app.onError((error, c: ShopContext) => {
    if (error instanceof HTTPException) return error.getResponse(); // of another page, or too long
    const { status, message, isGone } = explain(error);
    // The service has forgotten the cart or the order: the customer begins again.
    if (isGone) Object.assign(c.get('visit') ?? {}, { cart: undefined, price: undefined, order: undefined });
    return c.json({ message }, status);
  });
}
