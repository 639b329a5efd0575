import { beforeAll, describe, expect, test } from 'vitest';
import { findThreeLevels, isAgeRestricted, itemsOf, threeLevelSelections } from '../support/catalogue.js';
import { PROMO } from '../support/magic.js';
import type { CheckoutResult, ErrorBody, Order, OrderSummary, Page } from '../support/records.js';
import { NO_SUCH_ID, TIMESTAMP, UUID } from '../support/shapes.js';
import {
  addItem,
  calculate,
  checkout,
  createCart,
  everyLocation,
  findItem,
  found,
  HANDOFFS,
  menuOf,
  openLocation,
  pay,
  readCart,
  readOrder,
  requestFor,
  setHandoff,
} from '../support/shop.js';
import { isLive, openTarget, Target } from '../support/target.js';

// One record of each kind, read once; no row changes anything.
const read: Record<string, unknown> = {};

beforeAll(async () => {
  const target = await readingTarget();
  const location = await openLocation(target, 'DELIVERY');
  const menu = await menuOf(target, location.id);
  const path = found(findThreeLevels(menu), 'an item with three levels of modifiers');
  const beer = await findItem(target, location.id, 'an age-restricted item', isAgeRestricted);
  const { id } = await createCart(target, location.id, 'CUST-77');
  await addItem(target, id, {
    menu_item_id: path.item.id,
    quantity: 2,
    modifier_selections: threeLevelSelections(path),
    special_instructions: 'Cut in half',
  });
  await addItem(target, id, requestFor(beer));
  await setHandoff(target, id, 'DELIVERY');
  if (!isLive) await target.post(`/carts/${id}/promo-codes`, { code: PROMO.fixed });
  const cart = await readCart(target, id);
  const price = await calculate(target, id);
  const result = await checkout(target, id, { handoff_mode: HANDOFFS.DELIVERY });
  const unpaid = await readOrder(target, result.order_id);
  await pay(target, unpaid.id, 'CREDIT_CARD', unpaid.total.amount);
  await target.post(`/orders/${unpaid.id}/refunds`, { amount: 100 });
  const order: Order = await readOrder(target, result.order_id);
  const orders = await target.get<Page<OrderSummary>>('/orders', { query: { customer_id: 'CUST-77' } });
  const locations = await everyLocation(target);
  Object.assign(read, {
    Money: cart.total,
    Cart: cart,
    CartItem: cart.items[0],
    ModifierSelection: cart.items[0]!.modifier_selections[0],
    PriceCalculation: price,
    'PriceCalculation line': price.line_items[0],
    MenuItem: itemsOf(menu)[0],
    'Checkout result': result satisfies CheckoutResult,
    Order: order,
    'Order line': order.items[0],
    OrderSummary: orders.body.data[0],
    Payment: order.payments[0],
    Refund: order.refunds[0],
    Location: locations.find(({ id: other }) => other === location.id),
    'Pagination envelope': orders.body,
    pagination: orders.body.pagination,
    error: (await target.get<ErrorBody>(`/orders/${NO_SUCH_ID}`)).body.error,
  });
});

/** A hook has no test to close the mock after; nothing of it keeps the process alive. */
async function readingTarget(): Promise<Target> {
  if (isLive) return openTarget();
  const { createMockService } = await import('online-ordering-sdk/mock');
  const mock = createMockService({ seed: 7 });
  return new Target(mock.credentials, mock.fetch);
}

type Check = (value: unknown) => void;

const text: Check = (value) => expect(value).toMatch(/\S/);
const uuid: Check = (value) => expect(value).toMatch(UUID);
const time: Check = (value) => expect(value).toMatch(TIMESTAMP);
const integer: Check = (value) => expect(Number.isInteger(value)).toBe(true);
const boolean: Check = (value) => expect(typeof value).toBe('boolean');
const list: Check = (value) => expect(Array.isArray(value)).toBe(true);
const object: Check = (value) => expect(Object.prototype.toString.call(value)).toBe('[object Object]');
const money: Check = (value) => {
  expect(value).toEqual({ amount: expect.any(Number), currency: 'USD' });
  integer((value as { amount: number }).amount);
};
const nullable =
  (check: Check): Check =>
  (value) => {
    if (value !== null) check(value);
    else expect(value).toBeNull();
  };
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    expect(values).toContain(value);

const CART_ITEM: Record<string, Check> = {
  id: uuid,
  menu_item_id: uuid,
  name: text,
  quantity: integer,
  base_price: money,
  modifier_total: money,
  item_total: money,
  special_instructions: nullable(text),
  modifier_selections: list,
  age_verification_required: boolean,
  minimum_age: nullable(integer),
};

const SUMMARY: Record<string, Check> = {
  id: uuid,
  cart_id: uuid,
  location_id: uuid,
  customer_id: nullable(text),
  status: oneOf('PENDING', 'CONFIRMED', 'COMPLETED', 'CANCELLED', 'FAILED', 'VOIDED'),
  payment_status: oneOf('UNPAID', 'PROCESSING', 'PARTIALLY_PAID', 'PAID'),
  fulfillment_status: oneOf(
    'PENDING',
    'IN_PROGRESS',
    'PREPARING',
    'READY_FOR_PICKUP',
    'FULFILLED',
    'DELIVERED',
    'RETURNED',
    'CANCELLED',
  ),
  handoff_mode: oneOf('PICKUP', 'CURBSIDE', 'DELIVERY', 'KIOSK'),
  subtotal: money,
  total_tax: money,
  total_fees: money,
  total_discount: money,
  total: money,
  balance_due: money,
  amount_paid: money,
  amount_refunded: money,
  age_verification_required: boolean,
  age_verification_notice: nullable(text),
  cancellation_reason: nullable(text),
  estimated_ready_at: nullable(time),
  created_at: time,
  updated_at: time,
};

