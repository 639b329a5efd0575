/**
 * A small web shop for convenience stores: this file is the server, `page.html` the page. `npm run shop` starts it beside
 * the mock service. From top to bottom: visits, stores and menus, the cart, checkout, payment, what follows, webhooks.
 *
 * The page gets one picture of the visit (`pictureOf`) after each click, and again whenever a webhook tells of a change.
 */
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie, setCookie } from 'hono/cookie';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import { streamSSE } from 'hono/streaming';
import {
  type Cart,
  type CartItemRequest,
  type HandoffMode,
  type OnlineOrdering,
  type Order,
  type OrderLineItem,
  OutcomeUnknownError,
  type PaymentJournal,
  type PriceChange,
  paidForLine,
  type Tender,
} from 'online-ordering-sdk';
import { createReconciler, createWebhookReceiver } from 'online-ordering-sdk/webhooks';
import { bodyOf, orderOf, storeOf } from './asked.js';
import { explain, Unfit } from './explain.js';
import { narrate, settledText } from './narrate.js';
import { draftOf, type ItemDraft, menuCards, picture, storeCard } from './picture.js';
import { createShelves } from './shelves.js';
import { type Visit, Visits } from './visit.js';

export interface ShopOptions {
  readonly client: OnlineOrdering;
  /** `signing_secret` of the subscription that delivers to `/webhooks`. */
  readonly webhookSecret: string;
  /** Where checkouts and payments are written down before they leave, so that a crash charges nobody twice. */
  readonly journal: PaymentJournal;
  /** The time by which stores are open and items are sold. The mock has one of its own. @defaultValue Date.now */
  readonly now?: () => number;
  /** Visits that are remembered; beyond, the one that was quiet longest is forgotten. @defaultValue 10000 */
  readonly maxVisits?: number;
}

type ShopContext = Context<{ Variables: { visit: Visit } }>;

interface PaymentForm {
  readonly giftCard: string;
  readonly giftCents: number;
  /** What the form of your payment provider gives: never a card number. */
  readonly cardToken: string;
}

const PAGE = fileURLToPath(new URL('page/', import.meta.url));

const DECLINED = 'A payment was declined, and nothing was charged with it. Choose another card or gift card.';

/** How long a customer may think about a new price, in milliseconds. */
const THINKING_MS = 120_000;

