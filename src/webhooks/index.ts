export { ConfigurationError } from '../errors/configuration.js';
export { WebhookVerificationError, type WebhookVerificationReason } from '../errors/webhook.js';
export type { Profile } from '../profile/profile.js';
export type {
  FastifyLike,
  FastifyReplyLike,
  FastifyRequestLike,
  FastifyRouteOptions,
} from './adapters/fastify.js';
export type { BackgroundWork } from './adapters/fetch.js';
export type { NodeHandler, NodeRequest, NodeResponse } from './adapters/node.js';
export type { ConstructEventOptions } from './delivery/construct-event.js';
export { constructEvent, constructEventAsync } from './delivery/construct-event.js';
export type { Delivery } from './delivery/delivery.js';
export type { DeliveryOutcome, DeliveryResult } from './delivery/delivery-result.js';
export type { EventOf, KnownEvent, ReceivedEvent, UnknownEvent } from './event/events.js';
export type { DeadLetter, Inbox, InboxAttempt, InboxEntry, InboxWorker } from './inbox/inbox.js';
export type { Handler, HandlerContext } from './receiver/handlers.js';
export type { ErrorListener, ReceiverErrorContext, WebhookReceiver } from './receiver/receiver.js';
export { createWebhookReceiver } from './receiver/receiver.js';
export type { WebhookReceiverOptions } from './receiver/receiver-options.js';
export type { SecretsSource } from './receiver/secret-source.js';
export type { ReconcileFailure, ReconcileReport } from './reconcile/reconcile-run.js';
export type { ReconciledResource, ReconcilerOptions } from './reconcile/reconciler.js';
export { createReconciler, type Reconciler } from './reconcile/reconciler.js';
export type {
  ReadOptions,
  ReconciledLocation,
  ReconcilerClient,
  ReconcilerOrdersQuery,
} from './reconcile/reconciler-client.js';
export type { DeliveryHeaders } from './signature/delivery-headers.js';
export type { RawBody } from './signature/raw-body.js';
export type { SignPayloadOptions } from './signature/sign-payload.js';
export { signPayload, signPayloadAsync } from './signature/sign-payload.js';
export type {
  SignatureInput,
  SignatureScheme,
  SignatureTimestamp,
  TimestampedSignatureOptions,
} from './signature/signature-scheme.js';
export { serviceSignature, timestampedSignature } from './signature/signature-scheme.js';
export type { SigningSecret, SigningSecrets } from './signature/signing-secrets.js';
export { isStale, type KnownOrderStatus } from './state/is-stale.js';