/** The tables of the document, and those that docs/interface-gaps.md adds. */
const TABLES: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  Money: { amount: integer, currency: oneOf('USD') },
  Cart: {
    id: uuid,
    location_id: uuid,
    customer_id: oneOf('CUST-77'),
    status: oneOf('ACTIVE'),
    items: list,
    handoff_mode: object,
    age_verification_required: oneOf(true),
    promo_codes: list,
    subtotal: money,
    total_tax: money,
    total_discount: money,
    fees: list,
    total_fees: money,
    total: money,
    created_at: time,
    updated_at: time,
  },
  CartItem: CART_ITEM,
  ModifierSelection: { modifier_group_id: uuid, modifier_id: uuid, quantity: integer, nested_selections: list },
  PriceCalculation: {
    cart_id: uuid,
    currency: oneOf('USD'),
    line_items: list,
    discounts: list,
    fees: list,
    subtotal: money,
    total_tax: money,
    total_fees: money,
    total_discount: money,
    taxable_amount: money,
    total: money,
    age_verification_required: oneOf(true),
    calculated_at: time,
    member_pricing_applied: boolean,
  },
  'PriceCalculation line': {
    cart_item_id: uuid,
    menu_item_id: uuid,
    name: text,
    quantity: integer,
    base_price: money,
    modifier_total: money,
    discounts: list,
    item_subtotal: money,
    item_tax: money,
    item_total: money,
  },
  MenuItem: {
    id: uuid,
    name: text,
    description: (value) => expect(typeof value).toBe('string'),
    base_price: money,
    available: boolean,
    age_verification_required: boolean,
    minimum_age: nullable(integer),
    max_allowed_quantity: nullable(integer),
    tender_restriction_level: oneOf('NONE', 'RESTRICTED', null),
    allowed_tenders: nullable(list),
    non_discountable: boolean,
    daily_sales_start_time: nullable(text),
    daily_sales_end_time: nullable(text),
  },
  'Checkout result': {
    order_id: uuid,
    cart_id: uuid,
    status: oneOf('PENDING'),
    handoff_mode: oneOf('DELIVERY'),
    subtotal: money,
    total_tax: money,
    total_discount: money,
    total: money,
    age_verification_required: oneOf(true),
    age_verification_notice: text,
    created_at: time,
  },
  Order: {
    ...SUMMARY,
    handoff: object,
    items: list,
    discounts: list,
    fees: list,
    promo_codes: list,
    payments: list,
    refunds: list,
  },
  'Order line': { ...CART_ITEM, discounts: list, item_subtotal: money, item_tax: money },
  OrderSummary: SUMMARY,
  Payment: {
    id: uuid,
    order_id: uuid,
    payment_method: oneOf('CREDIT_CARD'),
    amount: money,
    status: oneOf('COMPLETED'),
    amount_refunded: money,
    failure_reason: oneOf(null),
    created_at: time,
    updated_at: time,
  },
  Refund: {
    id: uuid,
    order_id: uuid,
    amount: money,
    status: oneOf('COMPLETED'),
    reason: nullable(text),
    line_items: nullable(list),
    distributions: list,
    created_at: time,
  },
  Location: {
    id: uuid,
    name: text,
    address: object,
    phone: nullable(text),
    latitude: (value) => expect(Math.abs(value as number)).toBeLessThanOrEqual(90),
    longitude: (value) => expect(Math.abs(value as number)).toBeLessThanOrEqual(180),
    timezone: text,
    online_ordering_enabled: oneOf(true),
    default_prep_time_minutes: integer,
    business_hours: list,
    minimum_order_amounts: nullable(object),
  },
  'Pagination envelope': { data: list, pagination: object },
  pagination: { has_more: boolean, next_cursor: nullable(text) },
  error: { code: oneOf('NOT_FOUND_ERROR'), message: text, detail: text, request_id: uuid },
};

/** Fields and records that a service may leave out. */
const REMARKS: Readonly<Record<string, string>> = {
  estimated_ready_at: ' (gap ORD-11)',
  Refund: ' (gap REF-5)',
};

const FIELDS = Object.entries(TABLES).flatMap(([record, fields]) =>
  Object.keys(fields).map((field) => [record, field, REMARKS[field] ?? REMARKS[record] ?? ''] as const),
);

describe('Fields of the records', () => {
  test.each(FIELDS)('Resources, %s: has the field %s%s, of its type', (record, field) => {
    const value = read[record] as Record<string, unknown>;

    expect(Object.keys(value)).toContain(field);
    TABLES[record]![field]!(value[field]);
  });

  test.each(['Cart', 'CartItem', 'ModifierSelection', 'Checkout result', 'Money'])(
    'Resources, %s: has no field beyond those of its table',
    (record) => {
      expect(Object.keys(read[record] as object).filter((field) => !(field in TABLES[record]!))).toEqual([]);
    },
  );
});
