export { OnlineOrdering } from './client.js';
export type * from './contract/index.js';
export * from './errors/index.js';
export type { CallOptions, WriteOptions } from './http/call-options.js';
export { CallPromise } from './http/call-promise.js';
export type { Validation } from './http/contract-check.js';
export type { Dispatcher } from './http/dispatcher.js';
export type {
  AttemptFacts,
  BudgetFacts,
  ClientEvents,
  CooldownFacts,
  DriftFacts,
  ResponseFacts,
  RetryFacts,
  StoreFacts,
  TokenFacts,
} from './http/events.js';
export type { CallResult } from './http/execute.js';
export type { Logger, LogLevel } from './http/logging.js';
export { addMoney, formatMoney, money, sumMoney } from './money.js';
export type { AdjustableOptions, OnlineOrderingOptions } from './options.js';
export { Page } from './pagination/page.js';
export { PageList } from './pagination/page-list.js';
export { type Clock, systemClock, type TimerOptions } from './platform/clock.js';
export type { Random } from './platform/random.js';
export type { ListOptions, ListQuery } from './resources/list.js';
export type { RawRequest } from './resources/raw-request.js';
export { memoryStore } from './stores/memory.js';
export type { Store, StoreWriteOptions } from './stores/store.js';
