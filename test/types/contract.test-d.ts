/**
 * Compiled by `tsc` only: the schemas and the hand-written types say the same, and slips in requests do not compile.
 */
import type {
  AppliedPromoCode,
  AppliedPromoCodeList,
  ApplyPromoCodeRequest,
  appliedPromoCodeListSchema,
  appliedPromoCodeSchema,
  applyPromoCodeRequestSchema,
  CancelRequest,
  Cart,
  CartItem,
  CartItemRequest,
  CartStatus,
  CheckoutRequest,
  CheckoutResult,
  CreateCartRequest,
  cancelRequestSchema,
  cartItemRequestSchema,
  cartItemSchema,
  cartSchema,
  checkoutRequestSchema,
  checkoutResultSchema,
  createCartRequestSchema,
  createdCartSchema,
  DayHours,
  DeliveryAddress,
  DiscountLineItem,
  DiscountPreview,
  dayHoursSchema,
  deliveryAddressRequestSchema,
  discountLineItemSchema,
  discountPreviewSchema,
  ErrorEnvelope,
  errorEnvelopeSchema,
  Fee,
  feeSchema,
  HandoffMode,
  handoffModeRequestSchema,
  handoffModeSchema,
  InventoryItem,
  inventoryItemSchema,
  ListOrdersQuery,
  Location,
  LocationAddress,
  LocationHoursChangedEvent,
  locationAddressSchema,
  locationHoursChangedEventSchema,
  locationSchema,
  Menu,
  MenuCategory,
  MenuChangedEvent,
  MenuItem,
  MenuMetadata,
  ModifierGroup,
  ModifierSelection,
  ModifierSelectionRequest,
  Money,
  menuCategorySchema,
  menuChangedEventSchema,
  menuItemSchema,
  menuMetadataSchema,
  menuSchema,
  modifierGroupSchema,
  modifierSelectionRequestSchema,
  modifierSelectionSchema,
  moneyOrCentsSchema,
  moneySchema,
  OperationName,
  Order,
  OrderCancelledEvent,
  OrderCreatedEvent,
  OrderLineItem,
  OrderStatusChangedEvent,
  OrderSummary,
  orderCancelledEventSchema,
  orderCreatedEventSchema,
  orderLineItemSchema,
  orderSchema,
  orderStatusChangedEventSchema,
  orderSummarySchema,
  PageEnvelope,
  Payment,
  PaymentRequest,
  PriceCalculation,
  PriceLineItem,
  PromoCodeValidation,
  pageEnvelopeSchema,
  paymentRequestSchema,
  paymentSchema,
  priceCalculationSchema,
  priceLineItemSchema,
  promoCodeValidationSchema,
  Refund,
  RefundDistribution,
  RefundLineItem,
  RefundRequest,
  refundDistributionSchema,
  refundLineItemSchema,
  refundRequestSchema,
  refundSchema,
  StockChange,
  StockUpdatedEvent,
  stockChangeSchema,
  stockUpdatedEventSchema,
  TenderType,
  TokenRequest,
  TokenResponse,
  tokenRequestSchema,
  tokenResponseSchema,
  UpdateCartRequest,
  updateCartRequestSchema,
  WebhookEvent,
  WebhookEventType,
  WebhookSubscription,
  WebhookSubscriptionRequest,
  WebhookSubscriptionWithSecret,
  webhookEventSchema,
  webhookSubscriptionRequestSchema,
  webhookSubscriptionSchema,
  webhookSubscriptionWithSecretSchema,
} from 'online-ordering-sdk/contract';
import type { z } from 'zod';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type IsAny<T> = 0 extends 1 & T ? true : false;

/** What a schema gives, without the index signatures that keep unknown fields. */
type Known<T> = T extends readonly (infer Item)[]
  ? Known<Item>[]
  : T extends object
    ? { [Key in keyof T as string extends Key ? never : Key]: Known<T[Key]> }
    : T;

type Output<Schema extends () => z.ZodType> = z.output<ReturnType<Schema>>;

/** True when schema and type have the same fields, each with the same type and the same optionality. */
type Same<Schema extends () => z.ZodType, Type> =
  IsAny<Output<Schema>> extends true ? 'the schema gives any' : Equal<Known<Output<Schema>>, Known<Type>>;

function holds<_Claim extends true>(): void {}

