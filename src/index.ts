export type { SecretSource } from './auth/token-request.js';
export { OnlineOrdering } from './client.js';
export type * from './contract/records/index.js';
export * from './errors/index.js';
export type { CallOptions, WriteOptions } from './http/call-options.js';
export { CallPromise } from './http/call-promise.js';
export type { Validation } from './http/contract/contract-check.js';
export type { DriftSummary } from './http/drift/drift-log.js';
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
} from './http/events/events.js';
export type { Logger, LogLevel } from './http/events/logging.js';
export type { TraceContext } from './http/events/observer.js';
export type { CallResult } from './http/execute.js';
export type { RequestHeaders } from './http/request/headers.js';
export type { PathParams } from './http/request/path.js';
export type { Query, QueryValue } from './http/request/query.js';
export type {
  DispatchController,
  Dispatcher,
  DispatcherPair,
  DispatchHandler,
  DispatchOptions,
} from './http/transport/dispatcher.js';
export { addMoney, formatMoney, money, sumMoney } from './money.js';
export type { AdjustableOptions, OnlineOrderingOptions } from './options.js';
export { Page } from './pagination/page.js';
export { PageList } from './pagination/page-list.js';
export { type PaidForLineOptions, paidForLine } from './paid-for-line.js';
export { type Clock, systemClock, type TimerOptions } from './platform/clock.js';
export type { Random } from './platform/random.js';
export { INTERFACE_VERSION, VERSION } from './platform/version.js';
export type { GapRow, Reading } from './profile/gaps.js';
export type { Profile } from './profile/profile.js';
export type { Auth } from './resources/auth.js';
export type { CartItems } from './resources/carts/cart-items.js';
export type { Carts } from './resources/carts/carts.js';
export type {
  CheckoutWithPriceOptions,
  CheckoutWithPriceResult,
  PriceChange,
} from './resources/carts/checkout-with-price.js';
export type { PromoCodes } from './resources/carts/promo-codes.js';
export type { ListOptions, ListQuery } from './resources/list.js';
export type { Locations } from './resources/locations.js';
export type { Menus } from './resources/menus.js';
export type { Orders } from './resources/orders/orders.js';
export type { Milestone, OrderEnding, WaitForOptions, WaitForResult } from './resources/orders/wait-for.js';
export { type FileJournalOptions, fileJournal } from './resources/payments/journal/files/file-journal.js';
export type { PaymentJournal } from './resources/payments/journal/journal.js';
export { type StoreJournalOptions, storeJournal } from './resources/payments/journal/store/store-journal.js';
export type { PaymentOverrides, SentPayment } from './resources/payments/overrides.js';
export type { Payments } from './resources/payments/payments.js';
export type { Refunds } from './resources/payments/refunds.js';
export type { Decline, DeclineAnswer, DeclineHandler } from './resources/payments/settle/decline.js';
export type { ResumeAllOptions, ResumedOrder } from './resources/payments/settle/resume-all.js';
export type { ResumeOptions, SettleOptions } from './resources/payments/settle/settle.js';
export type {
  OtherPayment,
  OtherPaymentReason,
  SettledTender,
  Settlement,
  SettlementStatus,
} from './resources/payments/settle/settlement.js';
export type { Tender } from './resources/payments/tender-body.js';
export type { PaymentPollingOptions, PollingOptions } from './resources/polling.js';
export type { RawRequest } from './resources/raw-request.js';
export type { WebhookSubscriptions } from './resources/webhook-subscriptions.js';
export { memoryStore } from './stores/memory.js';
export type { Store, StoreWriteOptions } from './stores/store.js';
