/** Records as a service that follows the interface document to the letter would send them. */

const ids = {
  location: '5f0c2a7e-6c1d-4a52-9b2e-0d7d3b1f8a01',
  cart: '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11',
  cartItem: '7c1f3d2a-9b4e-4f60-8a71-2d3c4b5a6f02',
  menuItem: '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c03',
  group: '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c04',
  modifier: '2b3c4d5e-6f7a-4b8c-9d0e-1f2a3b4c5d05',
  order: '3c4d5e6f-7a8b-4c9d-8e1f-2a3b4c5d6e06',
  payment: '4d5e6f7a-8b9c-4d0e-9f2a-3b4c5d6e7f07',
};
const at = '2026-01-31T10:00:00Z';
const usd = (amount: number) => ({ amount, currency: 'USD' });

const selection = {
  modifier_group_id: ids.group,
  modifier_id: ids.modifier,
  quantity: 1,
  nested_selections: [{ modifier_group_id: ids.group, modifier_id: ids.modifier, quantity: 2, nested_selections: [] }],
};

const cartItem = {
  id: ids.cartItem,
  menu_item_id: ids.menuItem,
  name: 'Turkey sub',
  quantity: 2,
  base_price: usd(799),
  modifier_total: usd(100),
  item_total: usd(1798),
  special_instructions: null,
  modifier_selections: [selection],
  age_verification_required: false,
  minimum_age: null,
};

const discount = { name: 'Summer', type: 'PERCENTAGE', value: '10.00', amount: usd(180), source: 'PROMO_CODE' };
const fee = { type: 'SMALL_ORDER', name: 'Small order', amount: usd(150) };
const promo = {
  code: 'SUMMER25',
  status: 'ACTIVE',
  discount_preview: { estimated_discount: usd(180), description: '10% off' },
  applied_at: at,
};
const totals = { subtotal: usd(1798), total_tax: usd(134), total_discount: usd(180), total: usd(1902) };

const newCart = {
  id: ids.cart,
  location_id: ids.location,
  status: 'ACTIVE',
  items: [],
  handoff_mode: null,
  age_verification_required: false,
  subtotal: usd(0),
  total_tax: usd(0),
  total_discount: usd(0),
  total: usd(0),
  created_at: at,
  updated_at: at,
};
const cart = {
  ...newCart,
  ...totals,
  customer_id: 'CUST-12345',
  items: [cartItem],
  handoff_mode: { mode: 'PICKUP', pickup_time: null },
  promo_codes: [promo],
  fees: [fee],
  total_fees: usd(150),
};

const priceCalculation = {
  cart_id: ids.cart,
  currency: 'USD',
  line_items: [
    {
      cart_item_id: ids.cartItem,
      menu_item_id: ids.menuItem,
      name: 'Turkey sub',
      quantity: 2,
      base_price: usd(799),
      modifier_total: usd(100),
      discounts: [discount],
      item_subtotal: usd(1798),
      item_tax: usd(134),
      item_total: usd(1932),
    },
  ],
  discounts: [discount],
  fees: [fee],
  ...totals,
  total_fees: usd(150),
  taxable_amount: usd(1618),
  age_verification_required: false,
  calculated_at: at,
  member_pricing_applied: false,
};

const checkoutResult = {
  order_id: ids.order,
  cart_id: ids.cart,
  status: 'PENDING',
  handoff_mode: 'PICKUP',
  ...totals,
  age_verification_required: false,
  age_verification_notice: null,
  created_at: at,
};

const payment = { id: ids.payment, payment_method: 'CREDIT_CARD', amount: usd(1902), status: 'COMPLETED' };
const orderSummary = {
  id: ids.order,
  location_id: ids.location,
  customer_id: 'CUST-12345',
  status: 'CONFIRMED',
  payment_status: 'PAID',
  fulfillment_status: 'PENDING',
  total: usd(1902),
  created_at: at,
};
const order = {
  ...orderSummary,
  ...totals,
  handoff: { mode: 'PICKUP', pickup_time: null },
  items: [{ ...cartItem, discounts: [], item_subtotal: usd(1798), item_tax: usd(134) }],
  payments: [payment],
  balance_due: usd(0),
  amount_paid: usd(1902),
  amount_refunded: usd(0),
};

const modifier = { id: ids.modifier, name: 'Cheese', price: usd(50) };
const group = {
  id: ids.group,
  name: 'Extras',
  min_selections: 0,
  max_selections: 3,
  allows_duplicates: true,
  modifiers: [modifier],
};
const menuItem = {
  id: ids.menuItem,
  name: 'Turkey sub',
  description: 'Toasted',
  base_price: usd(799),
  available: true,
  age_verification_required: false,
  minimum_age: null,
  max_allowed_quantity: null,
  tender_restriction_level: 'RESTRICTED',
  allowed_tenders: ['CREDIT_CARD', 'EBT'],
  non_discountable: false,
  daily_sales_start_time: '06:00',
  daily_sales_end_time: null,
  modifier_groups: [
    {
      ...group,
      modifiers: [
        { ...modifier, modifier_groups: [{ ...group, modifiers: [{ ...modifier, modifier_groups: [group] }] }] },
      ],
    },
  ],
};
const menuMetadata = { location_id: ids.location, last_modified: at, version_hash: 'sha256:a1b2c3d4e5f6' };
const menu = {
  ...menuMetadata,
  categories: [{ id: ids.group, name: 'Deli', description: null, sort_order: 1, items: [menuItem] }],
};

const location = {
  id: ids.location,
  name: 'QuickStop #247',
  address: { street: '4521 Congress Ave', city: 'Austin', state: 'TX', postal_code: '78745', country: 'US' },
  timezone: 'America/Chicago',
  online_ordering_enabled: true,
  latitude: 30.2277,
  longitude: null,
  business_hours: [{ day_of_week: 'MONDAY', open_time: '06:00', close_time: '22:00', is_closed: false }],
  minimum_order_amounts: { DELIVERY: usd(1500), PICKUP: null },
};
const inventoryItem = { item_id: ids.menuItem, name: 'Turkey sub', availability_status: 'LOW_STOCK', updated_at: at };

const webhookSubscription = {
  id: ids.payment,
  url: 'https://shop.example.com/webhooks',
  event_types: ['order.created'],
  status: 'ACTIVE',
  created_at: at,
};

const refund = { id: ids.payment, order_id: ids.order, amount: usd(500), status: 'COMPLETED', created_at: at };

export const samples = {
  ids,
  usd,
  cart,
  newCart,
  cartItem,
  priceCalculation,
  checkoutResult,
  payment,
  order,
  orderSummary,
  menu,
  menuItem,
  menuMetadata,
  location,
  inventoryItem,
  webhookSubscription,
  refund,
};
