// Made by build/contract-checks.ts from the schemas in src/contract; `npm run compile:contract` makes it again.
import type { OperationName } from '../../contract/index.js';
import {
  areShortInstructions,
  ISO_DATE_TIME,
  isHttpsAddress,
  isInstant,
  missingFieldsOfMode,
} from '../../contract/schemas/rules.js';
import { type Check, hasOnly, isAnything, isArrayOf, isObject, isRecordOf, noted } from './check-parts.js';

const PATTERN_1 = /^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$/;
const PATTERN_2 = /^[A-Za-z0-9_-]{1,255}$/;
const PATTERN_3 = /\S/;
const PATTERN_4 = /^[A-Za-z]{2}$/;

/** Of each endpoint, whether a body fits its schema. */
export const compiledChecks: Readonly<Record<OperationName, { readonly request?: Check; readonly response?: Check }>> =
  {
    'POST /auth/token': { request: isTokenRequest, response: isTokenResponse },
    'GET /locations': { response: isGETLocationsResponse },
    'GET /locations/{location_id}': { response: isLocation },
    'GET /locations/{location_id}/inventory': { response: isGETLocationsLocationIdInventoryResponse },
    'GET /locations/{location_id}/menu': { response: isMenu },
    'GET /locations/{location_id}/menu/metadata': { response: isMenuMetadata },
    'POST /carts': { request: isCreateCartRequest, response: isCreatedCart },
    'GET /carts/{cart_id}': { response: isCart },
    'PATCH /carts/{cart_id}': { request: isUpdateCartRequest, response: isCart },
    'DELETE /carts/{cart_id}': {},
    'POST /carts/{cart_id}/items': { request: isCartItemRequest, response: isCart },
    'PUT /carts/{cart_id}/items/{item_id}': { request: isCartItemRequest, response: isCart },
    'DELETE /carts/{cart_id}/items/{item_id}': { response: isCart },
    'POST /carts/{cart_id}/calculate': { response: isPriceCalculation },
    'PUT /carts/{cart_id}/handoff': {
      request: (value) =>
        isPUTCartsCartIdHandoffRequest1(value) ||
        isPUTCartsCartIdHandoffRequest2(value) ||
        isPUTCartsCartIdHandoffRequest3(value) ||
        isPUTCartsCartIdHandoffRequest4(value),
      response: isCart,
    },
    'POST /carts/{cart_id}/checkout': {
      request: (value) => value === undefined || isCheckoutRequest(value),
      response: isCheckoutResult,
    },
    'POST /carts/{cart_id}/promo-codes': { request: isApplyPromoCodeRequest, response: isCart },
    'GET /carts/{cart_id}/promo-codes': { response: isAppliedPromoCodeList },
    'GET /carts/{cart_id}/promo-codes/validate': { response: isPromoCodeValidation },
    'DELETE /carts/{cart_id}/promo-codes/{code}': { response: isCart },
    'GET /orders': { response: isGETOrdersResponse },
    'GET /orders/{order_id}': { response: isOrder },
    'POST /orders/{order_id}/cancel': {
      request: (value) => value === undefined || isCancelRequest(value),
      response: isOrder,
    },
    'POST /orders/{order_id}/payments': {
      request: (value) =>
        isPOSTOrdersOrderIdPaymentsRequest1(value) ||
        isPOSTOrdersOrderIdPaymentsRequest2(value) ||
        isPOSTOrdersOrderIdPaymentsRequest3(value) ||
        isPOSTOrdersOrderIdPaymentsRequest4(value),
      response: (value) => isPayment(value) || isOrder(value),
    },
    'POST /orders/{order_id}/refunds': { request: isRefundRequest, response: isRefund },
    'POST /webhooks': { request: isWebhookSubscriptionRequest, response: isWebhookSubscriptionWithSecret },
    'GET /webhooks': { response: isGETWebhooksResponse },
    'DELETE /webhooks/{webhook_id}': {},
  };

function isTokenRequest(value: unknown): boolean {
  return (
    isObject(value) &&
    value.grant_type === 'CLIENT_CREDENTIALS' &&
    typeof value.client_id === 'string' &&
    PATTERN_1.test(value.client_id) &&
    typeof value.client_secret === 'string' &&
    value.client_secret.length >= 1
  );
}

function isOfTokenTypes(value: string): boolean {
  return value === 'BEARER';
}

function isTokenResponse(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.access_token === 'string' &&
    value.access_token.length >= 1 &&
    typeof value.token_type === 'string' &&
    noted(isOfTokenTypes(value.token_type)) &&
    Number.isSafeInteger(value.expires_in)
  );
}

function isLocationAddress(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.street === 'string' &&
    typeof value.city === 'string' &&
    typeof value.state === 'string' &&
    typeof value.postal_code === 'string' &&
    typeof value.country === 'string'
  );
}

function isOfDaysOfWeek(value: string): boolean {
  return (
    value === 'MONDAY' ||
    value === 'TUESDAY' ||
    value === 'WEDNESDAY' ||
    value === 'THURSDAY' ||
    value === 'FRIDAY' ||
    value === 'SATURDAY' ||
    value === 'SUNDAY'
  );
}

function isDayHours(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.day_of_week === 'string' &&
    noted(isOfDaysOfWeek(value.day_of_week)) &&
    typeof value.open_time === 'string' &&
    typeof value.close_time === 'string' &&
    typeof value.is_closed === 'boolean'
  );
}

function isMoney(value: unknown): boolean {
  return (
    isObject(value) &&
    Number.isSafeInteger(value.amount) &&
    typeof value.currency === 'string' &&
    value.currency.length >= 1
  );
}

