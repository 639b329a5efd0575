import type { WebhookVerificationReason } from '../errors/webhook.js';

/**
 * What became of a delivery:
 *
 * - `handled`: every handler is done · `accepted`: answered before the handlers ran (`respond: 'before_handlers'`)
 * - `duplicate`: handled before, or found out by the reconciler · `stale`: a newer state is known (`ordering: 'latest'`)
 * - `retired_secret`: signed for a subscription that was deleted
 * - `busy`: in the hands of another delivery at this moment · `failed`: a handler or the store failed
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

/** The answer to a delivery. Everything but a 2xx has the service deliver the event again (gap SIG-3). */
export interface DeliveryResult {
  readonly outcome: DeliveryOutcome;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Of a verified event. */
  readonly eventId?: string;
  /** Of a refused delivery. */
  readonly reason?: WebhookVerificationReason;
}

const STATUS: Readonly<Record<DeliveryOutcome, number>> = {
  handled: 200,
  accepted: 200,
  duplicate: 200,
  stale: 200,
  retired_secret: 200,
  busy: 409,
  failed: 500,
  refused: 400,
};

/** A stranger's delivery is 401; one that this server cannot verify for its own fault is 500. */
const STATUS_OF_REASON: Readonly<Record<string, number>> = {
  no_signature: 401,
  no_match: 401,
  no_timestamp: 401,
  too_old: 401,
  too_new: 401,
  body_parsed: 500,
  body_too_large: 413,
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
  const status = (outcome === 'refused' && STATUS_OF_REASON[reason ?? '']) || STATUS[outcome];
  return { outcome, status, headers, body: JSON.stringify({ outcome, reason, message }), eventId, reason };
}

/** Deliveries are POST requests; anything else did not mean to be one. */
export function methodNotAllowed(): DeliveryResult {
  const headers = { 'content-type': 'application/json', allow: 'POST' };
  return { outcome: 'refused', status: 405, headers, body: '{"outcome":"refused","reason":"not_post"}' };
}
