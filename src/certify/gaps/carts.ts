import type { Cart } from '../../contract/index.js';
import { newUuid } from '../../platform/uuid.js';
import { isObject } from '../../wire/wire.js';
import { CannotTry, Differs } from '../result.js';
import { errorOf, nowhere, type Scene } from '../scene.js';
import { byStatus, type Deciders, isSuccess, moneyOrCents, neither, takenOrRefused } from './decider.js';

const CARTS = 'POST /carts';
const CART = 'GET /carts/{cart_id}';
const ITEMS = 'POST /carts/{cart_id}/items';
const HANDOFF = 'PUT /carts/{cart_id}/handoff';
const PROMOS = 'POST /carts/{cart_id}/promo-codes';
const ADDRESS = { street: '1 Main St', city: 'Springfield', state: 'TX', postal_code: '78701' };
const HOUR_MS = 3_600_000;

const params = (cart: Pick<Cart, 'id'>) => ({ cart_id: cart.id });

/** A cart with an item, for rows that change nothing that others need. */
const sharedCart = (scene: Scene): Promise<Cart> => scene.keep('shared cart', () => scene.smallCart());

async function handoff(scene: Scene, body: Readonly<Record<string, unknown>>) {
  return scene.call<Cart>(HANDOFF, { params: params(await sharedCart(scene)), body });
}

/** The least body of each mode. */
export const HANDOFFS: Readonly<Record<string, object>> = {
  PICKUP: { mode: 'PICKUP' },
  DELIVERY: { mode: 'DELIVERY', delivery_address: ADDRESS },
  CURBSIDE: { mode: 'CURBSIDE', vehicle_make: 'Honda', vehicle_model: 'Fit', vehicle_color: 'blue' },
  KIOSK: { mode: 'KIOSK' },
};

/** A code that no service has. */
export const NO_CODE = 'NO-SUCH-CODE-7Q';