function isOfHandoffModes(value: string): boolean {
  return value === 'PICKUP' || value === 'CURBSIDE' || value === 'DELIVERY' || value === 'KIOSK';
}

function isLocation(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    typeof value.name === 'string' &&
    isLocationAddress(value.address) &&
    (value.phone === undefined || value.phone === null || typeof value.phone === 'string') &&
    (value.latitude === undefined || value.latitude === null || Number.isFinite(value.latitude)) &&
    (value.longitude === undefined || value.longitude === null || Number.isFinite(value.longitude)) &&
    typeof value.timezone === 'string' &&
    value.timezone.length >= 1 &&
    typeof value.online_ordering_enabled === 'boolean' &&
    (value.default_prep_time_minutes === undefined ||
      value.default_prep_time_minutes === null ||
      Number.isSafeInteger(value.default_prep_time_minutes)) &&
    (value.business_hours === undefined || isArrayOf(value.business_hours, isDayHours)) &&
    (value.minimum_order_amounts === undefined ||
      value.minimum_order_amounts === null ||
      isRecordOf(value.minimum_order_amounts, (item) => item === null || isMoney(item))) &&
    (value.handoff_modes === undefined ||
      isArrayOf(value.handoff_modes, (item) => typeof item === 'string' && noted(isOfHandoffModes(item))))
  );
}

function isGETLocationsResponsePagination(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.has_more === 'boolean' &&
    (value.next_cursor === undefined || value.next_cursor === null || typeof value.next_cursor === 'string')
  );
}

function isGETLocationsResponse(value: unknown): boolean {
  return isObject(value) && isArrayOf(value.data, isLocation) && isGETLocationsResponsePagination(value.pagination);
}

function isOfInventoryStatuses(value: string): boolean {
  return value === 'IN_STOCK' || value === 'LOW_STOCK' || value === 'OUT_OF_STOCK';
}

function isInventoryItem(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.item_id === 'string' &&
    value.item_id.length >= 1 &&
    typeof value.name === 'string' &&
    typeof value.availability_status === 'string' &&
    noted(isOfInventoryStatuses(value.availability_status)) &&
    typeof value.updated_at === 'string' &&
    ISO_DATE_TIME.test(value.updated_at)
  );
}

function isGETLocationsLocationIdInventoryResponse(value: unknown): boolean {
  return (
    isObject(value) && isArrayOf(value.data, isInventoryItem) && isGETLocationsResponsePagination(value.pagination)
  );
}

function isOfTenderRestrictionLevels(value: string): boolean {
  return value === 'NONE' || value === 'RESTRICTED';
}

function isOfTenderTypes(value: string): boolean {
  return (
    value === 'CREDIT_CARD' ||
    value === 'DEBIT_CARD' ||
    value === 'CASH' ||
    value === 'GIFT_CARD' ||
    value === 'LOYALTY_POINTS' ||
    value === 'DIGITAL_WALLET' ||
    value === 'EBT'
  );
}

function isModifierGroupModifiersItemModifierGroupsItemModifiersItemModifierGroupsItemModifiersItem(
  value: unknown,
): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    typeof value.name === 'string' &&
    isMoney(value.price) &&
    (value.available === undefined || typeof value.available === 'boolean') &&
    (value.is_default === undefined || typeof value.is_default === 'boolean') &&
    (value.modifier_groups === undefined || isArrayOf(value.modifier_groups, isAnything))
  );
}

function isModifierGroupModifiersItemModifierGroupsItemModifiersItemModifierGroupsItem(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    typeof value.name === 'string' &&
    Number.isSafeInteger(value.min_selections) &&
    Number.isSafeInteger(value.max_selections) &&
    typeof value.allows_duplicates === 'boolean' &&
    isArrayOf(
      value.modifiers,
      isModifierGroupModifiersItemModifierGroupsItemModifiersItemModifierGroupsItemModifiersItem,
    )
  );
}

function isModifierGroupModifiersItemModifierGroupsItemModifiersItem(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    typeof value.name === 'string' &&
    isMoney(value.price) &&
    (value.available === undefined || typeof value.available === 'boolean') &&
    (value.is_default === undefined || typeof value.is_default === 'boolean') &&
    (value.modifier_groups === undefined ||
      isArrayOf(value.modifier_groups, isModifierGroupModifiersItemModifierGroupsItemModifiersItemModifierGroupsItem))
  );
}

function isModifierGroupModifiersItemModifierGroupsItem(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    typeof value.name === 'string' &&
    Number.isSafeInteger(value.min_selections) &&
    Number.isSafeInteger(value.max_selections) &&
    typeof value.allows_duplicates === 'boolean' &&
    isArrayOf(value.modifiers, isModifierGroupModifiersItemModifierGroupsItemModifiersItem)
  );
}

function isModifierGroupModifiersItem(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    typeof value.name === 'string' &&
    isMoney(value.price) &&
    (value.available === undefined || typeof value.available === 'boolean') &&
    (value.is_default === undefined || typeof value.is_default === 'boolean') &&
    (value.modifier_groups === undefined ||
      isArrayOf(value.modifier_groups, isModifierGroupModifiersItemModifierGroupsItem))
  );
}

function isModifierGroup(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    typeof value.name === 'string' &&
    Number.isSafeInteger(value.min_selections) &&
    Number.isSafeInteger(value.max_selections) &&
    typeof value.allows_duplicates === 'boolean' &&
    isArrayOf(value.modifiers, isModifierGroupModifiersItem)
  );
}

