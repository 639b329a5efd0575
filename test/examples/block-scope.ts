import { formatMoney, memoryStore, OnlineOrdering } from 'online-ordering-sdk';
import { allowedTenders, indexMenu, watchMenus } from 'online-ordering-sdk/menus';
import { createMockService } from 'online-ordering-sdk/mock';
import { createWebhookReceiver } from 'online-ordering-sdk/webhooks';

/**
 * The names that a block may use without declaring them, with their types: a reader of a page has them at that point.
 * A block that declares or imports a name itself uses its own.
 */
const TYPES = {
  OnlineOrdering: `typeof import('online-ordering-sdk').OnlineOrdering`,
  formatMoney: `typeof import('online-ordering-sdk').formatMoney`,
  allowedTenders: `typeof import('online-ordering-sdk/menus').allowedTenders`,
  indexMenu: `typeof import('online-ordering-sdk/menus').indexMenu`,
  watchMenus: `typeof import('online-ordering-sdk/menus').watchMenus`,
  client: `import('online-ordering-sdk').OnlineOrdering`,
  service: `import('online-ordering-sdk/mock').MockService`,
  receiver: `import('online-ordering-sdk/webhooks').WebhookReceiver`,
  receive: `(request: Request) => Promise<Response>`,
  store: `import('online-ordering-sdk').Store`,
  locationId: 'string',
  locationIds: 'string[]',
  downtown: 'string',
  cartId: 'string',
  orderId: 'string',
  cart: `import('online-ordering-sdk').Cart`,
  item: `import('online-ordering-sdk').CartItemRequest`,
  price: `import('online-ordering-sdk').PriceCalculation`,
  menu: `import('online-ordering-sdk').Menu`,
  index: `import('online-ordering-sdk/menus').MenuIndex`,
  signal: 'AbortSignal',
} as const satisfies Readonly<Record<string, string>>;

/** The declarations of {@link blockScope}'s names, for the type check. */
export function scopeDeclarations(): string {
  const variables = Object.entries(TYPES).map(([name, type]) => `  var ${name}: ${type};`);
  return ['export {};', 'declare global {', ...variables, '}', ''].join('\n');
}

/** A service of its own for each block, with a cart that is priced and an order that awaits payment. */
export async function blockScope() {
  const service = createMockService();
  const client = new OnlineOrdering({ ...service.credentials, dispatcher: service.dispatcher, clock: service.clock });
  const { locations, cartItems } = service.samples;
  const downtown = locations.downtown;
  const item = cartItems.turkeySubCombo;
  const readyCart = async () => {
    const { id } = await client.carts.create({ location_id: downtown });
    await client.carts.items.add(id, item);
    return client.carts.setHandoff(id, { mode: 'PICKUP' });
  };
  const cart = await readyCart();
  const price = await client.carts.calculate(cart.id);
  const { order_id: orderId } = await client.carts.checkout((await readyCart()).id);
  const receiver = createWebhookReceiver({ secrets: 'whsec_of_the_examples' });

  const menu = await client.menus.retrieve(downtown);

  const names = {
    OnlineOrdering,
    formatMoney,
    allowedTenders,
    indexMenu,
    watchMenus,
    client,
    service,
    receiver,
    receive: receiver.fetch,
    store: memoryStore(),
    locationId: downtown,
    locationIds: [downtown],
    downtown,
    cartId: cart.id,
    orderId,
    cart,
    item,
    price,
    menu,
    index: indexMenu(menu),
    signal: new AbortController().signal,
  } satisfies Record<keyof typeof TYPES, unknown>;
  return { names, service, client };
}
