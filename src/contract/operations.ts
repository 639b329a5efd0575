import type { z } from 'zod';
import { cartSchema, createCartRequestSchema, createdCartSchema, updateCartRequestSchema } from './cart.js';
import { cartItemRequestSchema } from './cart-item.js';
import { checkoutRequestSchema, checkoutResultSchema } from './checkout.js';
import { handoffModeRequestSchema } from './handoff.js';
import { inventoryItemSchema } from './inventory.js';
import { locationSchema } from './location.js';
import { menuMetadataSchema, menuSchema } from './menu.js';
import { forLooking, once } from './once.js';
import { cancelRequestSchema, orderSchema, orderSummarySchema, paymentAnswerSchema } from './order.js';
import { pageEnvelopeSchema } from './pagination.js';
import { paymentRequestSchema } from './payment.js';
import { priceCalculationSchema } from './price-calculation.js';
import { appliedPromoCodeListSchema, applyPromoCodeRequestSchema, promoCodeValidationSchema } from './promo-code.js';
import { refundRequestSchema, refundSchema } from './refund.js';
import { tokenRequestSchema, tokenResponseSchema } from './token.js';
import {
  webhookSubscriptionRequestSchema,
  webhookSubscriptionSchema,
  webhookSubscriptionWithSecretSchema,
} from './webhook-subscription.js';

/** What one endpoint takes and gives. */
export interface OperationContract {
  /** Schema of the request body; `undefined` when the endpoint takes none. An optional body accepts `undefined`. */
  readonly request?: () => z.ZodType;
  /** Schema of the body of a success; `undefined` when there is none, or none that matters. */
  readonly response?: () => z.ZodType;
}

/** Method and path template of an endpoint, as the interface document writes them. */
export type OperationName =
  | 'POST /auth/token'
  | 'GET /locations'
  | 'GET /locations/{location_id}'
  | 'GET /locations/{location_id}/inventory'
  | 'GET /locations/{location_id}/menu'
  | 'GET /locations/{location_id}/menu/metadata'
  | 'POST /carts'
  | 'GET /carts/{cart_id}'
  | 'PATCH /carts/{cart_id}'
  | 'DELETE /carts/{cart_id}'
  | 'POST /carts/{cart_id}/items'
  | 'PUT /carts/{cart_id}/items/{item_id}'
  | 'DELETE /carts/{cart_id}/items/{item_id}'
  | 'POST /carts/{cart_id}/calculate'
  | 'PUT /carts/{cart_id}/handoff'
  | 'POST /carts/{cart_id}/checkout'
  | 'POST /carts/{cart_id}/promo-codes'
  | 'GET /carts/{cart_id}/promo-codes'
  | 'GET /carts/{cart_id}/promo-codes/validate'
  | 'DELETE /carts/{cart_id}/promo-codes/{code}'
  | 'GET /orders'
  | 'GET /orders/{order_id}'
  | 'POST /orders/{order_id}/cancel'
  | 'POST /orders/{order_id}/payments'
  | 'POST /orders/{order_id}/refunds'
  | 'POST /webhooks'
  | 'GET /webhooks'
  | 'DELETE /webhooks/{webhook_id}';

/**
 * Every endpoint by method and path template, with the schemas of its bodies.
 *
 * @see Interface document, "Endpoints"
 */
export const operations: Readonly<Record<OperationName, OperationContract>> = {
  'POST /auth/token': { request: tokenRequestSchema, response: tokenResponseSchema },

  'GET /locations': { response: pageOf(locationSchema) },
  'GET /locations/{location_id}': { response: locationSchema },
  'GET /locations/{location_id}/inventory': { response: pageOf(inventoryItemSchema) },
  'GET /locations/{location_id}/menu': { response: menuSchema },
  'GET /locations/{location_id}/menu/metadata': { response: menuMetadataSchema },

  'POST /carts': { request: createCartRequestSchema, response: createdCartSchema },
  'GET /carts/{cart_id}': { response: cartSchema },
  'PATCH /carts/{cart_id}': { request: updateCartRequestSchema, response: cartSchema },
  // gap CART-1
  'DELETE /carts/{cart_id}': {},
  'POST /carts/{cart_id}/items': { request: cartItemRequestSchema, response: cartSchema },
  'PUT /carts/{cart_id}/items/{item_id}': { request: cartItemRequestSchema, response: cartSchema },
  'DELETE /carts/{cart_id}/items/{item_id}': { response: cartSchema },
  'POST /carts/{cart_id}/calculate': { response: priceCalculationSchema },
  'PUT /carts/{cart_id}/handoff': { request: handoffModeRequestSchema, response: cartSchema },
  'POST /carts/{cart_id}/checkout': { request: optional(checkoutRequestSchema), response: checkoutResultSchema },
  'POST /carts/{cart_id}/promo-codes': { request: applyPromoCodeRequestSchema, response: cartSchema },
  'GET /carts/{cart_id}/promo-codes': { response: appliedPromoCodeListSchema },
  'GET /carts/{cart_id}/promo-codes/validate': { response: promoCodeValidationSchema },
  'DELETE /carts/{cart_id}/promo-codes/{code}': { response: cartSchema },

  'GET /orders': { response: pageOf(orderSummarySchema) },
  'GET /orders/{order_id}': { response: orderSchema },
  'POST /orders/{order_id}/cancel': { request: optional(cancelRequestSchema), response: orderSchema },
  'POST /orders/{order_id}/payments': { request: paymentRequestSchema, response: paymentAnswerSchema },
  'POST /orders/{order_id}/refunds': { request: refundRequestSchema, response: refundSchema },

  'POST /webhooks': { request: webhookSubscriptionRequestSchema, response: webhookSubscriptionWithSecretSchema },
  'GET /webhooks': { response: pageOf(webhookSubscriptionSchema) },
  // gap HOOK-3
  'DELETE /webhooks/{webhook_id}': {},
};

/**
 * The contract of an endpoint, or `undefined` for one that this package does not know.
 *
 * @param name - Method and path template, such as `POST /carts/{cart_id}/items`.
 */
export function operationContract(name: string): OperationContract | undefined {
  return Object.hasOwn(operations, name) ? operations[name as OperationName] : undefined;
}

function pageOf(item: () => z.ZodType): () => z.ZodType {
  return once(() => pageEnvelopeSchema(item()));
}

function optional(body: () => z.ZodType): () => z.ZodType {
  return once(() => body().optional());
}

export { forLooking };
