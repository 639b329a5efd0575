import type { z } from 'zod';
import type { PageEnvelope } from '../records/pagination.js';
import { cartSchema, createCartRequestSchema, createdCartSchema, updateCartRequestSchema } from './cart.js';
import { cartItemRequestSchema } from './cart-item.js';
import { checkoutRequestSchema, checkoutResultSchema } from './checkout.js';
import { handoffModeRequestSchema } from './handoff.js';
import { inventoryItemSchema } from './inventory.js';
import { locationSchema } from './location.js';
import { menuMetadataSchema, menuSchema } from './menu.js';
import { once } from './once.js';
import { cancelRequestSchema, orderSchema, orderSummarySchema, paymentResponseSchema } from './order.js';
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

const schemas = {
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
  'POST /orders/{order_id}/payments': { request: paymentRequestSchema, response: paymentResponseSchema },
  'POST /orders/{order_id}/refunds': { request: refundRequestSchema, response: refundSchema },

  'POST /webhooks': { request: webhookSubscriptionRequestSchema, response: webhookSubscriptionWithSecretSchema },
  'GET /webhooks': { response: pageOf(webhookSubscriptionSchema) },
  // gap HOOK-3
  'DELETE /webhooks/{webhook_id}': {},
} as const satisfies Readonly<Record<`${string} /${string}`, OperationContract>>;

/** The schemas of each endpoint, from which the types of its bodies come. */
export type OperationSchemas = typeof schemas;

/** Method and path template of an endpoint, as the interface document writes them. */
export type OperationName = keyof OperationSchemas;

/**
 * Every endpoint by method and path template, with the schemas of its bodies.
 *
 * @see Interface document, "Endpoints"
 */
export const operations: Readonly<Record<OperationName, OperationContract>> = schemas;

/**
 * The contract of an endpoint, or `undefined` for one that this package does not know.
 *
 * @param name - Method and path template, such as `POST /carts/{cart_id}/items`.
 */
export function operationContract(name: string): OperationContract | undefined {
  return Object.hasOwn(operations, name) ? operations[name as OperationName] : undefined;
}

function pageOf<Item>(item: () => z.ZodType<Item>): () => z.ZodType<PageEnvelope<Item>> {
  return once(() => pageEnvelopeSchema(item()));
}

function optional<Body>(body: () => z.ZodType<Body>): () => z.ZodType<Body | undefined> {
  return once(() => body().optional());
}
