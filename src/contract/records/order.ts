import type { DiscountLineItem } from './discount.js';
import type { Fee } from './fee.js';
import type { HandoffMode, HandoffModeName } from './handoff.js';
import type { ModifierSelection } from './modifier-selection.js';
import type { Money } from './money.js';
import type { Open } from './open-enum.js';
import type { PageQuery } from './pagination.js';
import type { Payment } from './payment.js';
import type { AppliedPromoCode } from './promo-code.js';
import type { Refund } from './refund.js';

/** The known values of {@link OrderStatusName}. */
export const ORDER_STATUSES = ['PENDING', 'CONFIRMED', 'COMPLETED', 'FAILED', 'VOIDED', 'CANCELLED'] as const;

/** The order states known today, for filters; `FAILED` and `VOIDED` are from gap ORD-1. */
export type OrderStatusName = (typeof ORDER_STATUSES)[number];

/**
 * Where an order is in its life. `PENDING` awaits payment.
 *
 * @see Interface document, "Order status"
 */
export type OrderStatus = Open<OrderStatusName>;

/** The known values of {@link PaymentStatus}. */
export const PAYMENT_STATUSES = ['UNPAID', 'PROCESSING', 'PARTIALLY_PAID', 'PAID'] as const;

/**
 * How far an order is paid.
 *
 * @see Interface document, "Payment status of an order"
 */
export type PaymentStatus = Open<(typeof PAYMENT_STATUSES)[number]>;

/** The known values of {@link FulfillmentStatusName}. */
export const FULFILLMENT_STATUSES = [
  'PENDING',
  'IN_PROGRESS',
  'PREPARING',
  'READY_FOR_PICKUP',
  'FULFILLED',
  'DELIVERED',
  'RETURNED',
  'CANCELLED',
] as const;

/** The fulfillment states known today, for filters. */
export type FulfillmentStatusName = (typeof FULFILLMENT_STATUSES)[number];

/**
 * How far the store is. A delivery ends in `DELIVERED`, every other mode in `FULFILLED`.
 *
 * `READY_FOR_PICKUP` means, by handoff mode: ready at the counter (PICKUP, KIOSK), ready for staff to bring to the vehicle
 * (CURBSIDE), packed and waiting for the driver (DELIVERY).
 *
 * @see Interface document, "Fulfillment status"
 */
export type FulfillmentStatus = Open<FulfillmentStatusName>;

/**
 * An order as lists return it: without items, payments, refunds and handoff details (gap ORD-5).
 *
 * @see Interface document, "Order"
 */
export interface OrderSummary {
  /** UUID. */
  id: string;
  /** UUID of the cart that was checked out. */
  cart_id?: string;
  /** UUID of the location. */
  location_id: string;
  /** Carried over from the cart; null for an anonymous customer. */
  customer_id?: string | null;
  /** Lifecycle. */
  status: OrderStatus;
  /** How far the order is paid. */
  payment_status: PaymentStatus;
  /** How far the store is. */
  fulfillment_status: FulfillmentStatus;
  /** Name of the mode (gap ORD-3). */
  handoff_mode?: Open<HandoffModeName>;
  /** Sum of the lines, before tax, fees and discounts of the whole. */
  subtotal?: Money;
  /** Tax on all lines. */
  total_tax?: Money;
  /** Sum of the fees. */
  total_fees?: Money;
  /** Discounts of the whole; those of lines are in the lines already. */
  total_discount?: Money;
  /** subtotal + total_tax + total_fees - total_discount. */
  total: Money;
  /** What is still to be paid: total less completed payments and less payments under way (gap PAY-10). */
  balance_due?: Money;
  /** Completed payments, before refunds (gap PAY-10). */
  amount_paid?: Money;
  /** What went back so far. */
  amount_refunded?: Money;
  /** True when the buyer's age is checked at handoff. */
  age_verification_required?: boolean;
  /** Says that photo ID is checked at handoff; null when no item has an age limit. */
  age_verification_notice?: string | null;
  /** Reason given at the cancel; null when the order is not cancelled, or none was given. */
  cancellation_reason?: string | null;
  /** ISO 8601 date-time; null when unknown (gap ORD-11). */
  estimated_ready_at?: string | null;
  /** ISO 8601 date-time in UTC. */
  created_at: string;
  /** ISO 8601 date-time in UTC. */
  updated_at?: string;
}

/**
 * An order with its lines, payments and totals. It has three status fields that move independently.
 *
 * @see Interface document, "Order"; gap ORD-3 for the names of the fields
 */
export interface Order extends OrderSummary {
  /** Carried over from the cart; null for an anonymous customer. */
  customer_id: string | null;
  /**
   * The effective handoff. A mode to come arrives with a `mode` that is none of the four: keep a `default` where you
   * tell them apart.
   */
  handoff: HandoffMode;
  /** What was ordered. */
  items: OrderLineItem[];
  /** Discounts of the whole order. */
  discounts?: DiscountLineItem[];
  /** The fees of the order; their sum is `total_fees`. */
  fees?: Fee[];
  /** Codes that were on the cart. */
  promo_codes?: AppliedPromoCode[];
  /** Every payment attached to the order, failed ones too. */
  payments: Payment[];
  /** Refunds so far, where the service sends them (gap REF-5); `amount_refunded` is always there. */
  refunds?: Refund[];
  /** Sum of the lines, before tax, fees and discounts of the whole. */
  subtotal: Money;
  /** Tax on all lines. */
  total_tax: Money;
  /** Discounts of the whole; those of lines are in the lines already. */
  total_discount: Money;
  /** What is still to be paid: total less completed payments and less payments under way (gap PAY-10). */
  balance_due: Money;
  /** Completed payments, before refunds (gap PAY-10). */
  amount_paid: Money;
  /** What went back so far. */
  amount_refunded: Money;
}

/** One line of an order: the fields of a cart item, with discounts and tax (gap ORD-4). */
export interface OrderLineItem {
  /** The `order_item_id` of a refund's line. */
  id: string;
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
  /** Discounts of this line. */
  discounts?: DiscountLineItem[];
  /** (base_price + modifier_total - discounts of the item) * quantity. */
  item_subtotal?: Money;
  /** Tax on this line. */
  item_tax?: Money;
  /** item_subtotal + item_tax. */
  item_total: Money;
  /** Free text for the kitchen; null when there is none. */
  special_instructions?: string | null;
  /** The chosen modifiers. */
  modifier_selections?: ModifierSelection[];
  /** True when the buyer's age is checked at handoff. */
  age_verification_required?: boolean;
  /** Years; null when the item has no age limit. */
  minimum_age?: number | null;
}

/**
 * The body of a cancel (gap ORD-7).
 *
 * @see Interface document, "Orders, payments, refunds"
 */
export interface CancelRequest {
  /** Free text, kept as `cancellation_reason` of the order. */
  reason?: string | null | undefined;
}

/**
 * Filters of the list of orders; they combine with AND. Newest orders come first.
 *
 * @see Interface document, "Orders, payments, refunds"
 */
export interface ListOrdersQuery extends PageQuery {
  /** Lifecycle status. */
  status?: OrderStatusName | undefined;
  /** How far the store is. */
  fulfillment_status?: FulfillmentStatusName | undefined;
  /** UUID of a location. */
  location_id?: string | undefined;
  /** Exact match. */
  customer_id?: string | undefined;
  /** Created at or after: a `Date`, or ISO 8601 text that is sent as it is (gap ORD-6). */
  date_from?: string | Date | undefined;
  /** Created at or before: a `Date`, or ISO 8601 text that is sent as it is (gap ORD-6). */
  date_to?: string | Date | undefined;
}
