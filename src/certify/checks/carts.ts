import { randomUUID } from 'node:crypto';
import type { Cart, CheckoutResult, PriceCalculation } from '../../contract/index.js';
import { CannotTry } from '../result.js';
import { insist, type Scene } from '../scene.js';
import { answeredWith, asInContract, type Check, equal, refusedWith, section } from './check.js';

const ITEMS = 'POST /carts/{cart_id}/items';
const HANDOFF = 'PUT /carts/{cart_id}/handoff';
const CHECKOUT = 'POST /carts/{cart_id}/checkout';
const CALCULATE = 'POST /carts/{cart_id}/calculate';
const PATCH = 'PATCH /carts/{cart_id}';

const at = (cart: Pick<Cart, 'id'>) => ({ cart_id: cart.id });

/** A cart that was checked out, with its order. */
const checkedOut = (scene: Scene): Promise<{ cart: Cart; key: string; result: CheckoutResult }> =>
  scene.keep('checked out', async () => {
    const [cart, key] = [await scene.readyCart(), randomUUID()];
    const result = await scene.must<CheckoutResult>(CHECKOUT, { params: at(cart), key });
    scene.note('orders', result.order_id);
    return { cart, key, result };
  });

function totalsAddUp({ subtotal, total_tax, total_fees, total_discount, total }: Cart | PriceCalculation): void {
  const sum = subtotal.amount + total_tax.amount + total_fees.amount - total_discount.amount;
  equal(total.amount, sum, 'total');
}

