import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { groupsOf, isPlain, itemsOf, leastSelections } from './catalogue.js';
import { CannotTry, given } from './live.js';
import type {
  Cart,
  CartItemRequest,
  CheckoutResult,
  InventoryItem,
  Location,
  Menu,
  MenuItem,
  Order,
  Page,
  Payment,
  PriceCalculation,
} from './records.js';
import { expectStatus } from './shapes.js';
import type { ControlledTarget, Target } from './target.js';

// Set-up that reads the service to find what it needs, so that it works on any store.

export const MODES = ['PICKUP', 'CURBSIDE', 'DELIVERY', 'KIOSK'] as const;
export type Mode = (typeof MODES)[number];

export const ADDRESS = { street: '12 Elm Street, Apt 4', city: 'Columbus', state: 'OH', postal_code: '43004' };

/** The least body of each mode ("HandoffMode"). */
export const HANDOFFS: Readonly<Record<Mode, { mode: Mode } & Record<string, unknown>>> = {
  PICKUP: { mode: 'PICKUP' },
  CURBSIDE: { mode: 'CURBSIDE', vehicle_make: 'Honda', vehicle_model: 'Fit', vehicle_color: 'blue' },
  DELIVERY: { mode: 'DELIVERY', delivery_address: ADDRESS },
  KIOSK: { mode: 'KIOSK' },
};

/** All items of a list endpoint, page by page. */
export async function everyItem<T>(
  target: Target,
  path: string,
  query: Record<string, string | number> = {},
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const page: { status: number; body: Page<T>; text: string; headers: Headers } = await target.get<Page<T>>(path, {
      query: { ...query, ...(cursor === null ? {} : { cursor }) },
    });
    expectStatus(page, 200);
    items.push(...page.body.data);
    cursor = page.body.pagination.next_cursor;
  } while (cursor !== null);
  return items;
}

const kept = new WeakMap<Target, Map<string, Promise<unknown>>>();

/** Reads once per target: a real service counts every request. */
function once<T>(target: Target, name: string, read: () => Promise<T>): Promise<T> {
  const results = kept.get(target) ?? new Map<string, Promise<unknown>>();
  kept.set(target, results);
  const result = results.get(name) ?? read();
  results.set(name, result);
  return result as Promise<T>;
}

export function everyLocation(target: Target): Promise<Location[]> {
  return once(target, 'locations', async () => {
    const listed = await everyItem<Location>(target, '/locations');
    return Promise.all(listed.map(async ({ id }) => (await target.get<Location>(`/locations/${id}`)).body));
  });
}

export const serves = (location: Location, mode: Mode): boolean => location.handoff_modes?.includes(mode) ?? true;

/** A location that takes online orders, in the given mode if one is named. */
export async function openLocation(target: Target, mode: Mode = 'PICKUP'): Promise<Location> {
  const open = (await everyLocation(target)).filter((location) => location.online_ordering_enabled);
  return found(
    open.find((location) => serves(location, mode)),
    `a location that serves ${mode}`,
  );
}

export function menuOf(target: Target, locationId: string): Promise<Menu> {
  return once(target, `menu ${locationId}`, async () => (await target.get<Menu>(`/locations/${locationId}/menu`)).body);
}

export function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new CannotTry(`the service under test has no such thing: ${what}`);
  return value;
}

export async function inStock(target: Target, locationId: string): Promise<Set<string>> {
  const inventory = await once(target, `inventory ${locationId}`, () =>
    everyItem<InventoryItem>(target, `/locations/${locationId}/inventory`, { limit: 500 }),
  );
  return new Set(inventory.filter((item) => item.availability_status !== 'OUT_OF_STOCK').map((item) => item.item_id));
}

/** An item of the menu that is in stock. */
export async function findItem(
  target: Target,
  locationId: string,
  what: string,
  matches: (item: MenuItem) => boolean,
): Promise<MenuItem> {
  const stock = await inStock(target, locationId);
  const items = itemsOf(await menuOf(target, locationId)).filter((item) => stock.has(item.id));
  return found(items.find(matches), what);
}

/** The least request that puts an item into a cart. */
export function requestFor(item: MenuItem, quantity = 1): CartItemRequest {
  return { menu_item_id: item.id, quantity, modifier_selections: leastSelections(groupsOf(item)) };
}

export interface Shop {
  readonly location: Location;
  readonly menu: Menu;
  /** Costs something, needs no modifiers, and nothing restricts it. */
  readonly plain: MenuItem;
}

export async function openShop(target: Target, mode: Mode = 'PICKUP'): Promise<Shop> {
  const location = await openLocation(target, mode);
  const menu = await menuOf(target, location.id);
  const plain = await findItem(target, location.id, 'an item without modifiers or restrictions', isPlain);
  return { location, menu, plain };
}

export async function createCart(target: Target, locationId: string, customerId?: string): Promise<Cart> {
  const body = { location_id: locationId, ...(customerId === undefined ? {} : { customer_id: customerId }) };
  const answer = await target.post<Cart>('/carts', body);
  expectStatus(answer, 201);
  return answer.body;
}

