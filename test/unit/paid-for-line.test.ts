import { OnlineOrdering, type Order, paidForLine, RequestValidationError } from 'online-ordering-sdk';
import { createMockService } from 'online-ordering-sdk/mock';
import { describe, expect, test } from 'vitest';

type Lines = Pick<Order, 'items' | 'total_discount'>;

const usd = (amount: number) => ({ amount, currency: 'USD' });

/** Lines by id: units, subtotal and tax in cents. */
function order(lines: Readonly<Record<string, readonly [number, number, number]>>, discount: number): Lines {
  const items = Object.entries(lines).map(([id, [quantity, subtotal, tax]]) => ({
    id,
    menu_item_id: id,
    name: id,
    quantity,
    base_price: usd(subtotal / quantity),
    modifier_total: usd(0),
    item_subtotal: usd(subtotal),
    item_tax: usd(tax),
    item_total: usd(subtotal + tax),
  }));
  return { items, total_discount: usd(discount) };
}

const refusalOf = (work: () => unknown): RequestValidationError => {
  try {
    work();
  } catch (error) {
    if (error instanceof RequestValidationError) return error;
  }
  throw new Error('nothing was refused');
};

describe('what was paid for a line', () => {
  test('is its total when the order has no discount', () => {
    expect(paidForLine(order({ water: [2, 298, 20] }, 0), 'water')).toEqual(usd(318));
  });

  test('is less by its share of the discounts of the order', () => {
    const shown = order({ sub: [1, 900, 70], water: [2, 300, 0] }, 400);

    expect(paidForLine(shown, 'sub')).toEqual(usd(670));
    expect(paidForLine(shown, 'water')).toEqual(usd(200));
  });

  test('gives the cents that cannot be divided to the largest remainders, so that nothing is lost', () => {
    const shown = order({ a: [1, 100, 0], b: [1, 100, 0], c: [1, 101, 0] }, 100);

    expect(['a', 'b', 'c'].map((id) => paidForLine(shown, id).amount)).toEqual([67, 67, 67]);
  });

  test('leaves a line alone that discounts do not cover', () => {
    const shown = order({ lottery: [1, 500, 0], sub: [1, 500, 40] }, 125);
    const discountable = ({ menu_item_id }: { menu_item_id: string }) => menu_item_id !== 'lottery';

    expect(paidForLine(shown, 'lottery', { discountable })).toEqual(usd(500));
    expect(paidForLine(shown, 'sub', { discountable })).toEqual(usd(415));
  });

  test('is rounded down for some of its units, never up', () => {
    const shown = order({ water: [3, 100, 0] }, 0);

    expect(paidForLine(shown, 'water', { quantity: 1 })).toEqual(usd(33));
    expect(paidForLine(shown, 'water', { quantity: 2 })).toEqual(usd(66));
    expect(paidForLine(shown, 'water', { quantity: 3 })).toEqual(usd(100));
  });

  test('is nothing when the order was free', () => {
    expect(paidForLine(order({ water: [1, 149, 0] }, 200), 'water')).toEqual(usd(0));
  });

  test.each([0, 3, 1.5])('refuses %d of two units', (quantity) => {
    const error = refusalOf(() => paidForLine(order({ water: [2, 298, 0] }, 0), 'water', { quantity }));

    expect(error.field).toBe('quantity');
    expect(error.message).toContain('from 1 to 2');
  });

  test('refuses a line that the order does not have', () => {
    expect(refusalOf(() => paidForLine(order({ water: [1, 149, 0] }, 0), 'coffee')).field).toBe('lineId');
  });

  test('of all lines of a discounted order comes to its total less fees', async () => {
    const service = createMockService();
    const client = new OnlineOrdering({ ...service.credentials, dispatcher: service.dispatcher, clock: service.clock });
    const { locations, cartItems } = service.samples;
    const cart = await client.carts.create({ location_id: locations.downtown });
    for (const name of ['turkeySubCombo', 'latte', 'trailMix', 'lotteryTicket', 'bottledWater'] as const) {
      await client.carts.items.add(cart.id, cartItems[name]);
    }
    await client.carts.promoCodes.apply(cart.id, 'SUMMER25');
    const { order_id } = await client.carts.checkout(cart.id, { handoff_mode: { mode: 'PICKUP' } });
    const placed = await client.orders.retrieve(order_id);

    const paid = placed.items.reduce((sum, { id }) => sum + paidForLine(placed, id).amount, 0);

    expect(placed.total_discount.amount).toBeGreaterThan(0);
    expect(paid).toBe(placed.total.amount - (placed.total_fees?.amount ?? 0));
  });
});