function isMenuItem(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    typeof value.name === 'string' &&
    typeof value.description === 'string' &&
    isMoney(value.base_price) &&
    typeof value.available === 'boolean' &&
    typeof value.age_verification_required === 'boolean' &&
    (value.minimum_age === null || Number.isSafeInteger(value.minimum_age)) &&
    (value.max_allowed_quantity === null || Number.isSafeInteger(value.max_allowed_quantity)) &&
    (value.tender_restriction_level === null ||
      (typeof value.tender_restriction_level === 'string' &&
        noted(isOfTenderRestrictionLevels(value.tender_restriction_level)))) &&
    (value.allowed_tenders === null ||
      isArrayOf(value.allowed_tenders, (item) => typeof item === 'string' && noted(isOfTenderTypes(item)))) &&
    (value.non_discountable === undefined || typeof value.non_discountable === 'boolean') &&
    (value.daily_sales_start_time === null || typeof value.daily_sales_start_time === 'string') &&
    (value.daily_sales_end_time === null || typeof value.daily_sales_end_time === 'string') &&
    (value.modifier_groups === undefined || isArrayOf(value.modifier_groups, isModifierGroup))
  );
}

function isMenuCategory(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    typeof value.name === 'string' &&
    (value.description === undefined || value.description === null || typeof value.description === 'string') &&
    Number.isSafeInteger(value.sort_order) &&
    isArrayOf(value.items, isMenuItem)
  );
}

function isMenu(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.location_id === 'string' &&
    value.location_id.length >= 1 &&
    typeof value.last_modified === 'string' &&
    ISO_DATE_TIME.test(value.last_modified) &&
    typeof value.version_hash === 'string' &&
    value.version_hash.length >= 1 &&
    isArrayOf(value.categories, isMenuCategory)
  );
}

function isMenuMetadata(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.location_id === 'string' &&
    value.location_id.length >= 1 &&
    typeof value.last_modified === 'string' &&
    ISO_DATE_TIME.test(value.last_modified) &&
    typeof value.version_hash === 'string' &&
    value.version_hash.length >= 1
  );
}

function isCreateCartRequest(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.location_id === 'string' &&
    PATTERN_1.test(value.location_id) &&
    (value.customer_id === undefined ||
      value.customer_id === null ||
      (typeof value.customer_id === 'string' && PATTERN_2.test(value.customer_id)))
  );
}

function isOfCartStatuses(value: string): boolean {
  return value === 'ACTIVE' || value === 'CHECKED_OUT' || value === 'ABANDONED';
}

function isModifierSelectionNestedSelectionsItemNestedSelectionsItem(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.modifier_group_id === 'string' &&
    value.modifier_group_id.length >= 1 &&
    typeof value.modifier_id === 'string' &&
    value.modifier_id.length >= 1 &&
    Number.isSafeInteger(value.quantity) &&
    isArrayOf(value.nested_selections, isAnything)
  );
}

function isModifierSelectionNestedSelectionsItem(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.modifier_group_id === 'string' &&
    value.modifier_group_id.length >= 1 &&
    typeof value.modifier_id === 'string' &&
    value.modifier_id.length >= 1 &&
    Number.isSafeInteger(value.quantity) &&
    isArrayOf(value.nested_selections, isModifierSelectionNestedSelectionsItemNestedSelectionsItem)
  );
}

function isModifierSelection(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.modifier_group_id === 'string' &&
    value.modifier_group_id.length >= 1 &&
    typeof value.modifier_id === 'string' &&
    value.modifier_id.length >= 1 &&
    Number.isSafeInteger(value.quantity) &&
    isArrayOf(value.nested_selections, isModifierSelectionNestedSelectionsItem)
  );
}

function isCartItem(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    typeof value.menu_item_id === 'string' &&
    value.menu_item_id.length >= 1 &&
    typeof value.name === 'string' &&
    Number.isSafeInteger(value.quantity) &&
    isMoney(value.base_price) &&
    isMoney(value.modifier_total) &&
    isMoney(value.item_total) &&
    (value.special_instructions === null || typeof value.special_instructions === 'string') &&
    isArrayOf(value.modifier_selections, isModifierSelection) &&
    typeof value.age_verification_required === 'boolean' &&
    (value.minimum_age === null || Number.isSafeInteger(value.minimum_age))
  );
}

function isHandoffModeDeliveryAddress(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.street === 'string' &&
    typeof value.city === 'string' &&
    typeof value.state === 'string' &&
    typeof value.postal_code === 'string' &&
    (value.country === undefined || typeof value.country === 'string')
  );
}

function isHandoffMode(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.mode === 'string' &&
    value.mode.length >= 1 &&
    (value.pickup_time === undefined || value.pickup_time === null || typeof value.pickup_time === 'string') &&
    (value.vehicle_make === undefined || value.vehicle_make === null || typeof value.vehicle_make === 'string') &&
    (value.vehicle_model === undefined || value.vehicle_model === null || typeof value.vehicle_model === 'string') &&
    (value.vehicle_color === undefined || value.vehicle_color === null || typeof value.vehicle_color === 'string') &&
    (value.delivery_address === undefined ||
      value.delivery_address === null ||
      isHandoffModeDeliveryAddress(value.delivery_address)) &&
    (value.delivery_instructions === undefined ||
      value.delivery_instructions === null ||
      typeof value.delivery_instructions === 'string') &&
    (value.kiosk_id === undefined || value.kiosk_id === null || typeof value.kiosk_id === 'string') &&
    missingFieldsOfMode(value).length === 0 &&
    noted(isOfHandoffModes(value.mode as string))
  );
}