export const CART_DECIDERS = {
  'BODY-4': {
    about: 'fields of a new cart',
    readings: { complete: 'every field of a cart', partial: 'without customer_id, promo_codes, fees or total_fees' },
    async decide(scene) {
      const { id } = await scene.location();
      const { data } = await scene.call(CARTS, { body: { location_id: id } });
      if (!isObject(data)) throw new CannotTry('no cart was made');
      scene.note('carts', String(data.id));
      const missing = ['customer_id', 'promo_codes', 'fees', 'total_fees'].filter((name) => !(name in data));
      return missing.length === 0 ? 'complete' : 'partial';
    },
  },
  'BODY-2': {
    about: 'empty customer_id',
    readings: { refused: 'refused', accepted: 'taken' },
    async decide(scene) {
      const cart = await scene.cart();
      const response = await scene.call('PATCH /carts/{cart_id}', { params: params(cart), body: { customer_id: '' } });
      return takenOrRefused(response, 'accepted', 'refused');
    },
  },
  'CART-1': {
    about: 'response to abandoning a cart',
    readings: { '204': '204 without a body', '200': '200 with a body' },
    async decide(scene) {
      const response = await scene.call('DELETE /carts/{cart_id}', { params: params(await scene.cart()) });
      return byStatus(response, { 204: '204', 200: '200' } as const);
    },
  },
  'CART-2': {
    about: 'reading an abandoned cart',
    readings: { '404': '404', '200': 'the cart, ABANDONED' },
    async decide(scene) {
      const cart = await scene.cart();
      await scene.call('DELETE /carts/{cart_id}', { params: params(cart) });
      return byStatus(await scene.call(CART, { params: params(cart) }), { 404: '404', 200: '200' } as const);
    },
  },
  'CART-15': {
    about: 'menu item that does not exist',
    readings: { '404': '404', '422': '422' },
    async decide(scene) {
      const body = { menu_item_id: nowhere(), quantity: 1, modifier_selections: [] };
      const response = await scene.call(ITEMS, { params: params(await scene.cart()), body });
      return byStatus(response, { 404: '404', 422: '422' } as const);
    },
  },
  'BODY-1': {
    about: 'a character of special_instructions',
    readings: { code_points: 'a code point: an emoji counts once', utf16: 'a UTF-16 unit: an emoji counts twice' },
    async decide(scene) {
      const [item] = await scene.items();
      const body = { ...item!.request, special_instructions: '🌶'.repeat(150) };
      const response = await scene.call(ITEMS, { params: params(await scene.cart()), body });
      return takenOrRefused(response, 'code_points', 'utf16');
    },
  },
  'PAY-25': {
    about: 'what the document asks for in words only (selection without nested_selections)',
    readings: { accepted: 'taken', refused: 'refused' },
    async decide(scene) {
      const found = (await scene.items()).find(({ request }) => request.modifier_selections.length > 0);
      const optional = (await scene.items()).find(({ item }) =>
        item.groups.some((group) => group.modifiers.length > 0),
      );
      const { request, item } = found ?? optional ?? {};
      if (!request || !item) throw new CannotTry('no item that can be bought has modifiers');
      const group = item.groups.find((one) => one.modifiers.some(({ available }) => available))!;
      const chosen = request.modifier_selections.length > 0 ? request.modifier_selections : [selectionOf(group)];
      const bare = chosen.map(({ nested_selections: nested = [], ...rest }) =>
        nested.length === 0 ? rest : { ...rest, nested_selections: nested },
      );
      if (bare.every((one) => 'nested_selections' in one)) throw new CannotTry('every selection needs nested ones');
      const cart = await scene.cart();
      // The same with all fields must be taken, or the refusal would have another reason.
      const whole = await scene.call(ITEMS, {
        params: params(cart),
        body: { ...request, modifier_selections: chosen },
      });
      if (!isSuccess(whole)) throw new CannotTry('the item with its modifiers is not taken');
      const response = await scene.call(ITEMS, {
        params: params(cart),
        body: { ...request, modifier_selections: bare },
      });
      return takenOrRefused(response, 'accepted', 'refused');
    },
  },
  'FEE-1': {
    about: 'amount of a fee',
    readings: { money: 'Money', cents: 'integer cents' },
    async decide(scene) {
      for (const body of [{ mode: 'PICKUP' }, { mode: 'DELIVERY', delivery_address: ADDRESS }]) {
        const { data } = await handoff(scene, body);
        const fees = isObject(data) && Array.isArray(data.fees) ? data.fees.filter(isObject) : [];
        if (fees.length > 0) return moneyOrCents(fees[0]!.amount, 'the amount of a fee');
      }
      throw new CannotTry('no fee applies to a pickup or a delivery');
    },
  },
  'CART-7': {
    about: 'delivery address whose state is not two letters',
    readings: { refused: 'refused', accepted: 'taken' },
    async decide(scene) {
      const proper = await handoff(scene, { mode: 'DELIVERY', delivery_address: ADDRESS });
      if (!isSuccess(proper)) throw new CannotTry('the location takes no delivery');
      const odd = await handoff(scene, { mode: 'DELIVERY', delivery_address: { ...ADDRESS, state: 'Texas' } });
      return takenOrRefused(odd, 'accepted', 'refused');
    },
  },
  'BODY-3': {
    about: 'pickup_time without an offset',
    readings: { refused: 'refused', accepted: 'taken' },
    async decide(scene) {
      const time = new Date((await scene.now()) + 2 * HOUR_MS).toISOString();
      const proper = await handoff(scene, { mode: 'PICKUP', pickup_time: time });
      if (!isSuccess(proper)) throw new CannotTry('a pickup in two hours is not taken');
      const response = await handoff(scene, { mode: 'PICKUP', pickup_time: time.replace('Z', '') });
      return takenOrRefused(response, 'accepted', 'refused');
    },
  },
  'CART-8': {
    about: 'pickup_time in the past',
    readings: { accepted: 'taken', refused: 'refused' },
    async decide(scene) {
      const time = new Date((await scene.now()) - 24 * HOUR_MS).toISOString();
      return takenOrRefused(await handoff(scene, { mode: 'PICKUP', pickup_time: time }), 'accepted', 'refused');
    },
  },
  'CART-13': {
    about: 'unknown handoff mode',
    readings: { '422': '422', '400': '400' },
    decide: async (scene) => byStatus(await handoff(scene, { mode: 'TELEPORT' }), { 422: '422', 400: '400' } as const),
  },
  'PROMO-1': {
    about: 'field of a promo code that is applied',
    readings: { code: 'called `code`', promo_code: 'called `promo_code`' },
    async decide(scene) {
      const cart = await sharedCart(scene);
      for (const name of ['code', 'promo_code'] as const) {
        const response = await scene.call(
          PROMOS,
          { params: params(cart), body: { [name]: NO_CODE } },
          { verbatim: true },
        );
        // A field that is not read is a missing field (400); one that is read is a code that nobody knows.
        if (response.status === 422 || response.status === 404) return name;
      }
      throw new CannotTry('neither field was read');
    },
  },
  'ERR-5': {
    about: 'unknown promo code',
    readings: { '422': '422', '404': '404' },
    async decide(scene) {
      const response = await scene.call(PROMOS, { params: params(await sharedCart(scene)), body: { code: NO_CODE } });
      return byStatus(response, { 422: '422', 404: '404' } as const);
    },
  },
  'PROMO-3': {
    about: 'list of applied promo codes',
    readings: { data: 'an object with `data`', list: 'a list' },
    async decide(scene) {
      const { data } = await scene.call('GET /carts/{cart_id}/promo-codes', {
        params: params(await sharedCart(scene)),
      });
      if (Array.isArray(data)) return 'list';
      if (isObject(data) && Array.isArray(data.data)) return 'data';
      throw new Differs('neither a list nor an object with `data`');
    },
  },
  'PROMO-4': {
    about: 'validation of an unknown promo code',
    readings: { '200': '200, and `valid` is false', '422': 'refused with 422' },
    async decide(scene) {
      const sent = { params: params(await sharedCart(scene)), query: { code: NO_CODE } };
      return byStatus(await scene.call('GET /carts/{cart_id}/promo-codes/validate', sent), {
        200: '200',
        422: '422',
      } as const);
    },
  },
  'PROMO-6': {
    about: 'removing a promo code that is not applied',
    readings: { '404': '404', '422': '422' },
    async decide(scene) {
      const sent = { params: { ...params(await sharedCart(scene)), code: NO_CODE } };
      return byStatus(await scene.call('DELETE /carts/{cart_id}/promo-codes/{code}', sent), {
        404: '404',
        422: '422',
      } as const);
    },
  },
  'ERR-8': {
    about: 'idempotency key that comes again with another path',
    readings: { '409': 'refused with 409', executed: 'executed' },
    async decide(scene) {
      const key = newUuid();
      const { id } = await scene.location();
      const [item] = await scene.items();
      const cart = await scene.must<Cart>(CARTS, { body: { location_id: id }, key });
      scene.note('carts', cart.id);
      const response = await scene.call(ITEMS, { params: params(cart), body: item!.request, key });
      if (response.status !== 409 && !isSuccess(response)) throw neither(response);
      return response.status === 409 ? '409' : 'executed';
    },
  },
  'ERR-1': {
    about: 'place of change_reasons',
    readings: { error: 'in `error`', top_level: 'beside `error`' },
    async decide(scene) {
      const cart = await scene.readyCart();
      const response = await scene.call('POST /carts/{cart_id}/checkout', {
        params: params(cart),
        body: { expected_total: 1 },
      });
      if (response.status !== 409) throw neither(response);
      if (Array.isArray(errorOf(response).change_reasons)) return 'error';
      if (isObject(response.data) && Array.isArray(response.data.change_reasons)) return 'top_level';
      throw new Differs('the 409 has no change_reasons');
    },
  },
  'CART-18': {
    about: 'checkout below the minimum',
    readings: { fee: 'a fee covers the shortfall', refused: 'refused' },
    async decide(scene) {
      const location = await scene.location();
      const [item] = await scene.items();
      const minimums = Object.entries(location.minimum_order_amounts ?? {}) as [string, { amount: number } | null][];
      for (const [mode, minimum] of minimums.sort((a, b) => (b[1]?.amount ?? 0) - (a[1]?.amount ?? 0))) {
        const body = HANDOFFS[mode];
        if (!body || !minimum || minimum.amount <= item!.price) continue;
        const cart = await scene.smallCart();
        const set = await scene.call<Cart>(HANDOFF, { params: params(cart), body });
        if (!isSuccess(set)) continue;
        const response = await scene.call<{ order_id?: string }>('POST /carts/{cart_id}/checkout', {
          params: params(cart),
        });
        if (response.ours?.order_id) scene.note('orders', response.ours.order_id);
        return takenOrRefused(response, 'fee', 'refused');
      }
      throw new CannotTry('no mode of the location has a minimum above the cheapest item');
    },
  },
} as const satisfies Deciders;

function selectionOf(group: {
  id: string;
  modifiers: readonly { id: string; available: boolean; groups: readonly unknown[] }[];
}) {
  const modifier =
    group.modifiers.find(({ available, groups }) => available && groups.length === 0) ?? group.modifiers[0]!;
  return { modifier_group_id: group.id, modifier_id: modifier.id, quantity: 1, nested_selections: [] };
}
