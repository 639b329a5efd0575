import type { WebhookVerificationReason } from '../../errors/webhook.js';

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
  /** HTTP status to answer with. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Of a verified event. */
  readonly eventId?: string;
  /** Of a refused delivery. */
  readonly reason?: WebhookVerificationReason;
}

/** Everything else is 200. */
const STATUS: Readonly<Record<string, number>> = {
  busy: 409,
  failed: 500,
  refused: 400,
  body_too_large: 413,
  // This server's own fault.
  body_parsed: 500,
  not_post: 405,
};

/** No signature, no match, no time stamp, too old, too new: a stranger. */
const STRANGER = /^(no|too)_/;

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
  const status = STRANGER.test(reason ?? '') ? 401 : (STATUS[reason ?? ''] ?? STATUS[outcome] ?? 200);
  return { outcome, status, headers, body: JSON.stringify({ outcome, reason, message }), eventId, reason };
}

const NOT_POST = 'not_post';

/** Deliveries are POST requests; anything else did not mean to be one. */
export const methodNotAllowed = (): DeliveryResult => deliveryResult('refused', { reason: NOT_POST });
