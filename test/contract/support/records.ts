// The records of the interface document as this suite reads them: written here a second time, on purpose.

export interface Money {
  amount: number;
  currency: string;
}

export interface Page<T> {
  data: T[];
  pagination: { has_more: boolean; next_cursor: string | null };
}

export interface ErrorBody {
  error: {
    code: string;
    message: string;
    detail: string;
    request_id: string;
    field?: string | null;
    change_reasons?: string[];
  };
}

export interface Hours {
  day_of_week: string;
  open_time: string;
  close_time: string;
  is_closed: boolean;
}

export interface Location {
  id: string;
  name: string;
  address: { street: string; city: string; state: string; postal_code: string; country: string };
  timezone: string;
  online_ordering_enabled: boolean;
  business_hours: Hours[];
  minimum_order_amounts: Record<string, Money | null> | null;
  handoff_modes?: string[];
}

export interface Modifier {
  id: string;
  name: string;
  price: Money;
  available?: boolean;
  modifier_groups?: ModifierGroup[];
}

export interface ModifierGroup {
  id: string;
  name: string;
  min_selections: number;
  max_selections: number;
  allows_duplicates: boolean;
  modifiers: Modifier[];
}

export interface MenuItem {
  id: string;
  name: string;
  description: string;
  base_price: Money;
  available: boolean;
  age_verification_required: boolean;
  minimum_age: number | null;
  max_allowed_quantity: number | null;
  tender_restriction_level: string | null;
  allowed_tenders: string[] | null;
  non_discountable: boolean;
  daily_sales_start_time: string | null;
  daily_sales_end_time: string | null;
  modifier_groups?: ModifierGroup[];
}

export interface Menu {
  location_id: string;
  last_modified: string;
  version_hash: string;
  categories: { id: string; name: string; description: string | null; sort_order: number; items: MenuItem[] }[];
}

export interface MenuMetadata {
  location_id: string;
  last_modified: string;
  version_hash: string;
}

export interface InventoryItem {
  item_id: string;
  name: string;
  availability_status: string;
  updated_at: string;
}

export interface Selection {
  modifier_group_id: string;
  modifier_id: string;
  quantity: number;
  nested_selections: Selection[];
}

export interface CartItemRequest {
  menu_item_id: string;
  quantity: number;
  modifier_selections: Selection[];
  special_instructions?: string | null;
}

export interface CartItem {
  id: string;
  menu_item_id: string;
  name: string;
  quantity: number;
  base_price: Money;
  modifier_total: Money;
  item_total: Money;
  special_instructions: string | null;
  modifier_selections: Selection[];
  age_verification_required: boolean;
  minimum_age: number | null;
}

export interface Fee {
  type: string;
  name: string;
  amount: Money;
}

export interface DiscountPreview {
  estimated_discount: Money;
  description: string;
  applicable_items?: string[];
}

export interface AppliedPromo {
  code: string;
  status: string;
  discount_preview?: DiscountPreview;
  applied_at: string;
}

export interface PromoValidation {
  code: string;
  valid: boolean;
  discount_preview: DiscountPreview | null;
  rejection_reason: string | null;
  rejection_message: string | null;
}

export interface Cart {
  id: string;
  location_id: string;
  customer_id: string | null;
  status: string;
  items: CartItem[];
  handoff_mode: ({ mode: string } & Record<string, unknown>) | null;
  age_verification_required: boolean;
  promo_codes: AppliedPromo[];
  subtotal: Money;
  total_tax: Money;
  total_discount: Money;
  fees: Fee[];
  total_fees: Money;
  total: Money;
  created_at: string;
  updated_at: string;
}

export interface Discount {
  name: string;
  type: string;
  value: string;
  amount: Money;
  source: string;
}

export interface PriceLine {
  cart_item_id: string;
  menu_item_id: string;
  name: string;
  quantity: number;
  base_price: Money;
  modifier_total: Money;
  discounts: Discount[];
  item_subtotal: Money;
  item_tax: Money;
  item_total: Money;
}

export interface PriceCalculation {
  cart_id: string;
  currency: string;
  line_items: PriceLine[];
  discounts: Discount[];
  fees: Fee[];
  subtotal: Money;
  total_tax: Money;
  total_fees: Money;
  total_discount: Money;
  taxable_amount: Money;
  total: Money;
  age_verification_required: boolean;
  calculated_at: string;
  member_pricing_applied: boolean;
}

export interface CheckoutResult {
  order_id: string;
  cart_id: string;
  status: string;
  handoff_mode: string;
  subtotal: Money;
  total_tax: Money;
  total_discount: Money;
  total: Money;
  age_verification_required: boolean;
  age_verification_notice: string | null;
  created_at: string;
}

export interface Payment {
  id: string;
  order_id: string;
  payment_method: string;
  amount: Money;
  status: string;
  amount_refunded: Money;
  failure_reason: string | null;
  created_at: string;
  updated_at: string;
}

export interface Refund {
  id: string;
  order_id: string;
  amount: Money;
  status: string;
  reason: string | null;
  distributions: { payment_id: string; payment_method: string; amount: Money }[];
  created_at: string;
}

export interface OrderSummary {
  id: string;
  cart_id: string;
  location_id: string;
  customer_id: string | null;
  status: string;
  payment_status: string;
  fulfillment_status: string;
  handoff_mode: string;
  subtotal: Money;
  total_tax: Money;
  total_fees: Money;
  total_discount: Money;
  total: Money;
  balance_due: Money;
  amount_paid: Money;
  amount_refunded: Money;
  age_verification_required: boolean;
  age_verification_notice: string | null;
  cancellation_reason: string | null;
  created_at: string;
  updated_at: string;
}

export interface Order extends OrderSummary {
  handoff: { mode: string } & Record<string, unknown>;
  items: (CartItem & { discounts: Discount[]; item_subtotal: Money; item_tax: Money })[];
  discounts: Discount[];
  fees: Fee[];
  promo_codes: AppliedPromo[];
  payments: Payment[];
  refunds: Refund[];
}

export interface Subscription {
  id: string;
  url: string;
  event_types: string[];
  status: string;
  created_at: string;
  signing_secret?: string;
}

export interface EventBody {
  event_id: string;
  event_type: string;
  created_at: string;
  data: Record<string, unknown>;
}