function isOfPromoCodeStatuses(value: string): boolean {
  return value === 'ACTIVE' || value === 'EXPIRED' || value === 'REDEEMED';
}

function isDiscountPreview(value: unknown): boolean {
  return (
    isObject(value) &&
    isMoney(value.estimated_discount) &&
    typeof value.description === 'string' &&
    (value.applicable_items === undefined || isArrayOf(value.applicable_items, (item) => typeof item === 'string'))
  );
}

function isAppliedPromoCode(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.code === 'string' &&
    typeof value.status === 'string' &&
    noted(isOfPromoCodeStatuses(value.status)) &&
    (value.discount_preview === undefined ||
      value.discount_preview === null ||
      isDiscountPreview(value.discount_preview)) &&
    typeof value.applied_at === 'string' &&
    ISO_DATE_TIME.test(value.applied_at)
  );
}

function isOfFeeTypes(value: string): boolean {
  return value === 'DELIVERY' || value === 'SERVICE' || value === 'BAG' || value === 'SMALL_ORDER';
}

function isFee(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.type === 'string' &&
    noted(isOfFeeTypes(value.type)) &&
    (value.name === undefined || typeof value.name === 'string') &&
    isMoney(value.amount)
  );
}

function isCreatedCart(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    typeof value.location_id === 'string' &&
    value.location_id.length >= 1 &&
    typeof value.status === 'string' &&
    noted(isOfCartStatuses(value.status)) &&
    isArrayOf(value.items, isCartItem) &&
    (value.handoff_mode === null || isHandoffMode(value.handoff_mode)) &&
    typeof value.age_verification_required === 'boolean' &&
    isMoney(value.subtotal) &&
    isMoney(value.total_tax) &&
    isMoney(value.total_discount) &&
    isMoney(value.total) &&
    typeof value.created_at === 'string' &&
    ISO_DATE_TIME.test(value.created_at) &&
    typeof value.updated_at === 'string' &&
    ISO_DATE_TIME.test(value.updated_at) &&
    (value.customer_id === undefined || value.customer_id === null || typeof value.customer_id === 'string') &&
    (value.promo_codes === undefined || isArrayOf(value.promo_codes, isAppliedPromoCode)) &&
    (value.fees === undefined || isArrayOf(value.fees, isFee)) &&
    (value.total_fees === undefined || isMoney(value.total_fees))
  );
}

function isCart(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    typeof value.location_id === 'string' &&
    value.location_id.length >= 1 &&
    (value.customer_id === null || typeof value.customer_id === 'string') &&
    typeof value.status === 'string' &&
    noted(isOfCartStatuses(value.status)) &&
    isArrayOf(value.items, isCartItem) &&
    (value.handoff_mode === null || isHandoffMode(value.handoff_mode)) &&
    typeof value.age_verification_required === 'boolean' &&
    isArrayOf(value.promo_codes, isAppliedPromoCode) &&
    isMoney(value.subtotal) &&
    isMoney(value.total_tax) &&
    isMoney(value.total_discount) &&
    isArrayOf(value.fees, isFee) &&
    isMoney(value.total_fees) &&
    isMoney(value.total) &&
    typeof value.created_at === 'string' &&
    ISO_DATE_TIME.test(value.created_at) &&
    typeof value.updated_at === 'string' &&
    ISO_DATE_TIME.test(value.updated_at)
  );
}

function isUpdateCartRequest(value: unknown): boolean {
  return (
    isObject(value) &&
    (value.customer_id === null || (typeof value.customer_id === 'string' && PATTERN_2.test(value.customer_id)))
  );
}

function isModifierSelectionRequestNestedSelectionsItemNestedSelectionsItem(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.modifier_group_id === 'string' &&
    PATTERN_1.test(value.modifier_group_id) &&
    typeof value.modifier_id === 'string' &&
    PATTERN_1.test(value.modifier_id) &&
    (value.quantity === undefined || (Number.isSafeInteger(value.quantity) && (value.quantity as number) >= 1)) &&
    (value.nested_selections === undefined ||
      (isArrayOf(value.nested_selections, isAnything) && value.nested_selections.length <= 0))
  );
}

function isModifierSelectionRequestNestedSelectionsItem(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.modifier_group_id === 'string' &&
    PATTERN_1.test(value.modifier_group_id) &&
    typeof value.modifier_id === 'string' &&
    PATTERN_1.test(value.modifier_id) &&
    (value.quantity === undefined || (Number.isSafeInteger(value.quantity) && (value.quantity as number) >= 1)) &&
    (value.nested_selections === undefined ||
      isArrayOf(value.nested_selections, isModifierSelectionRequestNestedSelectionsItemNestedSelectionsItem))
  );
}

function isModifierSelectionRequest(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.modifier_group_id === 'string' &&
    PATTERN_1.test(value.modifier_group_id) &&
    typeof value.modifier_id === 'string' &&
    PATTERN_1.test(value.modifier_id) &&
    (value.quantity === undefined || (Number.isSafeInteger(value.quantity) && (value.quantity as number) >= 1)) &&
    (value.nested_selections === undefined ||
      isArrayOf(value.nested_selections, isModifierSelectionRequestNestedSelectionsItem))
  );
}

function isCartItemRequest(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.menu_item_id === 'string' &&
    PATTERN_1.test(value.menu_item_id) &&
    Number.isSafeInteger(value.quantity) &&
    (value.quantity as number) >= 1 &&
    isArrayOf(value.modifier_selections, isModifierSelectionRequest) &&
    (value.special_instructions === undefined ||
      value.special_instructions === null ||
      (typeof value.special_instructions === 'string' && areShortInstructions(value.special_instructions)))
  );
}

