import type {
  Cart,
  CartItemRequest,
  CheckoutResult,
  InventoryItem,
  Location,
  Menu,
  Order,
  Payment,
} from '../contract/index.js';
import { Dialect } from '../http/dialect/dialect.js';
import { checkItem } from '../menus/checks/check-item.js';
import { type IndexedGroup, type IndexedItem, indexMenu } from '../menus/model/menu-index.js';
import { newUuid } from '../platform/uuid.js';
import type { Choices } from '../profile/profile.js';
import { isObject, requestIdOf, type Sent, type Wire, type WireResponse } from '../wire/wire.js';
import { CannotTry } from './result.js';

/** A response as it came, and its body in the names of this package, as far as the gaps are decided. */
export interface Reply<T> extends WireResponse {
  readonly ours: T;
}

export interface CallExtras {
  /** Sends the body as it is, without the readings that were decided so far. */
  readonly verbatim?: boolean;
}

/** What a partner's sandbox needs to be tried with. */
export interface SceneSettings {
  /** Token of a card that the sandbox approves; without one the orders are paid in CASH. */
  readonly paymentToken?: string | undefined;
  /** Token of a card that the sandbox declines. */
  readonly declinedToken?: string | undefined;
  readonly promoCode?: string | undefined;
  /** A promo code that takes a fixed amount off. */
  readonly fixedPromoCode?: string | undefined;
  /** A customer with member prices. */
  readonly member?: string | undefined;
  /** A gift card of the sandbox. */
  readonly giftCard?: { readonly number: string; readonly pin?: string } | undefined;
  readonly loyaltyAccount?: string | undefined;
  /** An address for subscriptions; nothing needs to respond there. */
  readonly webhookUrl?: string | undefined;
  /** Where to find one delivery that the service made. */
  readonly delivery?: ((scene: Scene) => Promise<CapturedDelivery | undefined>) | undefined;
}

/** One delivery as it arrived, and the secret of its subscription. */
export interface CapturedDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly secret: string;
}

/** The service as one partner sees it, with what the rows share: a location, a menu, items, carts and orders. */
export class Scene {
  readonly wire: Wire;
  readonly settings: SceneSettings;
  readonly #made = { carts: new Set<string>(), orders: new Set<string>(), webhooks: new Set<string>() };
  readonly #kept = new Map<string, Promise<unknown>>();
  #choices: Choices = {};
  #dialect = new Dialect({});

  constructor(wire: Wire, settings: SceneSettings = {}) {
    this.wire = wire;
    this.settings = settings;
  }

  /** Between the names of this package and those of the service, as far as the gaps are decided. */
  get dialect(): Dialect {
    return this.#dialect;
  }

  get choices(): Choices {
    return this.#choices;
  }

  /** From now on requests and responses are those of these readings. */
  decided(choices: Choices): void {
    this.#choices = choices;
    this.#dialect = new Dialect(choices);
  }

  async call<T>(endpoint: string, sent: Sent = {}, { verbatim = false }: CallExtras = {}): Promise<Reply<T>> {
    const body = verbatim ? sent.body : this.#dialect.writeBody(endpoint, sent.body);
    const query = verbatim ? sent.query : this.#dialect.writeQuery(endpoint, sent.query);
    const response = await this.wire.send(endpoint, { ...sent, body, ...(query && { query }) });
    const isSuccess = response.status >= 200 && response.status < 300;
    const ours = isSuccess ? this.#dialect.read(endpoint, response.data) : response.data;
    return { ...response, ours: ours as T };
  }

  /** A call that must succeed for what comes next; otherwise nothing can be tried. */
  async must<T>(endpoint: string, sent: Sent = {}): Promise<T> {
    const reply = await this.call<T>(endpoint, sent);
    if (reply.status >= 200 && reply.status < 300) return reply.ours;
    throw new CannotTry(`${endpoint} got ${described(reply)}`);
  }