// Every record of a response.
holds<Same<typeof moneySchema, Money>>();
holds<Same<typeof moneyOrCentsSchema, Money>>();
holds<Same<typeof cartSchema, Cart>>();
holds<Same<typeof cartItemSchema, CartItem>>();
holds<Same<typeof modifierSelectionSchema, ModifierSelection>>();
holds<Same<typeof handoffModeSchema, HandoffMode>>();
holds<Same<typeof discountLineItemSchema, DiscountLineItem>>();
holds<Same<typeof feeSchema, Fee>>();
holds<Same<typeof discountPreviewSchema, DiscountPreview>>();
holds<Same<typeof appliedPromoCodeSchema, AppliedPromoCode>>();
holds<Same<typeof appliedPromoCodeListSchema, AppliedPromoCodeList>>();
holds<Same<typeof promoCodeValidationSchema, PromoCodeValidation>>();
holds<Same<typeof priceCalculationSchema, PriceCalculation>>();
holds<Same<typeof priceLineItemSchema, PriceLineItem>>();
holds<Same<typeof checkoutResultSchema, CheckoutResult>>();
holds<Same<typeof orderSchema, Order>>();
holds<Same<typeof orderSummarySchema, OrderSummary>>();
holds<Same<typeof orderLineItemSchema, OrderLineItem>>();
holds<Same<typeof paymentSchema, Payment>>();
holds<Same<typeof refundSchema, Refund>>();
holds<Same<typeof refundLineItemSchema, RefundLineItem>>();
holds<Same<typeof refundDistributionSchema, RefundDistribution>>();
holds<Same<typeof locationSchema, Location>>();
holds<Same<typeof locationAddressSchema, LocationAddress>>();
holds<Same<typeof dayHoursSchema, DayHours>>();
holds<Same<typeof inventoryItemSchema, InventoryItem>>();
holds<Same<typeof menuSchema, Menu>>();
holds<Same<typeof menuMetadataSchema, MenuMetadata>>();
holds<Same<typeof menuCategorySchema, MenuCategory>>();
holds<Same<typeof menuItemSchema, MenuItem>>();
holds<Same<typeof modifierGroupSchema, ModifierGroup>>();
holds<Same<typeof webhookSubscriptionSchema, WebhookSubscription>>();
holds<Same<typeof webhookSubscriptionWithSecretSchema, WebhookSubscriptionWithSecret>>();
holds<Same<typeof errorEnvelopeSchema, ErrorEnvelope>>();
holds<Same<typeof tokenResponseSchema, TokenResponse>>();
holds<Equal<Known<z.output<ReturnType<typeof pageEnvelopeSchema<Money>>>>, PageEnvelope<Money>>>();
holds<
  Equal<
    Known<Output<typeof createdCartSchema>>,
    Known<
      Omit<Cart, 'customer_id' | 'promo_codes' | 'fees' | 'total_fees'> &
        Partial<Pick<Cart, 'customer_id' | 'promo_codes' | 'fees' | 'total_fees'>>
    >
  >
>();

// Every event.
holds<Same<typeof webhookEventSchema, WebhookEvent>>();
holds<Same<typeof orderCreatedEventSchema, OrderCreatedEvent>>();
holds<Same<typeof orderStatusChangedEventSchema, OrderStatusChangedEvent>>();
holds<Same<typeof orderCancelledEventSchema, OrderCancelledEvent>>();
holds<Same<typeof stockUpdatedEventSchema, StockUpdatedEvent>>();
holds<Same<typeof stockChangeSchema, StockChange>>();
holds<Same<typeof menuChangedEventSchema, MenuChangedEvent>>();
holds<Same<typeof locationHoursChangedEventSchema, LocationHoursChangedEvent>>();

// Every request body.
holds<Same<typeof cartItemRequestSchema, CartItemRequest>>();
holds<Same<typeof modifierSelectionRequestSchema, ModifierSelectionRequest>>();
holds<Same<typeof handoffModeRequestSchema, HandoffMode>>();
holds<Same<typeof deliveryAddressRequestSchema, DeliveryAddress>>();
holds<Same<typeof createCartRequestSchema, CreateCartRequest>>();
holds<Same<typeof updateCartRequestSchema, UpdateCartRequest>>();
holds<Same<typeof applyPromoCodeRequestSchema, ApplyPromoCodeRequest>>();
holds<Same<typeof checkoutRequestSchema, CheckoutRequest>>();
holds<Same<typeof cancelRequestSchema, CancelRequest>>();
holds<Same<typeof paymentRequestSchema, PaymentRequest>>();
holds<Same<typeof refundRequestSchema, RefundRequest>>();
holds<Same<typeof webhookSubscriptionRequestSchema, WebhookSubscriptionRequest>>();
holds<Same<typeof tokenRequestSchema, TokenRequest>>();

// The comparison itself notices a missing field, another optionality, and `any`.
holds<Equal<Same<() => z.ZodType<{ amount: number }>, Money>, false>>();
holds<Equal<Same<() => z.ZodType<{ amount: number; currency?: string }>, Money>, false>>();
// biome-ignore lint/suspicious/noExplicitAny: the claim is about `any`
holds<Equal<Same<() => z.ZodType<any>, Money>, 'the schema gives any'>>();

// What a schema gives has the fields of the type and no others to mistype.
declare const parsedCart: Output<typeof cartSchema>;
// @ts-expect-error no such field
export const mistyped = parsedCart.totl;

