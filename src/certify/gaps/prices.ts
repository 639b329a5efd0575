import type { Cart, DiscountLineItem, PriceCalculation } from '../../contract/index.js';
import { CannotTry, Differs } from '../result.js';
import type { Scene } from '../scene.js';
import { HANDOFFS, NO_CODE } from './carts.js';
import { byStatus, type Deciders, isSuccess } from './decider.js';

const CALCULATE = 'POST /carts/{cart_id}/calculate';
const PROMOS = 'POST /carts/{cart_id}/promo-codes';
const MOST_ITEMS = 15;

type Minimums = Readonly<Record<string, { amount: number } | null>>;

const params = (cart: Pick<Cart, 'id'>) => ({ cart_id: cart.id });

const calculated = (scene: Scene, cart: Pick<Cart, 'id'>): Promise<PriceCalculation> =>
  scene.must<PriceCalculation>(CALCULATE, { params: params(cart), key: null });

interface Promoted {
  readonly cart: Cart;
  readonly code: string;
  readonly before: PriceCalculation;
  readonly after: PriceCalculation;
}

/** A cart with a promo code, and its prices before and after. */
function promoted(scene: Scene, code: string | undefined, option: string): Promise<Promoted> {
  if (code === undefined) return Promise.reject(new CannotTry(`no promo code was given; see ${option}`));
  return scene.keep(`promo ${code}`, async () => {
    const cart = await scene.readyCart();
    const before = await calculated(scene, cart);
    await scene.must(PROMOS, { params: params(cart), body: { code } });
    return { cart, code, before, after: await calculated(scene, cart) };
  });
}

const withPromo = (scene: Scene): Promise<Promoted> => promoted(scene, scene.settings.promoCode, '--promo-code');

function discountOf({ after }: Promoted): DiscountLineItem {
  const [discount] = after.discounts;
  if (discount) return discount;
  throw new CannotTry('the promo code takes nothing off');
}

export const PRICE_DECIDERS = {
  'FEE-2': {
    about: 'what the minimum of an order is compared with',
    readings: { total: 'the total before the fee', subtotal: 'the subtotal' },
    async decide(scene) {
      const location = await scene.location();
      for (const [mode, body] of Object.entries(HANDOFFS)) {
        const minimum = Number((location.minimum_order_amounts as Minimums | undefined)?.[mode]?.amount ?? 0);
        const cart = await scene.smallCart();
        if (minimum <= cart.total.amount) continue;
        const set = await scene.call<Cart>('PUT /carts/{cart_id}/handoff', { params: params(cart), body });
        if (!isSuccess(set)) continue;
        const fee = set.ours.fees?.find(({ type }) => type === 'SMALL_ORDER')?.amount.amount;
        if (fee === undefined) continue;
        const before = set.ours.total.amount - fee;
        const [byTotal, bySubtotal] = [minimum - before, minimum - set.ours.subtotal.amount];
        if (byTotal === bySubtotal) continue;
        if (fee === byTotal) return 'total';
        if (fee === bySubtotal) return 'subtotal';
        throw new Differs('the fee covers the shortfall of neither total nor subtotal');
      }
      throw new CannotTry('no mode shows a fee for small orders on a cart whose total is not its subtotal');
    },
  },
  'DISC-1': {
    about: '`id` and `application_scope` of a discount',
    readings: { sent: 'there', absent: 'not there' },
    async decide(scene) {
      const discount = discountOf(await withPromo(scene));
      return 'id' in discount || 'application_scope' in discount ? 'sent' : 'absent';
    },
  },
  'DISC-2': {
    about: '`value` of a discount of a fixed amount',
    readings: { major: 'in the major unit: "2.00"', cents: 'in cents: "200"' },
    async decide(scene) {
      const { fixedPromoCode } = scene.settings;
      const { type, value, amount } = discountOf(await promoted(scene, fixedPromoCode, '--fixed-promo-code'));
      if (type !== 'FIXED') throw new CannotTry(`the discount of that code is ${type}, and not FIXED`);
      if (Math.round(Number(value) * 100) === amount.amount) return 'major';
      if (Number(value) === amount.amount) return 'cents';
      throw new CannotTry('the discount is not its whole value');
    },
  },
  'DISC-3': {
    about: 'basis of the tax on a discounted cart',
    readings: { after_discounts: 'less cart-level discounts', before_discounts: 'before cart-level discounts' },
    async decide(scene) {
      const { before, after } = await withPromo(scene);
      const [basis, reduced] = [before.taxable_amount.amount, after.taxable_amount.amount];
      if (basis === 0) throw new CannotTry('nothing in the cart was taxed');
      if (after.total_discount.amount === 0) throw new CannotTry('the promo code takes nothing off');
      return reduced < basis ? 'after_discounts' : 'before_discounts';
    },
  },
  'DISC-5': {
    about: 'amount of a discount of a line',
    readings: { per_unit: 'of one unit', per_line: 'of the whole line' },
    async decide(scene) {
      const { member } = scene.settings;
      if (member === undefined) throw new CannotTry('no customer with member prices was given; see --member');
      const cart = await scene.cart({ customer_id: member });
      for (const { request } of (await scene.items()).slice(0, MOST_ITEMS)) {
        await scene.add(cart.id, { ...request, quantity: 2 });
      }
      const { line_items } = await calculated(scene, cart);
      const line = line_items.find(({ discounts }) => (discounts?.length ?? 0) > 0);
      if (!line) throw new CannotTry('none of the cheapest items has a member price');
      const unit = line.base_price.amount + line.modifier_total.amount;
      const off = (line.discounts ?? []).reduce((sum, { amount }) => sum + amount.amount, 0);
      if (line.item_subtotal.amount === (unit - off) * line.quantity) return 'per_unit';
      if (line.item_subtotal.amount === unit * line.quantity - off) return 'per_line';
      throw new Differs('the subtotal of the line is neither');
    },
  },
  'PROMO-5': {
    about: 'applying a promo code that is on the cart',
    readings: { '409': 'refused with 409', '200': 'the cart as it is' },
    async decide(scene) {
      const { cart, code } = await withPromo(scene);
      return byStatus(await scene.call(PROMOS, { params: params(cart), body: { code } }), {
        409: '409',
        200: '200',
      } as const);
    },
  },
  'PROMO-7': {
    about: 'validation of an unknown code beside an applied one',
    readings: { code_first: 'told that it is unknown', cart_first: 'told that one is applied' },
    async decide(scene) {
      const { cart } = await withPromo(scene);
      const sent = { params: params(cart), query: { code: NO_CODE } };
      const { text } = await scene.call('GET /carts/{cart_id}/promo-codes/validate', sent);
      if (/ALREADY_APPLIED|already been applied/i.test(text)) return 'cart_first';
      if (/INVALID_CODE|not recognized/i.test(text)) return 'code_first';
      throw new Differs('neither reason is told');
    },
  },
} as const satisfies Deciders;
