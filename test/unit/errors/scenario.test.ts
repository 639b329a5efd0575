import { expect, test } from 'vitest';
import { scenarioOf } from '../../../src/errors/scenario.js';

const of = (status: number, message: string | null, detail: string | null = null, hasChangeReasons = false) =>
  scenarioOf({ status, message, detail, hasChangeReasons });

/** Every row of the table "Errors" of the interface document. */
test.each([
  [400, 'Request validation failed', 'validation_failed'],
  [400, 'Malformed JSON in request body', 'malformed_json'],
  [400, 'Missing required field: location_id', 'missing_field'],
  [400, 'Invalid parameter format', 'invalid_parameter'],
  [401, 'Missing authorization header', 'missing_authorization'],
  [401, 'Invalid or expired access token', 'invalid_token'],
  [401, 'Invalid client credentials', 'invalid_credentials'],
  [401, 'Malformed authorization header', 'malformed_authorization'],
  [403, 'Insufficient permissions', 'insufficient_permissions'],
  [403, 'Location not in partner scope', 'location_not_in_scope'],
  [403, 'Resource belongs to another partner', 'foreign_resource'],
  [404, 'Cart not found', 'cart_not_found'],
  [404, 'Order not found', 'order_not_found'],
  [404, 'Location not found', 'location_not_found'],
  [404, 'Menu item not found', 'menu_item_not_found'],
  [404, 'Cart item not found', 'cart_item_not_found'],
  [409, 'Cart has already been checked out', 'cart_already_checked_out'],
  [409, 'Idempotency key conflict', 'idempotency_key_reused'],
  [409, 'Promo code already applied', 'promo_already_applied'],
  [409, 'Expected total mismatch', 'expected_total_mismatch'],
  [409, 'Duplicate webhook subscription', 'duplicate_webhook_subscription'],
  [409, 'Order cannot be cancelled', 'order_not_cancellable'],
  [409, 'Order is already being prepared', 'order_not_cancellable'],
  [422, 'Modifier validation failed', 'modifier_validation_failed'],
  [422, 'Item is not available', 'item_unavailable'],
  [422, 'Quantity exceeds limit', 'quantity_limit'],
  [422, 'Cart is empty', 'cart_empty'],
  [422, 'Missing handoff mode', 'handoff_missing'],
  [422, 'Payment declined', 'payment_declined'],
  [422, 'Refund exceeds refundable balance', 'refund_exceeds_balance'],
  [422, 'Payment required', 'payment_required'],
  [422, 'Invalid tender for item', 'invalid_tender'],
  [422, 'Invalid delivery address', 'invalid_delivery_address'],
  [422, 'Promo code not recognized', 'promo_not_recognized'],
  [422, 'Promo code expired', 'promo_expired'],
  [422, 'Promo code has expired', 'promo_expired'],
  [422, 'Promo code already used', 'promo_already_used'],
  [422, 'Promo code minimum not met', 'promo_minimum_not_met'],
  [422, 'Minimum order amount not met for promo code', 'promo_minimum_not_met'],
  [422, 'Promo code not applicable', 'promo_not_applicable'],
  [422, 'Customer ID too long', 'customer_id_too_long'],
  [422, 'Invalid customer ID format', 'customer_id_invalid'],
  [422, 'Below minimum order amount', 'below_minimum_order'],
  [422, 'Payment method not allowed for restricted items in cart', 'tender_not_allowed'],
  [422, 'Location is not available for online ordering', 'location_not_orderable'],
  [429, 'Rate limit exceeded', 'rate_limited'],
  [429, 'Too many token requests', 'too_many_token_requests'],
  [500, 'An unexpected error occurred', 'unexpected_error'],
  [500, 'Service temporarily unavailable', 'service_unavailable'],
])('%i "%s" is %s', (status, message, scenario) => {
  expect(of(status, message)).toBe(scenario);
  expect(of(status, message.toUpperCase())).toBe(scenario);
});

test.each([
  ['Cart has already been checked out', 'The cart is ABANDONED.', 'cart_abandoned'],
  ['Cart has been abandoned', null, 'cart_abandoned'],
  ['Cart is not active', 'The cart was abandoned at noon.', 'cart_abandoned'],
  ['Cart has already been checked out', 'The cart is CHECKED_OUT.', 'cart_already_checked_out'],
  ['Cart has already been checked out', 'The cart is CHECKED_OUT or ABANDONED.', 'cart_already_checked_out'],
  ['Cart is not active', null, 'cart_already_checked_out'],
])('409 "%s" with the detail "%s" is %s', (message, detail, scenario) => {
  expect(of(409, message, detail)).toBe(scenario);
});

test('change reasons make a 409 a mismatch of the expected total, whatever its text', () => {
  expect(of(409, 'Conflict', null, true)).toBe('expected_total_mismatch');
  expect(of(422, 'Conflict', null, true)).toBe('unknown');
});

test('a text that tells nothing is looked for in the detail', () => {
  expect(of(404, 'Resource not found', 'Cart 12 does not exist')).toBe('cart_not_found');
  expect(of(422, 'Unprocessable', 'The card was declined by the issuer')).toBe('payment_declined');
});

test('the message wins over the detail', () => {
  expect(of(422, 'Payment declined', 'Quantity of retries exceeded')).toBe('payment_declined');
});

test.each([
  [400, null, 'unknown'],
  [409, 'Whatever', 'unknown'],
  [418, 'Cart is empty', 'unknown'],
  [502, 'Bad gateway', 'unknown'],
  [503, null, 'service_unavailable'],
  [429, null, 'rate_limited'],
])('%i %j is %s', (status, message, scenario) => {
  expect(of(status, message)).toBe(scenario);
});

test('a very long text is decided quickly', () => {
  const before = process.cpuUsage();
  of(422, `promo ${'a'.repeat(5_000_000)} expired`);
  of(422, 'customer id '.repeat(500_000));

  expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
});