  /** Made once, and again after a failure only. */
  keep<T>(name: string, make: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(name) as Promise<T> | undefined;
    if (kept) return kept;
    const made = make();
    this.#kept.set(name, made);
    made.catch(() => this.#kept.delete(name));
    return made;
  }

  locations(): Promise<Location[]> {
    return this.keep('locations', async () => {
      const { data } = await this.must<{ data: Location[] }>('GET /locations', { query: { limit: 100 } });
      return data;
    });
  }

  /** The first location that takes orders. */
  async location(): Promise<Location> {
    const open = (await this.locations()).find((location) => location.online_ordering_enabled);
    if (open) return open;
    throw new CannotTry('no location in scope takes online orders');
  }

  menu(): Promise<Menu> {
    return this.keep('menu', async () => {
      const { id } = await this.location();
      return this.must<Menu>('GET /locations/{location_id}/menu', { params: { location_id: id } });
    });
  }

  /** Items that can be bought now by anybody, cheapest first, each with the least that must be chosen. */
  items(): Promise<readonly Buyable[]> {
    return this.keep('items', async () => {
      const [location, menu] = [await this.location(), await this.menu()];
      const at = await this.now();
      const inStock = await this.#inStock(location.id);
      const found = indexMenu(menu).items.flatMap((item) => {
        if (!isForAnybody(item) || !inStock(item.id)) return [];
        const request = leastRequest(item);
        const problems = checkItem(indexMenu(menu), request, { at, timezone: location.timezone });
        return problems.length === 0 ? [{ item, request, price: item.raw.base_price.amount }] : [];
      });
      if (found.length === 0) throw new CannotTry('nothing on the menu can be bought now by anybody');
      return found.filter(({ price }) => price > 0).sort((a, b) => a.price - b.price);
    });
  }

  /** Whether the store has an item, by the first page of its inventory; where there is none, everything counts. */
  async #inStock(locationId: string): Promise<(itemId: string) => boolean> {
    const sent = { params: { location_id: locationId }, query: { limit: 500 } };
    const { ours } = await this.call<{ data?: InventoryItem[] }>('GET /locations/{location_id}/inventory', sent);
    if (!Array.isArray(ours?.data) || ours.data.length === 0) return () => true;
    const listed = ours.data.filter(({ availability_status }) => availability_status !== 'OUT_OF_STOCK');
    const ids = new Set(listed.map(({ item_id }) => item_id));
    return (itemId) => ids.has(itemId);
  }

  /** The service's time, by a record that it wrote. */
  async now(): Promise<number> {
    const aheadMs = await this.keep('clock', async () => {
      const time = Date.parse((await this.cart()).updated_at);
      return Number.isNaN(time) ? 0 : time - Date.now();
    });
    return Date.now() + aheadMs;
  }

  /** A new cart without items. */
  async cart(extra: Readonly<Record<string, unknown>> = {}): Promise<Cart> {
    const { id } = await this.location();
    const cart = await this.must<Cart>('POST /carts', { body: { location_id: id, ...extra } });
    this.#made.carts.add(cart.id);
    return cart;
  }

  /** A new cart with items that come above every minimum, ready for a PICKUP. */
  async readyCart(): Promise<Cart> {
    const [cart, location, items] = [await this.cart(), await this.location(), await this.items()];
    const least = Math.max(0, Number(location.minimum_order_amounts?.PICKUP?.amount ?? 0), 400);
    // Two items of different kinds: some are not taxed.
    for (const { request, price } of [items[0]!, items.at(-1)!]) {
      const quantity = Math.min(20, Math.ceil(least / price));
      await this.add(cart.id, { ...request, quantity });
    }
    return this.must<Cart>('PUT /carts/{cart_id}/handoff', { params: { cart_id: cart.id }, body: { mode: 'PICKUP' } });
  }

  /** A cart with the cheapest item once. */
  async smallCart(): Promise<Cart> {
    const [cart, items] = [await this.cart(), await this.items()];
    return this.add(cart.id, items[0]!.request);
  }

  add(cartId: string, item: CartItemRequest): Promise<Cart> {
    return this.must<Cart>('POST /carts/{cart_id}/items', { params: { cart_id: cartId }, body: item });
  }

  /** A new order for a PICKUP that is not paid. */
  async order(): Promise<Order> {
    const cart = await this.readyCart();
    const params = { cart_id: cart.id };
    const { order_id } = await this.must<CheckoutResult>('POST /carts/{cart_id}/checkout', { params });
    return this.readOrder(order_id);
  }

  async readOrder(orderId: string): Promise<Order> {
    this.#made.orders.add(orderId);
    return this.must<Order>('GET /orders/{order_id}', { params: { order_id: orderId } });
  }

