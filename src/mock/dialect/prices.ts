import { isObject } from '../refusals/read-fields.js';
import { CANCEL, ORDER, PAYMENTS } from './payments.js';
import type { Json, RouteName, Scene, Turn } from './turn.js';
import { listIn } from './values.js';

const CALCULATE = 'POST /carts/{cart_id}/calculate';
const APPLY = 'POST /carts/{cart_id}/promo-codes';
const VALIDATE = 'GET /carts/{cart_id}/promo-codes/validate';

type OnDiscount = (discount: Json, quantity: number) => void;

/** Every discount of a calculation or an order; `quantity` is that of its line, and 1 for one of the cart. */
const onDiscounts = (change: OnDiscount): Turn['reply'] =>
  Object.fromEntries(
    [CALCULATE, ORDER, CANCEL, PAYMENTS].map((route) => [
      route,
      (body: Json): undefined => {
        for (const discount of listIn(body, 'discounts')) change(discount, 1);
        for (const line of [...listIn(body, 'line_items'), ...listIn(body, 'items')]) {
          for (const discount of listIn(line, 'discounts')) change(discount, Number(line.quantity));
        }
      },
    ]),
  );

/** What the rules do by themselves (`state/readings.ts`). */
export const BY_RULE: Turn = {};

const cartOf = ({ request, state }: Scene) => state.carts.get((request.params.cart_id ?? '').toLowerCase())?.cart;

export const TURNED_PRICES = {
  'DISC-1': {
    absent: {
      reply: onDiscounts((discount) => {
        delete discount.id;
        delete discount.application_scope;
      }),
    },
  },
  'DISC-2': {
    cents: {
      reply: onDiscounts((discount) => {
        if (discount.type === 'FIXED') discount.value = String(Math.round(Number(discount.value) * 100));
      }),
    },
  },
  'DISC-3': { before_discounts: BY_RULE },
  'DISC-5': {
    per_line: {
      reply: onDiscounts(({ amount }, quantity) => {
        if (isObject(amount)) (amount as Json).amount = Number(amount.amount) * quantity;
      }),
    },
  },
  'FEE-2': { subtotal: BY_RULE },
  'PROMO-5': {
    '200': {
      refusal: {
        [APPLY]: ({ status }, scene) => {
          const cart = cartOf(scene);
          const code = isObject(scene.request.body) ? String(scene.request.body.code).trim().toUpperCase() : '';
          const isOnCart = cart?.promo_codes.some((applied) => applied.code === code);
          return status === 409 && cart && isOnCart ? { status: 200, body: cart } : undefined;
        },
      },
    },
  },
  // Before PROMO-4, which makes a refusal of it.
  'PROMO-7': {
    cart_first: {
      reply: {
        [VALIDATE]: (body, scene) => {
          const isTaken = (cartOf(scene)?.promo_codes.length ?? 0) > 0;
          if (!isTaken || body.valid === true) return undefined;
          body.rejection_reason = 'ALREADY_APPLIED';
          body.rejection_message = 'A promo code has already been applied to the cart.';
          return undefined;
        },
      },
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Turn>>>>;

const withoutField: NonNullable<Turn['refusal']>[RouteName] = ({ field }) =>
  field?.startsWith('modifier_selections') ? { field: null } : undefined;

export const TURNED_MODIFIERS = {
  'MENU-6': { selections: BY_RULE },
  'MENU-7': { once: BY_RULE },
  'MENU-12': {
    absent: {
      refusal: {
        'POST /carts/{cart_id}/items': withoutField,
        'PUT /carts/{cart_id}/items/{item_id}': withoutField,
      },
    },
  },
  'MENU-13': { modifiers_first: BY_RULE },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Turn>>>>;
