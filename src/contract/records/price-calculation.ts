import type { DiscountLineItem } from './discount.js';
import type { Fee } from './fee.js';
import type { Money } from './money.js';

/**
 * The price of a cart at the instant of the request.
 *
 * @see Interface document, "PriceCalculation"
 */
export interface PriceCalculation {
  /** UUID of the cart. */
  cart_id: string;
  /** Currency code of every amount. */
  currency: string;
  /** One per cart item. */
  line_items: PriceLineItem[];
  /** Discounts of the cart. */
  discounts: DiscountLineItem[];
  /** The authoritative fees. */
  fees: Fee[];
  /** Sum of the `item_subtotal` values. */
  subtotal: Money;
  /** Tax on all lines. */
  total_tax: Money;
  /** Delivery, service, bag and small-order fees. */
  total_fees: Money;
  /** Discounts of the cart only. */
  total_discount: Money;
  /** The amount on which tax was computed. */
  taxable_amount: Money;
  /** subtotal + total_tax + total_fees - total_discount. Its `amount` is the `expected_total` of a checkout. */
  total: Money;
  /** True when an item has an age limit. For information only. */
  age_verification_required: boolean;
  /** ISO 8601 date-time in UTC. */
  calculated_at: string;
  /** True when the customer was recognized through `customer_id`. */
  member_pricing_applied: boolean;
}

/**
 * The price of one cart item.
 *
 * @see Interface document, "PriceCalculation"
 */
export interface PriceLineItem {
  /** UUID of the cart item. */
  cart_item_id: string;
  /** UUID of the menu item. */
  menu_item_id: string;
  /** Name of the menu item. */
  name: string;
  /** Units, at least 1. */
  quantity: number;
  /** Per unit. */
  base_price: Money;
  /** Per unit. */
  modifier_total: Money;
  /** Discounts of this line; absent or empty when there are none. */
  discounts?: DiscountLineItem[];
  /** (base_price + modifier_total - discounts of the item) * quantity. */
  item_subtotal: Money;
  /** Tax on this line. */
  item_tax: Money;
  /** item_subtotal + item_tax. */
  item_total: Money;
}