  /** What a payment of the sandbox is made with. */
  tender(): Readonly<Record<string, unknown>> {
    const { paymentToken } = this.settings;
    return paymentToken === undefined
      ? { payment_method: 'CASH' }
      : { payment_method: 'CREDIT_CARD', payment_token: paymentToken };
  }

  pay(orderId: string, cents: number, key?: string): Promise<Reply<Payment | Order>> {
    const body = { ...this.tender(), amount: cents };
    const sent = { params: { order_id: orderId }, body, ...(key === undefined ? {} : { key }) };
    return this.call('POST /orders/{order_id}/payments', sent);
  }

  /** A new order that is paid in full. */
  async paidOrder(): Promise<Order> {
    const order = await this.order();
    const paid = await this.pay(order.id, order.total.amount);
    if (paid.status >= 300) throw new CannotTry(`a payment got ${described(paid)}; see --payment-token`);
    const after = await this.readOrder(order.id);
    if (after.payment_status === 'PAID') return after;
    throw new CannotTry(`a payment was taken, and the order is ${after.payment_status}`);
  }

  /** The same order, paid in full, for rows that change little of it. */
  sharedPaidOrder(): Promise<Order> {
    return this.keep('paid order', () => this.paidOrder());
  }

  note(kind: 'carts' | 'orders' | 'webhooks', id: string): void {
    this.#made[kind].add(id);
  }

  /** Undoes what can be undone: subscriptions, orders that are not prepared yet, open carts. Failures are no matter. */
  async cleanUp(): Promise<void> {
    for (const id of this.#made.webhooks)
      await this.call('DELETE /webhooks/{webhook_id}', { params: { webhook_id: id } });
    for (const id of this.#made.orders) {
      await this.call('POST /orders/{order_id}/cancel', { params: { order_id: id }, body: { reason: 'certify' } });
    }
    for (const id of this.#made.carts) await this.call('DELETE /carts/{cart_id}', { params: { cart_id: id } });
  }

  /** The id of the latest request of some endpoints. */
  requestIdsOf(endpoints: RegExp): string[] {
    const latest = this.wire.log.findLast(({ request, requestId }) => requestId !== null && endpoints.test(request));
    return latest?.requestId ? [latest.requestId] : [];
  }

  /** Ids of the latest requests since a place in the log; at most `most`. */
  requestIdsSince(place: number, most = 4): string[] {
    const ids = this.wire.log.slice(place).flatMap(({ requestId }) => requestId ?? []);
    return ids.slice(-most);
  }
}

/** An item, and a request of it that the service takes. */
export interface Buyable {
  readonly item: IndexedItem;
  readonly request: CartItemRequest;
  /** Cents of one unit without modifiers. */
  readonly price: number;
}

/** Status, code and field of a response, without what may be personal. */
export function described(response: WireResponse): string {
  if (response.failure !== undefined) return `no response (${response.failure})`;
  const error = errorOf(response);
  const id = requestIdOf(response);
  const field = typeof error.field === 'string' ? ` on ${error.field}` : '';
  return `${response.status}${typeof error.message === 'string' ? ` "${error.message.slice(0, 80)}"` : ''}${field}${id ? ` (request ${id})` : ''}`;
}

export function errorOf({ data }: Pick<WireResponse, 'data'>): Readonly<Record<string, unknown>> {
  return isObject(data) && isObject(data.error) ? data.error : {};
}

/** An id that nothing has. */
export const nowhere = (): string => newUuid();

function isForAnybody({ raw }: IndexedItem): boolean {
  return (
    raw.available &&
    !raw.age_verification_required &&
    raw.tender_restriction_level !== 'RESTRICTED' &&
    raw.max_allowed_quantity === null
  );
}

/** The item once, with the least that must be chosen of every group. */
function leastRequest(item: IndexedItem): CartItemRequest {
  const modifier_selections = item.groups.flatMap(leastOf);
  return { menu_item_id: item.id, quantity: 1, modifier_selections };
}

/** The least that must be chosen of a group. */
export function leastOf(group: IndexedGroup): CartItemRequest['modifier_selections'] {
  const free = group.modifiers.filter(({ available }) => available);
  return free.slice(0, group.minSelections ?? 0).map((modifier) => ({
    modifier_group_id: group.id,
    modifier_id: modifier.id,
    quantity: 1,
    nested_selections: modifier.groups.flatMap(leastOf),
  }));
}