export const CART_CHECKS: readonly Check[] = [
  ...section('Carts', {
    'A new cart is ACTIVE, empty, without a handoff, and costs nothing': async (scene) => {
      const { id } = await scene.location();
      const reply = await scene.call<Cart>('POST /carts', { body: { location_id: id } });
      answeredWith(reply, 201);
      await asInContract('POST /carts', reply);
      scene.note('carts', reply.ours.id);
      const { status, items, handoff_mode, total } = reply.ours;
      equal(status, 'ACTIVE', 'status');
      equal(items.length, 0, 'the number of items');
      equal(handoff_mode ?? null, null, 'handoff_mode');
      equal(total.amount, 0, 'total');
    },
    'An item that is added shows its price, and the totals add up': async (scene) => {
      const [cart, items] = [await scene.cart(), await scene.items()];
      const reply = await scene.call<Cart>(ITEMS, { params: at(cart), body: { ...items[0]!.request, quantity: 2 } });
      answeredWith(reply, 201);
      await asInContract(ITEMS, reply);
      const [line] = reply.ours.items;
      insist(line !== undefined, 'the cart shows no item');
      equal(line.item_total.amount, (line.base_price.amount + line.modifier_total.amount) * 2, 'item_total');
      totalsAddUp(reply.ours);
    },
    'An item is replaced as a whole, and removed': async (scene) => {
      const [cart, items] = [await scene.smallCart(), await scene.items()];
      const params = { ...at(cart), item_id: cart.items[0]!.id };
      const body = { ...items[0]!.request, quantity: 3 };
      const replaced = await scene.call<Cart>('PUT /carts/{cart_id}/items/{item_id}', { params, body });
      answeredWith(replaced, 200);
      equal(replaced.ours.items[0]?.quantity, 3, 'the quantity');
      const removed = await scene.call<Cart>('DELETE /carts/{cart_id}/items/{item_id}', { params });
      answeredWith(removed, 200);
      equal(removed.ours.items.length, 0, 'the number of items');
    },
    'A quantity of 0 is refused': async (scene) => {
      const [cart, items] = [await scene.cart(), await scene.items()];
      refusedWith(await scene.call(ITEMS, { params: at(cart), body: { ...items[0]!.request, quantity: 0 } }), 400, 422);
    },
    'special_instructions of 201 characters are refused': async (scene) => {
      const [cart, items] = [await scene.cart(), await scene.items()];
      const body = { ...items[0]!.request, special_instructions: 'x'.repeat(201) };
      refusedWith(await scene.call(ITEMS, { params: at(cart), body }), 400, 422);
    },
    'customer_id is set and taken away by PATCH': async (scene) => {
      const cart = await scene.cart();
      const set = await scene.call<Cart>(PATCH, { params: at(cart), body: { customer_id: 'certify-customer' } });
      answeredWith(set, 200);
      equal(set.ours.customer_id, 'certify-customer', 'customer_id');
      const taken = await scene.call<Cart>(PATCH, { params: at(cart), body: { customer_id: null } });
      equal(taken.ours.customer_id ?? null, null, 'customer_id');
    },
    'A customer_id of 256 characters, or with a space, is refused with 422': async (scene) => {
      const cart = await scene.cart();
      for (const customer_id of ['x'.repeat(256), 'two words']) {
        refusedWith(await scene.call(PATCH, { params: at(cart), body: { customer_id } }), 422);
      }
    },
    'An abandoned cart takes no more items (409)': async (scene) => {
      const [cart, items] = [await scene.cart(), await scene.items()];
      await scene.call('DELETE /carts/{cart_id}', { params: at(cart) });
      refusedWith(await scene.call(ITEMS, { params: at(cart), body: items[0]!.request }), 409);
    },
    'A cart that was checked out takes no more items (409)': async (scene) => {
      const [{ cart }, items] = [await checkedOut(scene), await scene.items()];
      refusedWith(await scene.call(ITEMS, { params: at(cart), body: items[0]!.request }), 409);
    },
    'A selection of an unknown modifier is refused with 422': async (scene) => {
      const [cart, items] = [await scene.cart(), await scene.items()];
      const selection = {
        modifier_group_id: randomUUID(),
        modifier_id: randomUUID(),
        quantity: 1,
        nested_selections: [],
      };
      const body = { ...items[0]!.request, modifier_selections: [selection] };
      refusedWith(await scene.call(ITEMS, { params: at(cart), body }), 422);
    },
  }),
  ...section('Idempotency', {
    'A write with the same key and body gives the same cart, and none is made': async (scene) => {
      const [{ id }, key] = [await scene.location(), randomUUID()];
      const sent = { body: { location_id: id }, key };
      const [first, second] = [
        await scene.must<Cart>('POST /carts', sent),
        await scene.must<Cart>('POST /carts', sent),
      ];
      scene.note('carts', first.id);
      equal(second.id, first.id, 'the id of the second answer');
    },
    'The same key with another body is refused with 409': async (scene) => {
      const [{ id }, key] = [await scene.location(), randomUUID()];
      const first = await scene.must<Cart>('POST /carts', { body: { location_id: id }, key });
      scene.note('carts', first.id);
      refusedWith(await scene.call('POST /carts', { body: { location_id: id, customer_id: 'certify' }, key }), 409);
    },
    'A refusal is not remembered: the same key executes again': async (scene) => {
      const [cart, items, key] = [await scene.cart(), await scene.items(), randomUUID()];
      const checkout = { params: at(cart), body: { handoff_mode: { mode: 'PICKUP' } }, key };
      refusedWith(await scene.call(CHECKOUT, checkout), 422);
      await scene.add(cart.id, { ...items[0]!.request, quantity: 5 });
      const again = await scene.call<CheckoutResult>(CHECKOUT, checkout);
      if (again.status === 422) throw new CannotTry('the checkout is refused for another reason');
      answeredWith(again, 201);
      scene.note('orders', again.ours.order_id);
    },
  }),
  ...section('Handoff', {
    'The latest handoff is stored': async (scene) => {
      const cart = await scene.smallCart();
      const reply = await scene.call<Cart>(HANDOFF, { params: at(cart), body: { mode: 'PICKUP' } });
      answeredWith(reply, 200);
      await asInContract(HANDOFF, reply);
      equal(reply.ours.handoff_mode?.mode, 'PICKUP', 'the mode');
    },
    'A missing field of the mode is refused with 422': async (scene) => {
      const cart = await scene.cart();
      refusedWith(
        await scene.call(HANDOFF, { params: at(cart), body: { mode: 'CURBSIDE', vehicle_make: 'Honda' } }),
        422,
      );
    },
    'A field of another mode is refused with 422': async (scene) => {
      const cart = await scene.cart();
      refusedWith(await scene.call(HANDOFF, { params: at(cart), body: { mode: 'PICKUP', kiosk_id: '7' } }), 422);
    },
  }),
  ...section('Prices', {
    'A calculation adds up, line by line and as a whole': async (scene) => {
      const cart = await scene.readyCart();
      const reply = await scene.call<PriceCalculation>(CALCULATE, { params: at(cart), key: null });
      answeredWith(reply, 200);
      await asInContract(CALCULATE, reply);
      for (const line of reply.ours.line_items) {
        equal(line.item_total.amount, line.item_subtotal.amount + line.item_tax.amount, 'item_total');
      }
      const subtotals = reply.ours.line_items.reduce((sum, line) => sum + line.item_subtotal.amount, 0);
      equal(reply.ours.subtotal.amount, subtotals, 'subtotal');
      totalsAddUp(reply.ours);
    },
    'The calculation of an empty cart is refused with 422': async (scene) =>
      refusedWith(await scene.call(CALCULATE, { params: at(await scene.cart()), key: null }), 422),
  }),
  ...section('Promo codes', {
    'A code is applied in upper case, and takes something off': async (scene) => {
      const { promoCode } = scene.settings;
      if (promoCode === undefined) throw new CannotTry('no promo code was given; see --promo-code');
      const cart = await scene.readyCart();
      const sent = { params: at(cart), body: { code: promoCode.toLowerCase() } };
      const reply = await scene.call<Cart>('POST /carts/{cart_id}/promo-codes', sent);
      answeredWith(reply, 200);
      equal(reply.ours.promo_codes?.[0]?.code, promoCode.toUpperCase(), 'the code');
      refusedWith(await scene.call('POST /carts/{cart_id}/promo-codes', sent), 409);
    },
  }),
  ...section('Checkout', {
    'An empty cart is refused with 422': async (scene) => {
      const sent = { params: at(await scene.cart()), body: { handoff_mode: { mode: 'PICKUP' } } };
      refusedWith(await scene.call(CHECKOUT, sent), 422);
    },
    'A cart without a handoff is refused with 422': async (scene) =>
      refusedWith(await scene.call(CHECKOUT, { params: at(await scene.smallCart()) }), 422),
    'Another expected_total is refused with 409': async (scene) => {
      const cart = await scene.readyCart();
      refusedWith(
        await scene.call(CHECKOUT, { params: at(cart), body: { expected_total: cart.total.amount + 1 } }),
        409,
      );
    },
    'A checkout makes a PENDING order': async (scene) => {
      const cart = await scene.readyCart();
      const reply = await scene.call<CheckoutResult>(CHECKOUT, {
        params: at(cart),
        body: { expected_total: cart.total.amount },
      });
      answeredWith(reply, 201);
      await asInContract(CHECKOUT, reply);
      scene.note('orders', reply.ours.order_id);
      equal(reply.ours.status, 'PENDING', 'status');
      equal(reply.ours.handoff_mode, 'PICKUP', 'handoff_mode');
    },
    'A checkout with the same key gives the first order': async (scene) => {
      const { cart, key, result } = await checkedOut(scene);
      const again = await scene.must<CheckoutResult>(CHECKOUT, { params: at(cart), key });
      equal(again.order_id, result.order_id, 'order_id');
    },
    'A second checkout with another key is refused with 409': async (scene) => {
      const { cart } = await checkedOut(scene);
      refusedWith(await scene.call(CHECKOUT, { params: at(cart) }), 409);
    },
  }),
];
