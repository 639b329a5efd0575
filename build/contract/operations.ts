import type { WebhookEventType } from '../../src/contract/index.js';
import type { EndpointName } from '../../src/endpoints/endpoints.js';

/** What the OpenAPI document says about an endpoint beyond its schemas. */
export interface OperationWords {
  readonly id: string;
  readonly tag: TagName;
  /** The method of the client. */
  readonly client: string;
  readonly summary: string;
  readonly description?: string;
  /** Statuses of errors beyond those that every endpoint has (400, 401, 429, 500). */
  readonly errors: readonly number[];
  /** Rows of the table of gaps that concern the endpoint rather than a field. */
  readonly gaps?: readonly string[];
}

export const TAGS = {
  Authentication: 'OAuth 2.0 client credentials.',
  Locations: 'Stores in the scope of the partner, and what is in stock there.',
  Menus: 'What can be ordered at a store.',
  Carts: 'What a customer chooses, its price, and the way to an order.',
  'Promo codes': 'At most one code on a cart.',
  Orders: 'Orders, their payments and refunds.',
  Webhooks: 'Subscriptions to events.',
} as const;

export type TagName = keyof typeof TAGS;

export const OPERATIONS: Readonly<Record<EndpointName, OperationWords>> = {
  'POST /auth/token': {
    id: 'createToken',
    tag: 'Authentication',
    client: 'client.auth.accessToken',
    summary: 'Requests an access token',
    description:
      'The token lives 86400 seconds. There is no refresh token; keep it, and renew it an hour before its end.',
    errors: [],
    gaps: ['LIM-2'],
  },
  'GET /locations': {
    id: 'listLocations',
    tag: 'Locations',
    client: 'client.locations.list',
    summary: 'Lists the locations in scope',
    errors: [],
    gaps: ['LIST-1', 'LOC-6', 'LOC-9'],
  },
  'GET /locations/{location_id}': {
    id: 'retrieveLocation',
    tag: 'Locations',
    client: 'client.locations.retrieve',
    summary: 'Reads a location',
    errors: [403, 404],
    gaps: ['LOC-9'],
  },
  'GET /locations/{location_id}/inventory': {
    id: 'listInventory',
    tag: 'Locations',
    client: 'client.locations.listInventory',
    summary: 'Lists the availability of the items of a location',
    description: 'An item that is not listed is not available there.',
    errors: [403, 404],
    gaps: ['INV-1', 'LOC-6'],
  },
  'GET /locations/{location_id}/menu': {
    id: 'retrieveMenu',
    tag: 'Menus',
    client: 'client.menus.retrieve',
    summary: 'Reads the menu of a location',
    description: 'The response can exceed 100 KB: read it again only when `version_hash` has changed.',
    errors: [403, 404],
    gaps: ['MENU-1', 'MENU-10'],
  },
  'GET /locations/{location_id}/menu/metadata': {
    id: 'retrieveMenuMetadata',
    tag: 'Menus',
    client: 'client.menus.retrieveMetadata',
    summary: 'Tells whether the menu of a location has changed',
    errors: [403, 404],
    gaps: ['MENU-1'],
  },
  'POST /carts': {
    id: 'createCart',
    tag: 'Carts',
    client: 'client.carts.create',
    summary: 'Opens a cart',
    errors: [403, 404, 409, 422],
    gaps: ['BODY-4', 'LOC-5'],
  },
  'GET /carts/{cart_id}': {
    id: 'retrieveCart',
    tag: 'Carts',
    client: 'client.carts.retrieve',
    summary: 'Reads a cart',
    errors: [403, 404],
    gaps: ['CART-2'],
  },
  'PATCH /carts/{cart_id}': {
    id: 'updateCart',
    tag: 'Carts',
    client: 'client.carts.update',
    summary: 'Changes the customer of an active cart',
    description: 'Calculate the prices again afterwards.',
    errors: [403, 404, 409, 422],
    gaps: ['CART-4'],
  },
  'DELETE /carts/{cart_id}': {
    id: 'abandonCart',
    tag: 'Carts',
    client: 'client.carts.abandon',
    summary: 'Abandons an active cart',
    errors: [403, 404, 409],
    gaps: ['CART-1', 'CART-2'],
  },
  'POST /carts/{cart_id}/items': {
    id: 'addCartItem',
    tag: 'Carts',
    client: 'client.carts.items.add',
    summary: 'Adds an item to a cart',
    errors: [403, 404, 409, 422],
    gaps: ['CART-15', 'MENU-12', 'MENU-13'],
  },
  'PUT /carts/{cart_id}/items/{item_id}': {
    id: 'replaceCartItem',
    tag: 'Carts',
    client: 'client.carts.items.replace',
    summary: 'Replaces an item of a cart completely',
    errors: [403, 404, 409, 422],
    gaps: ['CART-15', 'MENU-12'],
  },
  'DELETE /carts/{cart_id}/items/{item_id}': {
    id: 'removeCartItem',
    tag: 'Carts',
    client: 'client.carts.items.remove',
    summary: 'Removes an item from a cart',
    errors: [403, 404, 409],
  },
  'POST /carts/{cart_id}/calculate': {
    id: 'calculateCart',
    tag: 'Carts',
    client: 'client.carts.calculate',
    summary: 'Prices a cart, and changes nothing',
    errors: [403, 404, 409, 422],
    gaps: ['CART-3', 'DISC-3', 'DISC-4', 'DISC-5'],
  },
  'PUT /carts/{cart_id}/handoff': {
    id: 'setHandoff',
    tag: 'Carts',
    client: 'client.carts.setHandoff',
    summary: 'Says how the customer gets the order',
    description: 'May be repeated; the latest call wins. Missing and extra fields of the mode are refused (422).',
    errors: [403, 404, 409, 422],
    gaps: ['CART-7', 'CART-8', 'CART-13', 'LOC-4'],
  },
  'POST /carts/{cart_id}/checkout': {
    id: 'checkoutCart',
    tag: 'Carts',
    client: 'client.carts.checkout',
    summary: 'Makes an order of a cart',
    description:
      'With `expected_total`, a total that is no longer the expected one is refused (409, `change_reasons`).',
    errors: [403, 404, 409, 422],
    gaps: ['CART-6', 'CART-12', 'CART-18', 'ERR-1'],
  },
  'POST /carts/{cart_id}/promo-codes': {
    id: 'applyPromoCode',
    tag: 'Promo codes',
    client: 'client.carts.promoCodes.apply',
    summary: 'Applies a promo code to a cart',
    errors: [403, 404, 409, 422],
    gaps: ['PROMO-1', 'PROMO-5', 'PROMO-7', 'ERR-5'],
  },
  'GET /carts/{cart_id}/promo-codes': {
    id: 'listPromoCodes',
    tag: 'Promo codes',
    client: 'client.carts.promoCodes.list',
    summary: 'Lists the promo codes on a cart',
    errors: [403, 404],
    gaps: ['PROMO-3'],
  },
  'GET /carts/{cart_id}/promo-codes/validate': {
    id: 'validatePromoCode',
    tag: 'Promo codes',
    client: 'client.carts.promoCodes.validate',
    summary: 'Tells what a promo code would do, without applying it',
    errors: [403, 404],
    gaps: ['PROMO-4'],
  },
  'DELETE /carts/{cart_id}/promo-codes/{code}': {
    id: 'removePromoCode',
    tag: 'Promo codes',
    client: 'client.carts.promoCodes.remove',
    summary: 'Removes a promo code from a cart',
    errors: [403, 404, 409],
    gaps: ['PROMO-6'],
  },
  'GET /orders': {
    id: 'listOrders',
    tag: 'Orders',
    client: 'client.orders.list',
    summary: 'Lists orders, newest first',
    description: 'The filters combine with AND.',
    errors: [403],
    gaps: ['ORD-5', 'ORD-6', 'ORD-12', 'LOC-6'],
  },
  'GET /orders/{order_id}': {
    id: 'retrieveOrder',
    tag: 'Orders',
    client: 'client.orders.retrieve',
    summary: 'Reads an order with its items and payments',
    errors: [403, 404],
    gaps: ['ORD-3', 'PAY-15'],
  },
  'POST /orders/{order_id}/cancel': {
    id: 'cancelOrder',
    tag: 'Orders',
    client: 'client.orders.cancel',
    summary: 'Cancels an order that is not being prepared yet',
    description: 'Payments are voided or refunded: loyalty points first, then gift cards, then cards.',
    errors: [403, 404, 409],
    gaps: ['ORD-7', 'ORD-8', 'ORD-9', 'PAY-5'],
  },
  'POST /orders/{order_id}/payments': {
    id: 'createPayment',
    tag: 'Orders',
    client: 'client.orders.payments.create',
    summary: 'Pays an order, or a part of it, with one tender',
    description:
      'One request for each tender, each with its own key, one after the other: loyalty points, gift cards, cards. ' +
      'Never send one again after an unknown outcome: the service executes a key again whose response was an error.',
    errors: [403, 404, 409, 422],
    gaps: ['PAY-1', 'PAY-2', 'PAY-7', 'PAY-8', 'PAY-11', 'PAY-12', 'PAY-13', 'PAY-14'],
  },
  'POST /orders/{order_id}/refunds': {
    id: 'createRefund',
    tag: 'Orders',
    client: 'client.orders.refunds.create',
    summary: 'Gives money back, in full or in part',
    errors: [403, 404, 409, 422],
    gaps: ['REF-1', 'REF-4', 'REF-6', 'REF-7', 'REF-8'],
  },
  'POST /webhooks': {
    id: 'createWebhookSubscription',
    tag: 'Webhooks',
    client: 'client.webhookSubscriptions.create',
    summary: 'Registers an address for events',
    description: '`signing_secret` is returned here only: keep it.',
    errors: [409, 422],
    gaps: ['HOOK-1', 'HOOK-2', 'HOOK-4', 'HOOK-5'],
  },
  'GET /webhooks': {
    id: 'listWebhookSubscriptions',
    tag: 'Webhooks',
    client: 'client.webhookSubscriptions.list',
    summary: 'Lists the subscriptions, newest first',
    errors: [],
    gaps: ['LOC-6'],
  },
  'DELETE /webhooks/{webhook_id}': {
    id: 'deleteWebhookSubscription',
    tag: 'Webhooks',
    client: 'client.webhookSubscriptions.delete',
    summary: 'Removes a subscription',
    description: 'Deliveries under way may still arrive.',
    errors: [403, 404],
    gaps: ['HOOK-3', 'REF-7'],
  },
};