export function createShop({ client, webhookSecret, journal, now = Date.now, maxVisits = 10_000 }: ShopOptions) {
  const app = new Hono<{ Variables: { visit: Visit } }>();
  const visits = new Visits(maxVisits);
  const shelves = createShelves(client, now);

  // -- Visits: a cookie, and a page that is told at once -------------------------------------------------------------

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

  const pictureOf = (visit: Visit) => picture(visit, shelves, now());
  const showPages = async (visit: Visit): Promise<void> => {
    if (visit.pages.size === 0) return;
    const picture = await pictureOf(visit);
    for (const show of visit.pages) show('picture', picture);
  };
  const showAll = async (isConcerned: (visit: Visit) => boolean): Promise<void> => {
    await Promise.all(visits.all().filter(isConcerned).map(showPages));
  };

  app.get('/api/events', (c) =>
    streamSSE(c, async (stream) => {
      const visit = c.get('visit');
      const show = (event: string, data: unknown): void => void stream.writeSSE({ event, data: JSON.stringify(data) });
      const left = new Promise<void>((resolve) => stream.onAbort(resolve));
      visit.pages.add(show);
      try {
        show('picture', await pictureOf(visit));
        await left;
      } finally {
        visit.pages.delete(show);
      }
    }),
  );

  // What the client does by itself is of no interest to a customer. Here it shows what the SDK is for.
  const tellAll = (text: string): void => {
    for (const { pages } of visits.all()) for (const show of pages) show('aside', text);
  };
  narrate(client, tellAll);

  // -- Stores and menus ----------------------------------------------------------------------------------------------

  app.get('/api/stores', async (c) => {
    const stores = await client.locations.list().toArray({ limit: 100 });
    return c.json(stores.map((store) => storeCard(store, now())));
  });

  app.post('/api/store', async (c) => {
    const visit = c.get('visit');
    const { storeId } = await bodyOf<{ storeId: string }>(c);
    await shelves.of(storeId); // a visit is never in a store that does not exist
    if (visit.cart && visit.storeId !== storeId) await client.carts.abandon(visit.cart.id);
    if (visit.storeId !== storeId) Object.assign(visit, { cart: undefined, price: undefined });
    visit.storeId = storeId;
    return c.json(await pictureOf(visit));
  });

  app.get('/api/menu/:storeId', async (c) => c.json(menuCards(await shelves.of(c.req.param('storeId')))));

  /** An item as it is being put together: what may still be chosen, what it costs, why it would be refused. */
  app.post('/api/draft', async (c) => {
    const { cart, storeId } = c.get('visit');
    const { item, replacing } = await bodyOf<{ item?: ItemDraft; replacing?: string }>(c);
    if (typeof item?.menu_item_id !== 'string') throw new Unfit('Choose an item first.');
    return c.json(draftOf(await shelves.of(storeOf(storeId)), item, { cart, replacing }));
  });

  // -- The cart ------------------------------------------------------------------------------------------------------

  /** The cart of the visit; a new one when there is none. */
  async function openCart(visit: Visit): Promise<Cart> {
    if (visit.cart) return visit.cart;
    // Two items at once go into one cart.
    visit.opening ??= Promise.resolve(client.carts.create({ location_id: storeOf(visit.storeId) }));
    visit.cart = await visit.opening.finally(() => {
      visit.opening = undefined;
    });
    return visit.cart;
  }

  /** Keeps what the service says of the cart, and asks for the price to show with it. */
  async function keep(visit: Visit, cart: Cart) {
    visit.cart = cart;
    visit.price = cart.items.length === 0 ? undefined : await client.carts.calculate(cart.id);
    return pictureOf(visit);
  }

  app.post('/api/items', async (c) => {
    const visit = c.get('visit');
    const cart = await openCart(visit);
    return c.json(await keep(visit, await client.carts.items.add(cart.id, await bodyOf<CartItemRequest>(c))));
  });

  app.put('/api/items/:id', async (c) => {
    const visit = c.get('visit');
    const { id } = await openCart(visit);
    const item = await bodyOf<CartItemRequest>(c);
    return c.json(await keep(visit, await client.carts.items.replace(id, c.req.param('id'), item)));
  });

  app.delete('/api/items/:id', async (c) => {
    const visit = c.get('visit');
    const { id } = await openCart(visit);
    return c.json(await keep(visit, await client.carts.items.remove(id, c.req.param('id'))));
  });

  app.post('/api/promo', async (c) => {
    const visit = c.get('visit');
    const { id } = await openCart(visit);
    const { code } = await bodyOf<{ code: string }>(c);
    // Asking first costs a request, and gives a reason to show in place of an error.
    const { valid, rejection_message: why } = await client.carts.promoCodes.validate(id, code);
    if (!valid) return c.json({ ...(await pictureOf(visit)), message: why ?? 'This code cannot be used here.' });
    return c.json(await keep(visit, await client.carts.promoCodes.apply(id, code)));
  });

  app.delete('/api/promo/:code', async (c) => {
    const visit = c.get('visit');
    const { id } = await openCart(visit);
    return c.json(await keep(visit, await client.carts.promoCodes.remove(id, c.req.param('code'))));
  });

  app.put('/api/handoff', async (c) => {
    const visit = c.get('visit');
    const { id } = await openCart(visit);
    return c.json(await keep(visit, await client.carts.setHandoff(id, await bodyOf<HandoffMode>(c))));
  });

  // -- Checkout, at the price that was shown -------------------------------------------------------------------------

  app.post('/api/checkout', async (c) => {
    const visit = c.get('visit');
    const { id } = await openCart(visit);
    const result = await client.carts.checkoutWithPrice(id, {
      shown: visit.price,
      onPriceChange: (change) => askCustomer(visit, change),
      journal,
      deadline: THINKING_MS,
    });
    if (result.status === 'STOPPED') {
      visit.price = result.change.after;
      return c.json(await pictureOf(visit));
    }
    const order = await client.orders.retrieve(result.checkout.order_id);
    Object.assign(visit, { order, cart: undefined, price: undefined, tenders: [], refunded: new Set() });
    return c.json(await pictureOf(visit));
  });

  /** Shows the new price, and waits for the customer's answer. */
  async function askCustomer(visit: Visit, change: PriceChange): Promise<'accept' | 'stop'> {
    if (change.after.total.amount === visit.price?.total.amount) return 'accept'; // it is what the page shows by now
    const answer = new Promise<'accept' | 'stop'>((resolve) => {
      visit.question = { change, answer: resolve };
    });
    const giveUp = setTimeout(() => visit.question?.answer('stop'), THINKING_MS - 10_000);
    await showPages(visit);
    return answer.finally(() => {
      clearTimeout(giveUp);
      visit.question = undefined;
    });
  }

  app.post('/api/price-answer', async (c) => {
    const { answer } = await bodyOf<{ answer: string }>(c);
    c.get('visit').question?.answer(answer === 'accept' ? 'accept' : 'stop');
    return c.json({});
  });

  // -- Payment: the list of tenders is the whole plan, and the same call goes on with it -----------------------------

  app.post('/api/pay', async (c) => {
    const visit = c.get('visit');
    const order = orderOf(visit);
    const { giftCard, giftCents = 0, cardToken } = await bodyOf<Partial<PaymentForm>>(c);
    // Without a card the call before goes on: a payment of it was still undecided.
    if (cardToken !== undefined) {
      const gift: Tender = { payment_method: 'GIFT_CARD', gift_card_number: giftCard, amount: giftCents };
      const card: Tender = { payment_method: 'CREDIT_CARD', payment_token: cardToken, amount: 'remaining' };
      // What was charged stays in the plan: it is counted, and not charged again.
      const charged = visit.tenders.filter((tender) => isCharged(order, tender));
      visit.tenders = [...charged, ...(giftCard ? [gift] : []), card];
    }
    const settlement = await client.orders.settle(order.id, {
      tenders: visit.tenders,
      journal,
      onDeclined: () => 'stop', // the page asks for another card
      polling: { maxWaitMs: 60_000 },
    });
    visit.order = settlement.order;
    tellAll(settledText(settlement));
    const declined = settlement.tenders.find(({ status }) => status === 'FAILED');
    const message = declined && settlement.status !== 'PAID' ? DECLINED : undefined;
    return c.json({ ...(await pictureOf(visit)), message });
  });

  // -- What follows: refund, cancel, begin again ---------------------------------------------------------------------

  app.post('/api/refund/:lineId', async (c) => {
    const visit = c.get('visit');
    const order = orderOf(visit);
    const line = order.items.find(({ id }) => id === c.req.param('lineId'));
    if (!line || visit.refunded.has(line.id)) return c.json({ message: 'This has been refunded already.' }, 409);
    visit.refunded.add(line.id); // before it leaves: a second click must not send a second refund
    try {
      await refund(order, line);
    } catch (error) {
      if (!(error instanceof OutcomeUnknownError)) visit.refunded.delete(line.id);
      throw error;
    }
    visit.order = await client.orders.retrieve(order.id);
    return c.json(await pictureOf(visit));
  });

  /** Gives back what was paid for a line: its price and tax, less its share of the promo code. */
  async function refund(order: Order, line: OrderLineItem): Promise<void> {
    const { amount } = paidForLine(order, line.id);
    const lines = [{ order_item_id: line.id, quantity: line.quantity, amount }];
    try {
      await client.orders.refunds.create(order.id, { amount, line_items: lines, reason: 'CUSTOMER_REQUEST' });
    } catch (error) {
      // No sure response: `resolve` finds out what became of it. A refund is never simply sent again.
      if (!(error instanceof OutcomeUnknownError)) throw error;
      const { outcome } = await error.resolve();
      if (outcome !== 'applied') throw error;
    }
  }

  app.post('/api/cancel', async (c) => {
    const visit = c.get('visit');
    visit.order = await client.orders.cancel(orderOf(visit).id, { reason: 'CUSTOMER_REQUEST' });
    return c.json(await pictureOf(visit));
  });

  app.post('/api/new', async (c) => {
    const visit = c.get('visit');
    visit.order = undefined;
    return c.json(await pictureOf(visit));
  });

  // -- Webhooks: verified, each event once, and the page is told -----------------------------------------------------

  const receiver = createWebhookReceiver({ secrets: webhookSecret, ordering: 'latest' });
  receiver.onError((error) => console.error(error instanceof Error ? error.message : error));
  app.post('/webhooks', (c) => receiver.fetch(c.req.raw));

  // An event says that something happened, and may come late. How things are is read.
  const readOrder = async (orderId: string): Promise<void> => {
    const concerned = visits.all().filter(({ order }) => order?.id === orderId);
    if (concerned.length === 0) return;
    const order = await client.orders.retrieve(orderId);
    for (const visit of concerned) visit.order = order;
    await showAll((visit) => visit.order?.id === orderId);
  };
  receiver.on('order.status_changed', ({ data }) => readOrder(data.order_id));
  receiver.on('order.cancelled', ({ data }) => readOrder(data.order_id));
  receiver.on('menu.changed', async ({ data }) => {
    await shelves.menuChanged(data.location_id);
    await showAll(({ storeId }) => storeId === data.location_id);
  });
  receiver.on('stock.updated', async ({ data }) => {
    shelves.stockChanged(data.location_id);
    await showAll(({ storeId }) => storeId === data.location_id);
  });
  receiver.on('location.hours_changed', ({ data }) => shelves.hoursChanged(data.location_id));
  // Finds changes of orders that no webhook told of, every 5 minutes.
  const reconciler = createReconciler(client, receiver, { resources: ['orders'] }).start();

  // -- The page ------------------------------------------------------------------------------------------------------

  app.get('/', serveStatic({ path: 'page.html', root: PAGE }));
  app.get('/:file{[a-z]+\\.(?:js|css)}', serveStatic({ root: PAGE }));

  const close = async (): Promise<void> => {
    for (const visit of visits.all()) visit.question?.answer('stop');
    await reconciler.stop();
  };
  return { app, close };
}

const isCharged = ({ payments }: Order, tender: Tender): boolean =>
  payments.some(({ payment_method: method, status }) => method === tender.payment_method && status === 'COMPLETED');
