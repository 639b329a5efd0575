import { operations } from 'online-ordering-sdk/contract';
import { createMockService } from 'online-ordering-sdk/mock';
import { describe, expect, test } from 'vitest';
import { annotationOf } from '../../../../src/contract/schemas/annotation.js';
import type { EndpointName } from '../../../../src/endpoints/endpoints.js';
import type { Places } from '../../../../src/http/drift/new-values.js';
import { REMARKS, remarksOn } from '../../../../src/http/drift/remarks.js';
import { OnlineOrdering } from '../../../../src/index.js';

const usd = (amount: number) => ({ amount, currency: 'USD' });
const sum = (path: string) => ({ path, kind: 'sum' });

const ITEM = { base_price: usd(200), modifier_total: usd(50), quantity: 3, item_total: usd(750) };
const FEES = [{ type: 'BAG', amount: usd(10) }];
const TOTALS = {
  subtotal: usd(750),
  total_tax: usd(60),
  total_fees: usd(10),
  total_discount: usd(100),
  total: usd(720),
};
const CART = { status: 'ACTIVE', items: [ITEM], fees: FEES, ...TOTALS };
const LINE = {
  ...ITEM,
  discounts: [{ amount: usd(10) }],
  item_subtotal: usd(720),
  item_tax: usd(60),
  item_total: usd(780),
};
const PRICE = {
  ...TOTALS,
  line_items: [LINE],
  discounts: [{ amount: usd(100) }],
  fees: FEES,
  subtotal: usd(720),
  total: usd(690),
};
const ORDER = {
  ...TOTALS,
  items: [{ ...LINE }],
  fees: FEES,
  amount_paid: usd(700),
  amount_refunded: usd(0),
  balance_due: usd(20),
  payments: [{ payment_method: 'CASH', status: 'COMPLETED', amount: usd(700), amount_refunded: usd(0) }],
  refunds: [{ amount: usd(5), distributions: [{ amount: usd(5) }] }],
};

describe('Money that does not add up is remarked at the sum', () => {
  test.each<[string, EndpointName, object, object[]]>([
    ['a cart', 'GET /carts/{cart_id}', CART, []],
    [
      'the line of a cart',
      'GET /carts/{cart_id}',
      { ...CART, items: [{ ...ITEM, item_total: usd(749) }], subtotal: usd(749), total: usd(719) },
      [sum('items[0].item_total')],
    ],
    [
      'a subtotal above its items',
      'GET /carts/{cart_id}',
      { ...CART, subtotal: usd(751), total: usd(721) },
      [sum('subtotal')],
    ],
    [
      'a subtotal below its items: a member pays less',
      'GET /carts/{cart_id}',
      { ...CART, subtotal: usd(700), total: usd(670) },
      [],
    ],
    ['the fees of a cart', 'POST /carts', { ...CART, fees: [] }, [sum('total_fees')]],
    ['the total of a cart', 'PUT /carts/{cart_id}/handoff', { ...CART, total: usd(1) }, [sum('total')]],
    ['a price', 'POST /carts/{cart_id}/calculate', PRICE, []],
    [
      'the line of a price',
      'POST /carts/{cart_id}/calculate',
      { ...PRICE, line_items: [{ ...LINE, discounts: [] }] },
      [sum('line_items[0].item_subtotal')],
    ],
    [
      'the tax of a line',
      'POST /carts/{cart_id}/calculate',
      { ...PRICE, line_items: [{ ...LINE, item_tax: usd(61) }] },
      [sum('line_items[0].item_total')],
    ],
    [
      'the subtotal of a price',
      'POST /carts/{cart_id}/calculate',
      { ...PRICE, subtotal: usd(721), total: usd(691) },
      [sum('subtotal')],
    ],
    [
      'the discounts of a price',
      'POST /carts/{cart_id}/calculate',
      { ...PRICE, discounts: [] },
      [sum('total_discount')],
    ],
    [
      'a checkout with fees that it does not show',
      'POST /carts/{cart_id}/checkout',
      { ...TOTALS, total: usd(1000) },
      [],
    ],
    ['a checkout below its parts', 'POST /carts/{cart_id}/checkout', { ...TOTALS, total: usd(700) }, [sum('total')]],
    ['an order', 'GET /orders/{order_id}', ORDER, []],
    [
      'a balance above what is not paid',
      'GET /orders/{order_id}',
      { ...ORDER, balance_due: usd(21) },
      [sum('balance_due')],
    ],
    ['a balance below: a payment is under way', 'GET /orders/{order_id}', { ...ORDER, balance_due: usd(0) }, []],
    [
      'more refunded than paid',
      'GET /orders/{order_id}',
      { ...ORDER, amount_refunded: usd(701) },
      [sum('amount_refunded')],
    ],
    ['amounts in cents', 'GET /orders/{order_id}', { ...ORDER, balance_due: 20, amount_paid: 700 }, []],
    [
      'a refund of an order',
      'GET /orders/{order_id}',
      { ...ORDER, refunds: [{ amount: usd(5), distributions: [] }] },
      [sum('refunds[0].amount')],
    ],
    [
      'a refund',
      'POST /orders/{order_id}/refunds',
      { amount: usd(5), distributions: [{ amount: usd(4) }] },
      [sum('amount')],
    ],
    [
      'a payment',
      'POST /orders/{order_id}/payments',
      { amount: usd(5), amount_refunded: usd(6) },
      [sum('amount_refunded')],
    ],
    [
      'an order in place of a payment',
      'POST /orders/{order_id}/payments',
      { ...ORDER, status: 'CONFIRMED', total: usd(1) },
      [sum('total'), sum('balance_due')],
    ],
    ['a list of orders', 'GET /orders', { data: [TOTALS, { ...TOTALS, total: usd(1) }] }, [sum('data[1].total')]],
    ['what is missing', 'GET /carts/{cart_id}', { items: [{}], total: usd(1), subtotal: 'free', fees: null }, []],
    ['no record at all', 'GET /carts/{cart_id}', [null], []],
  ])('%s', (_name, operation, data, issues) => {
    expect(remarksOn(operation, { data, mayHaveNewValues: true })).toEqual(issues);
  });
});

