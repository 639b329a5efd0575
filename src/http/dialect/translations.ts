import type { EndpointName } from '../../endpoints/endpoints.js';
import type { GapRow, Reading } from '../../profile/gaps.js';
import { type Change, centsToMoney, type Fields, inEach, inFields, isFields, moneyToCents, renamed } from './json.js';

/** How bodies and queries differ in one reading of a gap. */
export interface Translation {
  /** From this package's body to the service's. */
  readonly body?: { readonly [Name in EndpointName]?: Change };
  /** From this package's query to the service's. */
  readonly query?: { readonly [Name in EndpointName]?: (query: Fields) => Fields };
  /** From the service's body of a success to this package's. */
  readonly response?: { readonly [Name in EndpointName]?: Change };
}

const CARTS = [
  'POST /carts',
  'GET /carts/{cart_id}',
  'PATCH /carts/{cart_id}',
  'POST /carts/{cart_id}/items',
  'PUT /carts/{cart_id}/items/{item_id}',
  'DELETE /carts/{cart_id}/items/{item_id}',
  'PUT /carts/{cart_id}/handoff',
  'POST /carts/{cart_id}/promo-codes',
  'DELETE /carts/{cart_id}/promo-codes/{code}',
] as const satisfies readonly EndpointName[];

const ORDERS = [
  'GET /orders/{order_id}',
  'POST /orders/{order_id}/cancel',
  // A response may have the order in place of the payment (gap PAY-2).
  'POST /orders/{order_id}/payments',
] as const satisfies readonly EndpointName[];

/** The same change at several endpoints. */
const at = (names: readonly EndpointName[], change: Change): { readonly [Name in EndpointName]?: Change } =>
  Object.fromEntries(names.map((name) => [name, change]));

const records = (change: Change): Change => inFields({ data: inEach(change) });

const locations = (change: Change) => ({
  'GET /locations': records(change),
  'GET /locations/{location_id}': change,
});

const subscriptions = (change: Change) => ({
  'POST /webhooks': change,
  'GET /webhooks': records(change),
});

/** Where discounts are shown. */
const DISCOUNTED: readonly EndpointName[] = ['POST /carts/{cart_id}/calculate', ...ORDERS];

const paymentInMoney = inFields({ amount: centsToMoney, amount_refunded: centsToMoney });
const isPayment = (value: unknown): boolean => isFields(value) && value.payments === undefined;
const feesInMoney = inFields({ fees: inEach(inFields({ amount: centsToMoney })) });
const balanceInMoney = inFields({ balance_due: centsToMoney });

/** The first characters of a date-time are its date. */
const asDate = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : String(value)).slice(0, 10);

/**
 * What the client says and understands differently in each reading. A row that is not here needs nothing: the client
 * takes both readings as they are, or the difference is one of a status that the caller sees.
 */