/** The filters of the list of orders: schema and meaning. */
export const ORDER_FILTERS = {
  status: 'Lifecycle status.',
  fulfillment_status: 'How far the store is.',
  location_id: 'Orders of one location.',
  customer_id: 'Exact match.',
  date_from: 'Created at or after (gap ORD-6).',
  date_to: 'Created at or before (gap ORD-6).',
} as const;

/** What each status of an error means, by the error table. */
export const ERROR_STATUSES: Readonly<Record<number, { readonly name: string; readonly description: string }>> = {
  400: {
    name: 'BadRequest',
    description: 'The request is malformed: bad JSON, a missing field, a wrong type or format.',
  },
  401: { name: 'Unauthorized', description: 'The credentials or the access token are missing, wrong or expired.' },
  403: { name: 'Forbidden', description: 'The resource is not in the scope of the partner.' },
  404: { name: 'NotFound', description: 'There is no such resource.' },
  409: {
    name: 'Conflict',
    description: 'The state of the resource forbids it, or the key was used for another request.',
  },
  422: { name: 'UnprocessableEntity', description: 'The request is well formed, and breaks a business rule.' },
  429: { name: 'TooManyRequests', description: 'A rate limit was exceeded: wait for `Retry-After`.' },
  500: {
    name: 'InternalServerError',
    description: 'The service failed. Send it again with backoff; never a payment or refund.',
  },
};

/** What each event tells. */
export const EVENT_WORDS: Readonly<Record<WebhookEventType, { readonly summary: string; readonly schema: string }>> = {
  'order.created': { summary: 'A checkout placed an order', schema: 'OrderCreatedEvent' },
  'order.status_changed': {
    summary: 'One of the three status fields of an order changed',
    schema: 'OrderStatusChangedEvent',
  },
  'order.cancelled': { summary: 'An order was cancelled', schema: 'OrderCancelledEvent' },
  'stock.updated': { summary: 'The availability of items changed', schema: 'StockUpdatedEvent' },
  'menu.changed': { summary: 'The menu of a location changed', schema: 'MenuChangedEvent' },
  'location.hours_changed': { summary: 'The opening hours of a location changed', schema: 'LocationHoursChangedEvent' },
};
