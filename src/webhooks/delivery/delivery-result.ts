import type { WebhookVerificationReason } from '../../errors/webhook.js';

/**
 * What became of a delivery:
 *
 * - `handled`: every handler is done · `accepted`: acknowledged before the handlers ran (`inbox`, `respond: 'before_handlers'`)
 * - `duplicate`: handled before, or found by the reconciler · `stale`: a newer state is known (`ordering: 'latest'`)
 * - `retired_secret`: signed for a subscription that was deleted
 * - `busy`: another delivery of the event is being handled · `failed`: a handler, the store or the inbox failed
 * - `refused`: not shown to be an event of the service
 */
export type DeliveryOutcome =
  | 'handled'
  | 'accepted'
  | 'duplicate'
  | 'stale'
  | 'retired_secret'
  | 'busy'
  | 'failed'
  | 'refused';

/** The response to a delivery. Everything but a 2xx has the service deliver the event again (gap SIG-3). */
export interface DeliveryResult {
  /** What became of the delivery; for logs and counters. */
  readonly outcome: DeliveryOutcome;
  /** HTTP status of the response. */
  readonly status: number;
  /** Headers of the response, to be sent as they are. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the response: a short text for people, which the service does not read. */
  readonly body: string;
  /** Of a verified event. */
  readonly eventId?: string;
  /** Of a refused delivery. */
  readonly reason?: WebhookVerificationReason;
}

/** HTTP status by outcome. */
const STATUS_OF_OUTCOME: Readonly<Record<DeliveryOutcome, number>> = {
  handled: 200,
  accepted: 200,
  duplicate: 200,
  stale: 200,
  retired_secret: 200,
  busy: 409,
  failed: 500,
  refused: 400,
};

const NOT_POST = 'not_post';

/** HTTP status by the reason of a refusal, where that is not 400. */
const STATUS_OF_REASON: Readonly<Partial<Record<string, number>>> = {
  // The sender has not shown that it knows the secret.
  no_signature: 401,
  no_match: 401,
  no_timestamp: 401,
  too_old: 401,
  too_new: 401,
  body_too_large: 413,
  // A fault of this server: a parser has touched the body.
  body_parsed: 500,
  [NOT_POST]: 405,
};

/** How soon an event in other hands should come again. */
const RETRY_AFTER_SECONDS = 5;

export interface DeliveryFacts {
  eventId?: string;
  reason?: WebhookVerificationReason;
  message?: string;
}

export function deliveryResult(outcome: DeliveryOutcome, facts: DeliveryFacts = {}): DeliveryResult {
  const { eventId, reason, message } = facts;
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (outcome === 'busy') headers['retry-after'] = String(RETRY_AFTER_SECONDS);
  if (reason === NOT_POST) headers.allow = 'POST';
  const status = STATUS_OF_REASON[reason ?? ''] ?? STATUS_OF_OUTCOME[outcome];
  return { outcome, status, headers, body: JSON.stringify({ outcome, reason, message }), eventId, reason };
}

/** Deliveries are POST requests; anything else did not mean to be one. */
export const methodNotAllowed = (): DeliveryResult => deliveryResult('refused', { reason: NOT_POST });