export const TRANSLATIONS: {
  readonly [Row in GapRow]?: { readonly [One in Reading<Row>]?: Translation };
} = {
  'PAY-1': {
    money: { body: { 'POST /orders/{order_id}/payments': inFields({ amount: centsToMoney }) } },
  },
  'PAY-3': {
    cents: {
      response: {
        ...at(ORDERS, inFields({ payments: inEach(paymentInMoney) })),
        'POST /orders/{order_id}/payments': (value) =>
          isPayment(value) ? paymentInMoney(value) : inFields({ payments: inEach(paymentInMoney) })(value),
      },
    },
  },
  'PAY-10': {
    cents: { response: { ...at(ORDERS, balanceInMoney), 'GET /orders': records(balanceInMoney) } },
  },
  'REF-1': {
    money: { body: { 'POST /orders/{order_id}/refunds': inFields({ amount: centsToMoney }) } },
  },
  'REF-2': {
    required: {
      body: {
        'POST /orders/{order_id}/refunds': (value) =>
          isFields(value) ? { ...value, reason: value.reason ?? 'CUSTOMER_REQUEST' } : value,
      },
    },
  },
  'ORD-3': { line_items: { response: at(ORDERS, renamed('line_items', 'items')) } },
  'ORD-4': {
    without_tax: { response: at(ORDERS, inFields({ items: inEach(withTax) })) },
  },
  'ORD-6': {
    date: { query: { 'GET /orders': (query) => inFields({ date_from: asDate, date_to: asDate })(query) as Fields } },
  },
  'ORD-7': {
    required: { body: { 'POST /orders/{order_id}/cancel': (value) => value ?? { reason: null } } },
  },
  'DISC-2': { cents: { response: at(DISCOUNTED, onDiscounts(fixedInMajorUnit)) } },
  'DISC-5': {
    per_line: {
      response: at(DISCOUNTED, inFields({ line_items: inEach(discountsPerUnit), items: inEach(discountsPerUnit) })),
    },
  },
  'FEE-1': {
    cents: { response: at([...CARTS, 'POST /carts/{cart_id}/calculate', ...ORDERS], feesInMoney) },
  },
  'LOC-1': { location_id: { response: locations(renamed('location_id', 'id')) } },
  'LOC-2': { by_day: { response: locations(inFields({ business_hours: hoursAsList })) } },
  'LOC-3': {
    cents: {
      response: locations(
        inFields({
          minimum_order_amounts: (amounts) =>
            isFields(amounts)
              ? Object.fromEntries(Object.entries(amounts).map(([mode, amount]) => [mode, centsToMoney(amount)]))
              : amounts,
        }),
      ),
    },
  },
  'INV-1': {
    menu_item_id: {
      response: { 'GET /locations/{location_id}/inventory': records(renamed('menu_item_id', 'item_id')) },
    },
  },
  'PROMO-1': { promo_code: { body: { 'POST /carts/{cart_id}/promo-codes': renamed('code', 'promo_code') } } },
  'PROMO-3': {
    list: {
      response: { 'GET /carts/{cart_id}/promo-codes': (value) => (Array.isArray(value) ? { data: value } : value) },
    },
  },
  'HOOK-1': { events: { body: { 'POST /webhooks': renamed('event_types', 'events') } } },
  'HOOK-2': { webhook_id: { response: subscriptions(renamed('webhook_id', 'id')) } },
};

/** Discounts of the cart, and those of its lines. */
function onDiscounts(change: Change): Change {
  const lines = inEach(inFields({ discounts: inEach(change) }));
  return inFields({ discounts: inEach(change), line_items: lines, items: lines });
}

/** `"200"` of a fixed amount as `"2.00"`. */
function fixedInMajorUnit(discount: unknown): unknown {
  if (!isFields(discount) || discount.type !== 'FIXED') return discount;
  return { ...discount, value: (Number(discount.value) / 100).toFixed(2) };
}

/** The discounts of a line as those of one unit. */
function discountsPerUnit(line: unknown): unknown {
  const quantity = isFields(line) ? Number(line.quantity) : 1;
  const perUnit: Change = (cents) => (typeof cents === 'number' ? cents / quantity : cents);
  return inFields({ discounts: inEach(inFields({ amount: inFields({ amount: perUnit }) })) })(line);
}

/** The total of a line with its tax, as a price calculation has it. */
function withTax(line: unknown): unknown {
  if (!isFields(line)) return line;
  const [subtotal, tax] = [moneyToCents(line.item_subtotal), moneyToCents(line.item_tax)];
  const total = line.item_total;
  if (typeof subtotal !== 'number' || typeof tax !== 'number' || !isFields(total)) return line;
  return { ...line, item_total: { ...total, amount: subtotal + tax } };
}

/** `{ MONDAY: [{ open_time, close_time }] }` as a list of days; a day without hours is closed. */
function hoursAsList(hours: unknown): unknown {
  if (!isFields(hours)) return hours;
  return Object.entries(hours).flatMap(([day_of_week, windows]) => {
    const open = (Array.isArray(windows) ? windows : [windows]).filter(isFields);
    if (open.length === 0) return [{ day_of_week, open_time: '00:00', close_time: '00:00', is_closed: true }];
    return open.map((window) => ({ day_of_week, is_closed: false, ...window }));
  });
}
