import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Cart, CheckoutResult, Money, PriceCalculation } from '../../../../src/contract/index.js';
import { openSampleStore } from './sample-store.js';

type Store = ReturnType<typeof openSampleStore>;

const ITEMS = [
  'turkeySub',
  'turkeySubCombo',
  'latte',
  'lagerSixPack',
  'lotteryTicket',
  'milkGallon',
  'banana',
] as const;
const HANDOFFS = [
  { mode: 'PICKUP' },
  { mode: 'KIOSK', kiosk_id: null },
  { mode: 'CURBSIDE', vehicle_make: 'Honda', vehicle_model: 'Fit', vehicle_color: 'blue' },
  {
    mode: 'DELIVERY',
    delivery_address: { street: '1 Elm St', city: 'Austin', state: 'TX', postal_code: '78701' },
  },
] as const;

type Action = (store: Store, cart: Cart) => void;

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.tuple(fc.constantFrom(...ITEMS), fc.integer({ min: 1, max: 5 })).map(([item, quantity]): Action => {
    return (store, { id }) => void store.call(`POST /carts/${id}/items`, { ...store.cartItems[item], quantity });
  }),
  fc.tuple(fc.nat(9), fc.constantFrom(...ITEMS)).map(([place, item]): Action => {
    return (store, { id, items }) => {
      const line = items[place];
      if (line) store.call(`PUT /carts/${id}/items/${line.id}`, store.cartItems[item]);
    };
  }),
  fc.nat(9).map((place): Action => {
    return (store, { id, items }) => {
      const line = items[place];
      if (line) store.call(`DELETE /carts/${id}/items/${line.id}`);
    };
  }),
  fc.constantFrom('SUMMER25', 'TAKE3', 'BIG20', 'COFFEE50', 'TODAY15', 'WINTER10').map((code): Action => {
    return (store, { id }) => void store.call(`POST /carts/${id}/promo-codes`, { code });
  }),
  fc.constant<Action>((store, { id, promo_codes }) => {
    const [applied] = promo_codes;
    if (applied) store.call(`DELETE /carts/${id}/promo-codes/${applied.code}`);
  }),
  fc.constantFrom('CUST-12345', 'CUST-GOLD', 'CUST-0', null).map((customer_id): Action => {
    return (store, { id }) => void store.call(`PATCH /carts/${id}`, { customer_id });
  }),
  fc.constantFrom(...HANDOFFS).map((handoff): Action => {
    return (store, { id }) => void store.call(`PUT /carts/${id}/handoff`, handoff);
  }),
);

const total = (amounts: readonly Money[]): number => amounts.reduce((sum, { amount }) => sum + amount, 0);

function expectIdentities(cart: Cart): void {
  expect(cart.total.amount).toBe(
    cart.subtotal.amount + cart.total_tax.amount + cart.total_fees.amount - cart.total_discount.amount,
  );
  expect(cart.total_fees.amount).toBe(total(cart.fees.map(({ amount }) => amount)));
  expect(cart.total.amount).toBeGreaterThanOrEqual(0);
  expect(cart.promo_codes.length).toBeLessThanOrEqual(1);
  expect(cart.age_verification_required).toBe(cart.items.some((item) => item.age_verification_required));
  expect(cart.subtotal.amount).toBe(total(cart.items.map((item) => item.item_total)));
  for (const item of cart.items) {
    expect(item.item_total.amount).toBe((item.base_price.amount + item.modifier_total.amount) * item.quantity);
  }
}

/** A calculation and the cart tell the same, for all but members: their prices are those of the calculation (gap CART-3). */
function expectSamePrices(cart: Cart, calculation: PriceCalculation): void {
  if (calculation.member_pricing_applied) return;
  const { subtotal, total_tax, total_fees, total_discount, fees, total: sum } = calculation;
  expect({ subtotal, total_tax, total_fees, total_discount, fees, total: sum }).toEqual({
    subtotal: cart.subtotal,
    total_tax: cart.total_tax,
    total_fees: cart.total_fees,
    total_discount: cart.total_discount,
    fees: cart.fees,
    total: cart.total,
  });
}

test('after any changes to a cart its amounts add up, a calculation tells the same, and checkout charges what it tells', () => {
  const store = openSampleStore();
  fc.assert(
    fc.property(fc.array(action, { maxLength: 15 }), (actions) => {
      const { id } = store.cartWith(['turkeySub']);
      const read = () => store.call(`GET /carts/${id}`).body as Cart;
      for (const act of actions) {
        act(store, read());
        expectIdentities(read());
      }

      const cart = read();
      if (cart.items.length === 0) return;
      const price = store.calculate(id);
      expectSamePrices(cart, price);
      if (!cart.handoff_mode) return;
      const answer = store.call(`POST /carts/${id}/checkout`, { expected_total: price.total.amount }, { key: id });
      expect(answer.status).toBe(201);
      expectIdentities(read());
      const result = answer.body as CheckoutResult;
      expect(result.total).toEqual(price.total);
      const order = store.state.orders.get(result.order_id)?.order;
      expect(total(order!.items.map((item) => item.item_total))).toBe(price.subtotal.amount + price.total_tax.amount);
    }),
    { numRuns: 150 },
  );
});
