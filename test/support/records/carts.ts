/** Carts as a service sends them that follows the interface document to the letter. */
import { CART_ID, CART_ITEM_ID, GROUP_ID, LOCATION_ID, MENU_ITEM_ID, MODIFIER_ID } from './ids.js';
import { CREATED_AT, usd } from './values.js';

const selection = {
  modifier_group_id: GROUP_ID,
  modifier_id: MODIFIER_ID,
  quantity: 1,
  nested_selections: [{ modifier_group_id: GROUP_ID, modifier_id: MODIFIER_ID, quantity: 2, nested_selections: [] }],
};

export const cartItem = {
  id: CART_ITEM_ID,
  menu_item_id: MENU_ITEM_ID,
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
  applied_at: CREATED_AT,
};
export const totals = { subtotal: usd(1798), total_tax: usd(134), total_discount: usd(180), total: usd(1902) };

/** As the response to `POST /carts` shows it, with the fields that the interface document lists there alone. */
export const newCart = {
  id: CART_ID,
  location_id: LOCATION_ID,
  status: 'ACTIVE',
  items: [],
  handoff_mode: null,
  age_verification_required: false,
  subtotal: usd(0),
  total_tax: usd(0),
  total_discount: usd(0),
  total: usd(0),
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
};

export const cart = {
  ...newCart,
  ...totals,
  customer_id: 'CUST-12345',
  items: [cartItem],
  handoff_mode: { mode: 'PICKUP', pickup_time: null },
  promo_codes: [promo],
  fees: [fee],
  total_fees: usd(150),
};

export const priceCalculation = {
  cart_id: CART_ID,
  currency: 'USD',
  line_items: [
    {
      cart_item_id: CART_ITEM_ID,
      menu_item_id: MENU_ITEM_ID,
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
  calculated_at: CREATED_AT,
  member_pricing_applied: false,
};