describe('Values that this version does not know', () => {
  test('are remarked where they stand, in records, lists and pages', () => {
    const remarksIn = (operation: string, data: unknown) => remarksOn(operation, { data, mayHaveNewValues: true });
    expect(remarksIn('GET /carts/{cart_id}', { status: 'FROZEN', fees: [{ type: 'BAG' }, { type: 'ICE' }] })).toEqual([
      { path: 'status', kind: 'new_value' },
      { path: 'fees[1].type', kind: 'new_value' },
    ]);
    expect(remarksIn('GET /orders', { data: [{ status: 'PENDING' }, { status: 'ON_HOLD' }] })).toEqual([
      { path: 'data[1].status', kind: 'new_value' },
    ]);
    expect(remarksIn('GET /notes', { status: 'ANY' })).toEqual([]);
  });

  test.each(Object.entries(operations).filter(([name]) => name !== 'POST /auth/token'))(
    '%s: every open enumeration of its schema is looked at',
    (name, { response }) => {
      const remarks = REMARKS[name as EndpointName];
      const places = remarks ? placesOf(remarks.places) : [];

      const stated = response ? annotated(response()) : [];
      const inRecord = remarks?.isPage ? stated.map((path) => path.replace(/^data\[\]\.?/, '')) : stated;

      // The answer to a payment may be its order, which has places of its own.
      const own = name.endsWith('/payments') ? ['payment_method', 'status'] : inRecord;
      expect([...new Set(places)].sort()).toEqual([...new Set(own)].sort());
    },
  );
});

test('nothing is remarked on the responses of the mock to a whole order', async () => {
  const service = createMockService({ seed: 3 });
  const client = new OnlineOrdering({ ...service.credentials, dispatcher: service.dispatcher, clock: service.clock });
  const { locations, cartItems } = service.samples;
  const { id } = await client.carts.create({ location_id: locations.downtown, customer_id: 'CUST-12345' });
  await client.carts.items.add(id, cartItems.turkeySubCombo);
  await client.carts.items.add(id, { ...cartItems.houseCoffee, quantity: 3 });
  await client.carts.setHandoff(id, {
    mode: 'CURBSIDE',
    vehicle_make: 'Honda',
    vehicle_model: 'Fit',
    vehicle_color: 'blue',
  });
  await client.carts.promoCodes.apply(id, 'SUMMER25');
  const price = await client.carts.calculate(id);
  const { order_id } = await client.carts.checkout(id, { expected_total: price.total.amount });
  await client.orders.settle(order_id, {
    tenders: [
      { payment_method: 'GIFT_CARD', amount: 500, gift_card_number: 'GIFT-0500' },
      { payment_method: 'CREDIT_CARD', amount: 'remaining', payment_token: 'tok_approved' },
    ],
  });
  await client.orders.refunds.create(order_id, { amount: 600 });
  await client.orders.retrieve(order_id);
  await client.orders.list().toArray({ limit: 10 });
  await client.menus.retrieve(locations.downtown);
  await client.close();

  expect(client.drift()).toEqual([]);
});

function placesOf(places: Places, at = ''): string[] {
  if ('known' in places) return [at];
  if ('each' in places) return placesOf(places.each, `${at}[]`);
  return Object.entries(places.fields).flatMap(([field, inner]) =>
    placesOf(inner, at === '' ? field : `${at}.${field}`),
  );
}

interface Definition {
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
  readonly options?: readonly Schema[];
}
interface Schema {
  readonly _zod: { readonly def: Definition };
}

/** Paths of all open enumerations in a schema; the mode of a handoff is one by its rule. */
function annotated(given: unknown, at = ''): string[] {
  const schema = given as Schema;
  if (annotationOf(schema)?.known) return [at];
  const { shape, element, innerType, options = [] } = schema._zod.def;
  const own = shape?.mode && 'vehicle_make' in shape ? [at === '' ? 'mode' : `${at}.mode`] : [];
  return [
    ...own,
    ...Object.entries(shape ?? {}).flatMap(([field, inner]) => annotated(inner, at === '' ? field : `${at}.${field}`)),
    ...(element ? annotated(element, `${at}[]`) : []),
    ...(innerType ? annotated(innerType, at) : []),
    ...options.flatMap((option) => annotated(option, at)),
  ];
}