function isOfDiscountTypes(value: string): boolean {
  return value === 'PERCENTAGE' || value === 'FIXED';
}

function isOfDiscountSources(value: string): boolean {
  return value === 'PROMO_CODE' || value === 'AUTOMATIC' || value === 'LOYALTY_REWARD' || value === 'MANUAL';
}

function isOfDiscountScopes(value: string): boolean {
  return value === 'PRE_TAX';
}

function isDiscountLineItem(value: unknown): boolean {
  return (
    isObject(value) &&
    (value.id === undefined || typeof value.id === 'string') &&
    typeof value.name === 'string' &&
    typeof value.type === 'string' &&
    noted(isOfDiscountTypes(value.type)) &&
    typeof value.value === 'string' &&
    isMoney(value.amount) &&
    typeof value.source === 'string' &&
    noted(isOfDiscountSources(value.source)) &&
    (value.application_scope === undefined ||
      (typeof value.application_scope === 'string' && noted(isOfDiscountScopes(value.application_scope))))
  );
}

function isPriceLineItem(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.cart_item_id === 'string' &&
    value.cart_item_id.length >= 1 &&
    typeof value.menu_item_id === 'string' &&
    value.menu_item_id.length >= 1 &&
    typeof value.name === 'string' &&
    Number.isSafeInteger(value.quantity) &&
    isMoney(value.base_price) &&
    isMoney(value.modifier_total) &&
    (value.discounts === undefined || isArrayOf(value.discounts, isDiscountLineItem)) &&
    isMoney(value.item_subtotal) &&
    isMoney(value.item_tax) &&
    isMoney(value.item_total)
  );
}

function isPriceCalculation(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.cart_id === 'string' &&
    value.cart_id.length >= 1 &&
    typeof value.currency === 'string' &&
    isArrayOf(value.line_items, isPriceLineItem) &&
    isArrayOf(value.discounts, isDiscountLineItem) &&
    isArrayOf(value.fees, isFee) &&
    isMoney(value.subtotal) &&
    isMoney(value.total_tax) &&
    isMoney(value.total_fees) &&
    isMoney(value.total_discount) &&
    isMoney(value.taxable_amount) &&
    isMoney(value.total) &&
    typeof value.age_verification_required === 'boolean' &&
    typeof value.calculated_at === 'string' &&
    ISO_DATE_TIME.test(value.calculated_at) &&
    typeof value.member_pricing_applied === 'boolean'
  );
}

function isPUTCartsCartIdHandoffRequest1(value: unknown): boolean {
  return (
    isObject(value) &&
    value.mode === 'PICKUP' &&
    (value.pickup_time === undefined ||
      value.pickup_time === null ||
      (typeof value.pickup_time === 'string' && isInstant(value.pickup_time))) &&
    hasOnly(value, ['mode', 'pickup_time'])
  );
}

function isPUTCartsCartIdHandoffRequest2(value: unknown): boolean {
  return (
    isObject(value) &&
    value.mode === 'CURBSIDE' &&
    typeof value.vehicle_make === 'string' &&
    PATTERN_3.test(value.vehicle_make) &&
    typeof value.vehicle_model === 'string' &&
    PATTERN_3.test(value.vehicle_model) &&
    typeof value.vehicle_color === 'string' &&
    PATTERN_3.test(value.vehicle_color) &&
    (value.pickup_time === undefined ||
      value.pickup_time === null ||
      (typeof value.pickup_time === 'string' && isInstant(value.pickup_time))) &&
    hasOnly(value, ['mode', 'vehicle_make', 'vehicle_model', 'vehicle_color', 'pickup_time'])
  );
}

function isDeliveryAddressRequest(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.street === 'string' &&
    PATTERN_3.test(value.street) &&
    typeof value.city === 'string' &&
    PATTERN_3.test(value.city) &&
    typeof value.state === 'string' &&
    PATTERN_4.test(value.state) &&
    typeof value.postal_code === 'string' &&
    PATTERN_3.test(value.postal_code) &&
    (value.country === undefined || (typeof value.country === 'string' && PATTERN_4.test(value.country))) &&
    hasOnly(value, ['street', 'city', 'state', 'postal_code', 'country'])
  );
}

function isPUTCartsCartIdHandoffRequest3(value: unknown): boolean {
  return (
    isObject(value) &&
    value.mode === 'DELIVERY' &&
    isDeliveryAddressRequest(value.delivery_address) &&
    (value.delivery_instructions === undefined ||
      value.delivery_instructions === null ||
      typeof value.delivery_instructions === 'string') &&
    hasOnly(value, ['mode', 'delivery_address', 'delivery_instructions'])
  );
}

function isPUTCartsCartIdHandoffRequest4(value: unknown): boolean {
  return (
    isObject(value) &&
    value.mode === 'KIOSK' &&
    (value.kiosk_id === undefined || value.kiosk_id === null || typeof value.kiosk_id === 'string') &&
    hasOnly(value, ['mode', 'kiosk_id'])
  );
}

function isCheckoutRequest(value: unknown): boolean {
  return (
    isObject(value) &&
    (value.handoff_mode === undefined ||
      isPUTCartsCartIdHandoffRequest1(value.handoff_mode) ||
      isPUTCartsCartIdHandoffRequest2(value.handoff_mode) ||
      isPUTCartsCartIdHandoffRequest3(value.handoff_mode) ||
      isPUTCartsCartIdHandoffRequest4(value.handoff_mode)) &&
    (value.expected_total === undefined ||
      (Number.isSafeInteger(value.expected_total) && (value.expected_total as number) >= 0))
  );
}

