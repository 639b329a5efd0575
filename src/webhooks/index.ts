export { ConfigurationError } from '../errors/configuration.js';
export { WebhookVerificationError, type WebhookVerificationReason } from '../errors/webhook.js';
export type {
  FastifyLike,
  FastifyReplyLike,
  FastifyRequestLike,
  FastifyRouteOptions,
} from './adapters/fastify.js';
export type { BackgroundWork } from './adapters/fetch.js';
export type { NodeHandler, NodeRequest, NodeResponse } from './adapters/node.js';
export type { ConstructEventOptions } from './construct-event.js';
export { constructEvent, constructEventAsync } from './construct-event.js';
export type { Delivery } from './delivery.js';
export type { DeliveryHeaders } from './delivery-headers.js';
export type { DeliveryOutcome, DeliveryResult } from './delivery-result.js';
export type { EventOf, KnownEvent, ReceivedEvent, UnknownEvent } from './events.js';
export type { Handler, HandlerContext } from './handlers.js';
export { isStale, type KnownOrderStatus } from './is-stale.js';
export type { RawBody } from './raw-body.js';
export type { ErrorListener, ReceiverErrorContext, WebhookReceiver } from './receiver.js';
export { createWebhookReceiver } from './receiver.js';
export type { SecretsSource, WebhookReceiverOptions } from './receiver-options.js';
export type { ReconcileFailure, ReconcileReport } from './reconcile/reconcile-run.js';
export type { ReconcilerOptions } from './reconcile/reconciler.js';
export { createReconciler, type Reconciler } from './reconcile/reconciler.js';
export type { ReadOptions, ReconcilerClient, ReconcilerOrdersQuery } from './reconcile/reconciler-client.js';
export type { SignPayloadOptions } from './sign-payload.js';
export { signPayload, signPayloadAsync } from './sign-payload.js';
export type {
  SignatureScheme,
  SignatureTimestamp,
  SignedParts,
  TimestampedSignatureOptions,
} from './signature-scheme.js';
export { serviceSignature, timestampedSignature } from './signature-scheme.js';
export type { SigningSecret, SigningSecrets } from './signing-secrets.js';
