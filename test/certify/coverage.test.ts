import { expect, test } from 'vitest';
import { BEYOND } from '../../src/certify/suite/beyond.js';
import { loadSuite } from '../../src/certify/suite/load.js';

/** The interface document, section by section: what stands at the start of the section of a row, or somewhere in it. */
const DOCUMENT: Readonly<Record<string, readonly RegExp[]>> = {
  'General conventions': [/^General conventions/],
  'Idempotency rules': numbered('Idempotency rules', 7),
  Resources: [
    ...'Money|Cart|CartItem|CartItemRequest|ModifierSelection|PriceCalculation|PriceCalculation line|DiscountLineItem|MenuItem|Menu structure|Checkout result|Order|OrderSummary|Location|Inventory item|Payment|Refund'
      .split('|')
      .map((record) => new RegExp(`^Resources, ${record}$`)),
    ...'Cart.location_id|Cart.customer_id|Cart.age_verification_required|Cart.promo_codes|Cart.subtotal|Cart.total_discount|Cart.fees|CartItem.modifier_total|CartItem.item_total|ModifierSelection.quantity|ModifierSelection.nested_selections|PriceCalculation.total_fees|PriceCalculation.age_verification_required|PriceCalculation.calculated_at|PriceCalculation.member_pricing_applied|MenuItem.max_allowed_quantity|MenuItem.tender_restriction_level|MenuItem.allowed_tenders|MenuItem.non_discountable|MenuItem.daily_sales_start_time|MenuItem.daily_sales_end_time'
      .split('|')
      .map((field) => new RegExp(`^Resources, ${field.replace('.', '\\.')}`)),
    /^PriceCalculation\.taxable_amount$/,
    /^PriceCalculation\.item_tax$/,
    /^HandoffMode$/,
    /^Resources, [Pp]agination/,
    /^Error envelope$/,
  ],
  'Other records': ['category', 'modifier group', 'modifier', 'fee', 'promo code'].map(
    (record) => new RegExp(`^Other records, ${record}$`),
  ),
  States: [
    ...['cart', 'order', 'fulfillment', 'payment status'].map((name) => new RegExp(`^States, ${name}$`)),
    /^Payment record status$/,
  ],
  Endpoints: [
    'POST /auth/token',
    'GET /locations',
    'GET /locations/{location_id}',
    'inventory',
    'menu',
    'menu metadata',
    'POST /carts',
    'GET /carts/{cart_id}',
    'DELETE /carts/{cart_id}',
    'PATCH',
    'POST items',
    'PUT item',
    'DELETE item',
    'calculate',
    'PUT handoff',
    'checkout',
    'apply',
    'promo codes',
    'validate',
    'remove',
    'GET /orders',
    'GET order',
    'cancel',
    'payments',
    'refunds',
    'POST /webhooks',
    'GET /webhooks',
    'DELETE /webhooks',
  ].map((name) => new RegExp(`^Endpoints, ${name.replace(/[{}]/g, '\\$&')}$`)),
  'Cart rules': numbered('Cart rules', 7),
  'Payment rules': numbered('Payment rules', 7),
  Pagination: ['/locations', '/orders', '/webhooks', '/locations/\\{location_id\\}/inventory'].map(
    (path) => new RegExp(`^Pagination, GET ${path}$`),
  ),
  Authentication: numbered('Authentication', 8),
  Events: [
    ...['created', 'status_changed', 'cancelled'].map((name) => new RegExp(`^Events, order\\.${name}$`)),
    ...['stock\\.updated', 'menu\\.changed', 'location\\.hours_changed'].map((name) => new RegExp(`^Events, ${name}$`)),
    ...numbered('Events rules', 6),
  ],
  Errors: [
    ...[400, 401, 403, 404, 409, 422].map((status) => new RegExp(`Errors ${status}`)),
    ...[400, 401, 403, 404, 409, 422, 429, 500].map((status) => new RegExp(`^Errors, row ${status}`)),
    ...numbered('Errors rules', 5),
  ],
  Limits: [
    /^(Limits, token lifetime|Authentication 3, Limits)$/,
    /^Limits, idempotency cache$/,
    /^Limits, special_instructions$/,
    /^Limits, customer_id$/,
    /^Limits, modifier nesting$/,
    ...['/locations', '/orders', '/webhooks', '/locations/\\{location_id\\}/inventory'].map(
      (path) => new RegExp(`^Limits, GET ${path}$`),
    ),
    /^Limits, max_allowed_quantity$/,
    /^Limits, Retry-After$/,
    /^Limits, backoff$/,
    /^Limits, menu metadata polling$/,
    /^Limits, order polling after payment$/,
    /^Rate limits$/,
  ],
  Versioning: numbered('Versioning', 4),
};

function numbered(name: string, count: number): RegExp[] {
  return Array.from({ length: count }, (_, index) => new RegExp(`${name} ${index + 1}\\b`));
}

const rows = await loadSuite().then((suite) => suite.rows());

test('every section and rule of the interface document has a row in certify, or the reason why no request can show it', () => {
  const sections = [...rows.map(({ section }) => section), ...BEYOND.map(([section]) => section)];
  const missing = Object.entries(DOCUMENT).flatMap(([name, parts]) =>
    parts.filter((part) => !sections.some((section) => part.test(section))).map((part) => `${name}: ${part}`),
  );
  expect(missing).toEqual([]);
});

test('certify ships every row of test/contract, and says of each that no partner can try why', () => {
  expect(rows.length).toBeGreaterThan(1_350);
  expect(rows.filter(({ reason }) => reason === undefined).length).toBeGreaterThan(1_000);
  expect(rows.filter(({ reason }) => reason !== undefined && !/^it takes \S/.test(reason))).toEqual([]);
  expect(new Set(rows.map(({ section, row }) => `${section}: ${row}`)).size).toBeGreaterThan(rows.length - 40);
});