function isOfOrderStatuses(value: string): boolean {
  return (
    value === 'PENDING' ||
    value === 'CONFIRMED' ||
    value === 'COMPLETED' ||
    value === 'FAILED' ||
    value === 'VOIDED' ||
    value === 'CANCELLED'
  );
}

function isCheckoutResult(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.order_id === 'string' &&
    value.order_id.length >= 1 &&
    typeof value.cart_id === 'string' &&
    value.cart_id.length >= 1 &&
    typeof value.status === 'string' &&
    noted(isOfOrderStatuses(value.status)) &&
    typeof value.handoff_mode === 'string' &&
    noted(isOfHandoffModes(value.handoff_mode)) &&
    isMoney(value.subtotal) &&
    isMoney(value.total_tax) &&
    isMoney(value.total_discount) &&
    isMoney(value.total) &&
    typeof value.age_verification_required === 'boolean' &&
    (value.age_verification_notice === null || typeof value.age_verification_notice === 'string') &&
    typeof value.created_at === 'string' &&
    ISO_DATE_TIME.test(value.created_at)
  );
}

function isApplyPromoCodeRequest(value: unknown): boolean {
  return isObject(value) && typeof value.code === 'string' && PATTERN_3.test(value.code);
}

function isAppliedPromoCodeList(value: unknown): boolean {
  return isObject(value) && isArrayOf(value.data, isAppliedPromoCode);
}

function isOfPromoRejectionReasons(value: string): boolean {
  return (
    value === 'INVALID_CODE' ||
    value === 'EXPIRED' ||
    value === 'ALREADY_USED' ||
    value === 'MINIMUM_NOT_MET' ||
    value === 'NOT_APPLICABLE' ||
    value === 'ALREADY_APPLIED'
  );
}

function isPromoCodeValidation(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.code === 'string' &&
    typeof value.valid === 'boolean' &&
    (value.discount_preview === undefined ||
      value.discount_preview === null ||
      isDiscountPreview(value.discount_preview)) &&
    (value.rejection_reason === undefined ||
      value.rejection_reason === null ||
      (typeof value.rejection_reason === 'string' && noted(isOfPromoRejectionReasons(value.rejection_reason)))) &&
    (value.rejection_message === undefined ||
      value.rejection_message === null ||
      typeof value.rejection_message === 'string')
  );
}

function isOfPaymentStatuses(value: string): boolean {
  return value === 'UNPAID' || value === 'PROCESSING' || value === 'PARTIALLY_PAID' || value === 'PAID';
}

function isOfFulfillmentStatuses(value: string): boolean {
  return (
    value === 'PENDING' ||
    value === 'IN_PROGRESS' ||
    value === 'PREPARING' ||
    value === 'READY_FOR_PICKUP' ||
    value === 'FULFILLED' ||
    value === 'DELIVERED' ||
    value === 'RETURNED' ||
    value === 'CANCELLED'
  );
}

function isOrderSummary(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    (value.cart_id === undefined || (typeof value.cart_id === 'string' && value.cart_id.length >= 1)) &&
    typeof value.location_id === 'string' &&
    value.location_id.length >= 1 &&
    (value.customer_id === undefined || value.customer_id === null || typeof value.customer_id === 'string') &&
    typeof value.status === 'string' &&
    noted(isOfOrderStatuses(value.status)) &&
    typeof value.payment_status === 'string' &&
    noted(isOfPaymentStatuses(value.payment_status)) &&
    typeof value.fulfillment_status === 'string' &&
    noted(isOfFulfillmentStatuses(value.fulfillment_status)) &&
    (value.handoff_mode === undefined ||
      (typeof value.handoff_mode === 'string' && noted(isOfHandoffModes(value.handoff_mode)))) &&
    (value.subtotal === undefined || isMoney(value.subtotal)) &&
    (value.total_tax === undefined || isMoney(value.total_tax)) &&
    (value.total_fees === undefined || isMoney(value.total_fees)) &&
    (value.total_discount === undefined || isMoney(value.total_discount)) &&
    isMoney(value.total) &&
    (value.balance_due === undefined || isMoney(value.balance_due) || Number.isSafeInteger(value.balance_due)) &&
    (value.amount_paid === undefined || isMoney(value.amount_paid) || Number.isSafeInteger(value.amount_paid)) &&
    (value.amount_refunded === undefined ||
      isMoney(value.amount_refunded) ||
      Number.isSafeInteger(value.amount_refunded)) &&
    (value.age_verification_required === undefined || typeof value.age_verification_required === 'boolean') &&
    (value.age_verification_notice === undefined ||
      value.age_verification_notice === null ||
      typeof value.age_verification_notice === 'string') &&
    (value.cancellation_reason === undefined ||
      value.cancellation_reason === null ||
      typeof value.cancellation_reason === 'string') &&
    (value.estimated_ready_at === undefined ||
      value.estimated_ready_at === null ||
      (typeof value.estimated_ready_at === 'string' && ISO_DATE_TIME.test(value.estimated_ready_at))) &&
    typeof value.created_at === 'string' &&
    ISO_DATE_TIME.test(value.created_at) &&
    (value.updated_at === undefined || (typeof value.updated_at === 'string' && ISO_DATE_TIME.test(value.updated_at)))
  );
}

function isGETOrdersResponse(value: unknown): boolean {
  return isObject(value) && isArrayOf(value.data, isOrderSummary) && isGETLocationsResponsePagination(value.pagination);
}