export async function addItem(target: Target, cartId: string, request: CartItemRequest): Promise<Cart> {
  const answer = await target.post<Cart>(`/carts/${cartId}/items`, request);
  expectStatus(answer, 201);
  return answer.body;
}

export async function setHandoff(target: Target, cartId: string, mode: Mode): Promise<Cart> {
  const answer = await target.put<Cart>(`/carts/${cartId}/handoff`, HANDOFFS[mode]);
  expectStatus(answer, 200);
  return answer.body;
}

export async function calculate(target: Target, cartId: string): Promise<PriceCalculation> {
  const answer = await target.post<PriceCalculation>(`/carts/${cartId}/calculate`, undefined, { key: null });
  expectStatus(answer, 200);
  return answer.body;
}

export async function readCart(target: Target, cartId: string): Promise<Cart> {
  const answer = await target.get<Cart>(`/carts/${cartId}`);
  expectStatus(answer, 200);
  return answer.body;
}

export interface FilledCart extends Shop {
  readonly cart: Cart;
}

/** A cart with one line of a plain item. */
export async function filledCart(target: Target, quantity = 1, mode: Mode = 'PICKUP'): Promise<FilledCart> {
  const shop = await openShop(target, mode);
  const cart = await createCart(target, shop.location.id);
  return { ...shop, cart: await addItem(target, cart.id, requestFor(shop.plain, quantity)) };
}

export async function checkout(target: Target, cartId: string, body?: unknown): Promise<CheckoutResult> {
  const answer = await target.post<CheckoutResult>(`/carts/${cartId}/checkout`, body);
  expectStatus(answer, 201);
  return answer.body;
}

/** An unpaid order of plain items. */
export async function placeOrder(target: Target, mode: Mode = 'PICKUP', quantity = 4): Promise<Order> {
  const { cart } = await filledCart(target, quantity, mode);
  const result = await checkout(target, cart.id, { handoff_mode: HANDOFFS[mode] });
  return readOrder(target, result.order_id);
}

export async function readOrder(target: Target, orderId: string): Promise<Order> {
  const answer = await target.get<Order>(`/orders/${orderId}`);
  expectStatus(answer, 200);
  return answer.body;
}

const cardOf = (sample: string) => () => ({ payment_token: given('payment_token', sample) });

/** The instrument of each tender (gap PAY-1). A real service takes the test values that were given. */
const INSTRUMENTS: Readonly<Record<string, () => Record<string, string>>> = {
  CREDIT_CARD: cardOf('tok_contract_credit'),
  DEBIT_CARD: cardOf('tok_contract_debit'),
  DIGITAL_WALLET: cardOf('tok_contract_wallet'),
  EBT: () => ({ payment_token: given('ebt_token', 'tok_contract_ebt') }),
  GIFT_CARD: () => ({
    gift_card_number: given('gift_card_number', '6006491234567890'),
    gift_card_pin: given('gift_card_pin', '1234'),
  }),
  LOYALTY_POINTS: () => ({ loyalty_account_id: given('loyalty_account_id', 'LOYAL-1001') }),
  CASH: () => ({}),
};

/** What a payment by this method is made with. */
export const instrumentOf = (method: string): Record<string, string> => INSTRUMENTS[method]?.() ?? {};

export const paymentOf = (method: string, amount: number): Record<string, unknown> => ({
  payment_method: method,
  amount,
  ...instrumentOf(method),
});

/** Submits a payment and waits until it is COMPLETED or FAILED (Payment rule 3). */
export async function pay(target: Target, orderId: string, method: string, amount: number): Promise<Payment> {
  const answer = await target.post<Payment>(`/orders/${orderId}/payments`, paymentOf(method, amount));
  expectStatus(answer, 201);
  return settled(target, orderId, answer.body.id);
}

async function settled(target: Target, orderId: string, paymentId: string): Promise<Payment> {
  for (let polls = 0; ; polls += 1) {
    const order = await readOrder(target, orderId);
    const payment = found(
      order.payments.find(({ id }) => id === paymentId),
      'the payment on its order',
    );
    if (payment.status === 'COMPLETED' || payment.status === 'FAILED') return payment;
    expect(polls, 'the payment settles').toBeLessThan(15);
    await wait(2_000);
  }
}

/** An order paid in full with one card. */
export async function paidOrder(target: Target, mode: Mode = 'PICKUP', quantity = 4): Promise<Order> {
  const order = await placeOrder(target, mode, quantity);
  await pay(target, order.id, 'CREDIT_CARD', order.total.amount);
  return readOrder(target, order.id);
}

/** Another partner of the mock. */
export function secondPartner({ mock, target }: ControlledTarget, TargetClass: typeof Target): Target {
  return new TargetClass({ ...target.credentials, ...mock.partners.add() }, mock.fetch);
}

/** An empty cart, and an item for it. */
export async function cartFor(
  target: Target,
  what: string,
  matches: (item: MenuItem) => boolean,
): Promise<{ cart: Cart; item: MenuItem }> {
  const location = await openLocation(target);
  const item = await findItem(target, location.id, what, matches);
  return { cart: await createCart(target, location.id), item };
}
