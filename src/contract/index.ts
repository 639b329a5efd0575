export * from './cart.js';
export * from './cart-item.js';
export * from './checkout.js';
export * from './discount.js';
export * from './error-envelope.js';
export * from './events.js';
export * from './fee.js';
export * from './handoff.js';
export * from './inventory.js';
export * from './location.js';
export * from './menu.js';
export * from './modifier-selection.js';
export * from './money.js';
export * from './open-enum.js';
export {
  type OperationContract,
  type OperationName,
  type OperationSchemas,
  operationContract,
  operations,
} from './operations.js';
export * from './order.js';
export * from './pagination.js';
export * from './payment.js';
export * from './price-calculation.js';
export * from './promo-code.js';
export * from './refund.js';
export * from './token.js';
export * from './webhook-subscription.js';
