export * from './records/index.js';
export * from './schemas/cart.js';
export * from './schemas/cart-item.js';
export * from './schemas/checkout.js';
export * from './schemas/discount.js';
export * from './schemas/error-envelope.js';
export * from './schemas/events.js';
export * from './schemas/fee.js';
export * from './schemas/handoff.js';
export * from './schemas/inventory.js';
export * from './schemas/location.js';
export * from './schemas/menu.js';
export * from './schemas/modifier-selection.js';
export * from './schemas/money.js';
export * from './schemas/open-enum.js';
export {
  type OperationContract,
  type OperationName,
  type OperationSchemas,
  operationContract,
  operations,
} from './schemas/operations.js';
export * from './schemas/order.js';
export * from './schemas/pagination.js';
export * from './schemas/payment.js';
export * from './schemas/price-calculation.js';
export * from './schemas/promo-code.js';
export * from './schemas/refund.js';
export * from './schemas/token.js';
export * from './schemas/webhook-subscription.js';