function isOrderLineItem(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    typeof value.menu_item_id === 'string' &&
    value.menu_item_id.length >= 1 &&
    typeof value.name === 'string' &&
    Number.isSafeInteger(value.quantity) &&
    isMoney(value.base_price) &&
    isMoney(value.modifier_total) &&
    (value.discounts === undefined || isArrayOf(value.discounts, isDiscountLineItem)) &&
    (value.item_subtotal === undefined || isMoney(value.item_subtotal)) &&
    (value.item_tax === undefined || isMoney(value.item_tax)) &&
    isMoney(value.item_total) &&
    (value.special_instructions === undefined ||
      value.special_instructions === null ||
      typeof value.special_instructions === 'string') &&
    (value.modifier_selections === undefined || isArrayOf(value.modifier_selections, isModifierSelection)) &&
    (value.age_verification_required === undefined || typeof value.age_verification_required === 'boolean') &&
    (value.minimum_age === undefined || value.minimum_age === null || Number.isSafeInteger(value.minimum_age))
  );
}

function isOfPaymentRecordStatuses(value: string): boolean {
  return (
    value === 'PENDING' ||
    value === 'AUTHORIZED' ||
    value === 'CAPTURED' ||
    value === 'COMPLETED' ||
    value === 'FAILED' ||
    value === 'VOIDED' ||
    value === 'REFUNDED'
  );
}

function isPayment(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    (value.order_id === undefined || (typeof value.order_id === 'string' && value.order_id.length >= 1)) &&
    typeof value.payment_method === 'string' &&
    noted(isOfTenderTypes(value.payment_method)) &&
    (isMoney(value.amount) || Number.isSafeInteger(value.amount)) &&
    typeof value.status === 'string' &&
    noted(isOfPaymentRecordStatuses(value.status)) &&
    (value.amount_refunded === undefined ||
      isMoney(value.amount_refunded) ||
      Number.isSafeInteger(value.amount_refunded)) &&
    (value.failure_reason === undefined || value.failure_reason === null || typeof value.failure_reason === 'string') &&
    (value.idempotency_key === undefined ||
      value.idempotency_key === null ||
      typeof value.idempotency_key === 'string') &&
    (value.created_at === undefined ||
      (typeof value.created_at === 'string' && ISO_DATE_TIME.test(value.created_at))) &&
    (value.updated_at === undefined || (typeof value.updated_at === 'string' && ISO_DATE_TIME.test(value.updated_at)))
  );
}

function isOfRefundStatuses(value: string): boolean {
  return value === 'PENDING' || value === 'COMPLETED' || value === 'FAILED';
}

function isOfRefundReasons(value: string): boolean {
  return value === 'CUSTOMER_REQUEST';
}

function isRefundLineItem(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.order_item_id === 'string' &&
    value.order_item_id.length >= 1 &&
    Number.isSafeInteger(value.quantity) &&
    (value.amount === undefined || Number.isSafeInteger(value.amount))
  );
}

function isRefundDistribution(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.payment_id === 'string' &&
    value.payment_id.length >= 1 &&
    typeof value.payment_method === 'string' &&
    noted(isOfTenderTypes(value.payment_method)) &&
    (isMoney(value.amount) || Number.isSafeInteger(value.amount))
  );
}

function isRefund(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    (value.order_id === undefined || (typeof value.order_id === 'string' && value.order_id.length >= 1)) &&
    (isMoney(value.amount) || Number.isSafeInteger(value.amount)) &&
    (value.status === undefined || (typeof value.status === 'string' && noted(isOfRefundStatuses(value.status)))) &&
    (value.reason === undefined ||
      value.reason === null ||
      (typeof value.reason === 'string' && noted(isOfRefundReasons(value.reason)))) &&
    (value.line_items === undefined || isArrayOf(value.line_items, isRefundLineItem)) &&
    (value.distributions === undefined || isArrayOf(value.distributions, isRefundDistribution)) &&
    (value.created_at === undefined || (typeof value.created_at === 'string' && ISO_DATE_TIME.test(value.created_at)))
  );
}

function isOrder(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    (value.cart_id === undefined || (typeof value.cart_id === 'string' && value.cart_id.length >= 1)) &&
    typeof value.location_id === 'string' &&
    value.location_id.length >= 1 &&
    (value.customer_id === null || typeof value.customer_id === 'string') &&
    typeof value.status === 'string' &&
    noted(isOfOrderStatuses(value.status)) &&
    typeof value.payment_status === 'string' &&
    noted(isOfPaymentStatuses(value.payment_status)) &&
    typeof value.fulfillment_status === 'string' &&
    noted(isOfFulfillmentStatuses(value.fulfillment_status)) &&
    (value.handoff_mode === undefined ||
      (typeof value.handoff_mode === 'string' && noted(isOfHandoffModes(value.handoff_mode)))) &&
    isMoney(value.subtotal) &&
    isMoney(value.total_tax) &&
    (value.total_fees === undefined || isMoney(value.total_fees)) &&
    isMoney(value.total_discount) &&
    isMoney(value.total) &&
    (isMoney(value.balance_due) || Number.isSafeInteger(value.balance_due)) &&
    (isMoney(value.amount_paid) || Number.isSafeInteger(value.amount_paid)) &&
    (isMoney(value.amount_refunded) || Number.isSafeInteger(value.amount_refunded)) &&
    (value.age_verification_required === undefined || typeof value.age_verification_required === 'boolean') &&
    (value.age_verification_notice === undefined ||
      value.age_verification_notice === null ||
      typeof value.age_verification_notice === 'string') &&
    (value.cancellation_reason === undefined ||
      value.cancellation_reason === null ||
      typeof value.cancellation_reason === 'string') &&
    (value.estimated_ready_at === undefined ||
      value.estimated_ready_at === null ||
      (typeof value.estimated_ready_at === 'string' && ISO_DATE_TIME.test(value.estimated_ready_at))) &&
    typeof value.created_at === 'string' &&
    ISO_DATE_TIME.test(value.created_at) &&
    (value.updated_at === undefined ||
      (typeof value.updated_at === 'string' && ISO_DATE_TIME.test(value.updated_at))) &&
    isHandoffMode(value.handoff) &&
    isArrayOf(value.items, isOrderLineItem) &&
    (value.discounts === undefined || isArrayOf(value.discounts, isDiscountLineItem)) &&
    (value.fees === undefined || isArrayOf(value.fees, isFee)) &&
    (value.promo_codes === undefined || isArrayOf(value.promo_codes, isAppliedPromoCode)) &&
    isArrayOf(value.payments, isPayment) &&
    (value.refunds === undefined || isArrayOf(value.refunds, isRefund))
  );
}

