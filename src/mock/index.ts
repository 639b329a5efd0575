import type { MockServiceOptions } from './options.js';
import { MockService } from './service.js';

/**
 * Starts the online ordering service in memory, for tests and demonstrations.
 *
 * @example
 * const service = createMockService({ seed: 7 });
 * const client = new OnlineOrdering({
 *   ...service.credentials,
 *   dispatcher: service.dispatcher,
 *   clock: service.clock,
 * });
 */
export function createMockService(options: MockServiceOptions = {}): MockService {
  return new MockService(options);
}

export type { Profile } from '../profile/profile.js';
export type { Behaviour, BehaviourChange, RecordBehaviour, Span } from './behaviour/behaviour.js';
export type { BehaviourControl } from './behaviour/control.js';
export type { AdvanceTo, OrderControl } from './control/orders.js';
export type { AddPartnerOptions, PartnerChange, PartnerControl, PartnerCredentials } from './control/partners.js';
export type { PaymentControl } from './control/payments.js';
export type { HoursOptions, LocationChange, StoreControls } from './control/store.js';
export type { EmitOptions, ResendOptions, SubscriptionRequest, WebhookControl } from './control/webhooks.js';
export type { Fault, FaultQueue, WaitingFault } from './faults/faults.js';
export type { RateLimits } from './kernel/rate-limits.js';
export type { RecordedRequest } from './kernel/request-log.js';
export type { Ledger } from './operations/orders/ledger.js';
export type { NewSubscription } from './operations/subscriptions.js';
export type { MockServiceOptions } from './options.js';
export type { RateLimitTier } from './refusals/refusal.js';
export type { SampleIds, SampleItem, SampleLocation, SelectOptions } from './samples/index.js';
export type { InstrumentBehaviour } from './samples/instruments.js';
export type { SampleCustomer, SamplePromoCode } from './samples/magic.js';
export type { OwnData, OwnLocation, OwnPricing, OwnPromoCode } from './samples/own-data.js';
export type { MockService, ResetOptions, ServiceSamples } from './service.js';
export type { Feature } from './state/features.js';
export type { Keep } from './state/keep.js';
export type { LedgerEntry, MemberDefinition, PromoDefinition } from './state/state.js';
export type { MockClock } from './time/clock.js';
export type { Duration } from './time/duration.js';
export type { MockDispatcher, MockDispatchOptions } from './transport/dispatcher.js';
export type { ListeningService, ListenOptions } from './transport/listen.js';
export type { MockDispatchController, MockDispatchHandler } from './transport/receiver.js';
export type { DeliverToOptions } from './webhooks/deliver-to.js';
export type { DeliveryOptions, RecordedDelivery } from './webhooks/deliveries.js';
export type { DeliveryTarget } from './webhooks/send.js';