// Open in responses: a status that this version does not know is a value; the known ones are still offered.
export const laterStatus: CartStatus = 'PARKED';
holds<Equal<Extract<CartStatus, 'ACTIVE'>, 'ACTIVE'>>();
declare const order: Order;
export const laterOrderStatus: Order = {
  ...order,
  status: 'ON_HOLD',
  payment_status: 'ESCROW',
  fulfillment_status: 'LATE',
};
holds<IsAny<Order['handoff']> extends false ? true : false>();
holds<IsAny<Payment['amount']> extends false ? true : false>();

// An order is an order summary: what reads a summary reads an order too.
export const summary: OrderSummary = order;

// Discriminants narrow.
export function streetOf(handoff: HandoffMode): string | undefined {
  if (handoff.mode === 'DELIVERY') return handoff.delivery_address.street;
  // @ts-expect-error only a delivery has an address
  return handoff.delivery_address;
}
export function hashOf(event: WebhookEvent): string | undefined {
  return event.event_type === 'menu.changed' ? event.data.version_hash : undefined;
}
holds<
  Equal<
    WebhookEventType,
    | 'order.created'
    | 'order.status_changed'
    | 'order.cancelled'
    | 'stock.updated'
    | 'menu.changed'
    | 'location.hours_changed'
  >
>();

// What was read from a cart can be sent again.
declare const item: CartItem;
export const again: CartItemRequest = { ...item };
declare const cart: Cart;
export const sameHandoff: CheckoutRequest = { handoff_mode: cart.handoff_mode ?? { mode: 'PICKUP' } };

// Bodies that are right.
export const pickup: HandoffMode = { mode: 'PICKUP' };
export const curbside: HandoffMode = {
  mode: 'CURBSIDE',
  vehicle_make: 'Honda',
  vehicle_model: 'Fit',
  vehicle_color: 'blue',
  pickup_time: null,
};
export const card: PaymentRequest = { payment_method: 'CREDIT_CARD', amount: 1250, payment_token: 'tok_1' };
export const bareCard: PaymentRequest = { payment_method: 'DEBIT_CARD', amount: 1250 };
export const giftCard: PaymentRequest = { payment_method: 'GIFT_CARD', amount: 500, gift_card_number: '6006' };
export const orderFilter: ListOrdersQuery = { status: 'PENDING', date_from: new Date(0), limit: 20 };
export const threeLevels: CartItemRequest = {
  menu_item_id: 'id',
  quantity: 1,
  modifier_selections: [
    {
      modifier_group_id: 'g1',
      modifier_id: 'm1',
      nested_selections: [
        {
          modifier_group_id: 'g2',
          modifier_id: 'm2',
          nested_selections: [{ modifier_group_id: 'g3', modifier_id: 'm3' }],
        },
      ],
    },
  ],
};

// Slips in bodies do not compile.
// @ts-expect-error vehicle_make is missing
export const noMake: HandoffMode = { mode: 'CURBSIDE', vehicle_model: 'Fit', vehicle_color: 'blue' };
// @ts-expect-error a pickup has no address
export const pickupWithAddress: HandoffMode = { mode: 'PICKUP', delivery_address: { street: '1 Main St' } };
// @ts-expect-error no such mode
export const dineIn: HandoffMode = { mode: 'DINE_IN' };
// @ts-expect-error postal_code is missing
export const noPostalCode: DeliveryAddress = { street: '1 Main St', city: 'Austin', state: 'TX' };
// @ts-expect-error a gift card has no payment token
export const giftCardWithToken: PaymentRequest = { payment_method: 'GIFT_CARD', amount: 500, payment_token: 'tok_1' };
// @ts-expect-error no such tender
export const cheque: TenderType = 'CHEQUE';
// @ts-expect-error the amount of a payment is whole cents, not Money
export const paymentInMoney: PaymentRequest = { payment_method: 'CASH', amount: { amount: 500, currency: 'USD' } };
// @ts-expect-error the amount of a refund is whole cents, not Money
export const refundInMoney: RefundRequest = { amount: { amount: 500, currency: 'USD' } };
// @ts-expect-error modifier_selections is needed, if only as an empty array
export const noSelections: CartItemRequest = { menu_item_id: 'id', quantity: 1 };
// @ts-expect-error null has to be said
export const noCustomer: UpdateCartRequest = {};
// @ts-expect-error no such event type
export const wrongEvent: WebhookSubscriptionRequest = { url: 'https://shop.example.com', event_types: ['order.paid'] };
// @ts-expect-error no such status
export const wrongFilter: ListOrdersQuery = { status: 'OPEN' };
// @ts-expect-error the field is called expected_total
export const wrongTotal: CheckoutRequest = { expectedTotal: 2093 };

// Operations are named as in the interface document.
export const addItem: OperationName = 'POST /carts/{cart_id}/items';
// @ts-expect-error no such endpoint
export const wrongOperation: OperationName = 'POST /carts/{cartId}/items';