function isCancelRequest(value: unknown): boolean {
  return isObject(value) && (value.reason === undefined || value.reason === null || typeof value.reason === 'string');
}

function isPOSTOrdersOrderIdPaymentsRequest1(value: unknown): boolean {
  return (
    isObject(value) &&
    (value.payment_method === 'CREDIT_CARD' ||
      value.payment_method === 'DEBIT_CARD' ||
      value.payment_method === 'DIGITAL_WALLET' ||
      value.payment_method === 'EBT') &&
    Number.isSafeInteger(value.amount) &&
    (value.amount as number) >= 0 &&
    (value.payment_token === undefined || typeof value.payment_token === 'string')
  );
}

function isPOSTOrdersOrderIdPaymentsRequest2(value: unknown): boolean {
  return (
    isObject(value) &&
    value.payment_method === 'GIFT_CARD' &&
    Number.isSafeInteger(value.amount) &&
    (value.amount as number) >= 0 &&
    (value.gift_card_number === undefined || typeof value.gift_card_number === 'string') &&
    (value.gift_card_pin === undefined || typeof value.gift_card_pin === 'string')
  );
}

function isPOSTOrdersOrderIdPaymentsRequest3(value: unknown): boolean {
  return (
    isObject(value) &&
    value.payment_method === 'LOYALTY_POINTS' &&
    Number.isSafeInteger(value.amount) &&
    (value.amount as number) >= 0 &&
    (value.loyalty_account_id === undefined || typeof value.loyalty_account_id === 'string')
  );
}

function isPOSTOrdersOrderIdPaymentsRequest4(value: unknown): boolean {
  return (
    isObject(value) &&
    value.payment_method === 'CASH' &&
    Number.isSafeInteger(value.amount) &&
    (value.amount as number) >= 0
  );
}

function isRefundRequestLineItemsItem(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.order_item_id === 'string' &&
    value.order_item_id.length >= 1 &&
    Number.isSafeInteger(value.quantity) &&
    (value.quantity as number) >= 1 &&
    (value.amount === undefined || (Number.isSafeInteger(value.amount) && (value.amount as number) >= 0))
  );
}

function isRefundRequest(value: unknown): boolean {
  return (
    isObject(value) &&
    Number.isSafeInteger(value.amount) &&
    (value.amount as number) >= 0 &&
    (value.reason === undefined || (typeof value.reason === 'string' && noted(isOfRefundReasons(value.reason)))) &&
    (value.line_items === undefined || isArrayOf(value.line_items, isRefundRequestLineItemsItem))
  );
}

function isWebhookSubscriptionRequest(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.url === 'string' &&
    isHttpsAddress(value.url) &&
    isArrayOf(
      value.event_types,
      (item) =>
        item === 'order.created' ||
        item === 'order.status_changed' ||
        item === 'order.cancelled' ||
        item === 'stock.updated' ||
        item === 'menu.changed' ||
        item === 'location.hours_changed',
    ) &&
    value.event_types.length >= 1
  );
}

function isOfWebhookEventTypes(value: string): boolean {
  return (
    value === 'order.created' ||
    value === 'order.status_changed' ||
    value === 'order.cancelled' ||
    value === 'stock.updated' ||
    value === 'menu.changed' ||
    value === 'location.hours_changed'
  );
}

function isOfWebhookSubscriptionStatuses(value: string): boolean {
  return value === 'ACTIVE' || value === 'DISABLED';
}

function isWebhookSubscriptionWithSecret(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    typeof value.url === 'string' &&
    value.url.length >= 1 &&
    isArrayOf(value.event_types, (item) => typeof item === 'string' && noted(isOfWebhookEventTypes(item))) &&
    typeof value.status === 'string' &&
    noted(isOfWebhookSubscriptionStatuses(value.status)) &&
    typeof value.created_at === 'string' &&
    ISO_DATE_TIME.test(value.created_at) &&
    typeof value.signing_secret === 'string' &&
    value.signing_secret.length >= 1
  );
}

function isWebhookSubscription(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length >= 1 &&
    typeof value.url === 'string' &&
    value.url.length >= 1 &&
    isArrayOf(value.event_types, (item) => typeof item === 'string' && noted(isOfWebhookEventTypes(item))) &&
    typeof value.status === 'string' &&
    noted(isOfWebhookSubscriptionStatuses(value.status)) &&
    typeof value.created_at === 'string' &&
    ISO_DATE_TIME.test(value.created_at)
  );
}

function isGETWebhooksResponse(value: unknown): boolean {
  return (
    isObject(value) &&
    isArrayOf(value.data, isWebhookSubscription) &&
    isGETLocationsResponsePagination(value.pagination)
  );
}
