export * from './api.js';
export { OnlineOrderingError } from './base.js';
export * from './call.js';
export * from './connection.js';
export * from './local.js';
export * from './payment.js';
export * from './response.js';
export type { Scenario } from './scenario.js';
export * from './webhook.js';
