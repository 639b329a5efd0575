import type { Order, Refund } from '../../../contract/index.js';
import { centsOf } from '../amounts.js';
import { isCreatedSince } from '../matching.js';
import type { Found } from './resolve-outcome.js';

export interface LostRefund {
  readonly cents: number;
  readonly idempotencyKey: string;
  readonly startedAt: Date;
  /** Refunds that answered other keys. */
  readonly taken: ReadonlySet<string>;
}

/**
 * What an order tells about a refund that was sent: the same amount, made since the request (gap REF-5).
 *
 * Without a list of refunds only their sum is there. While that is below the amount, the refund was not made; once it
 * is not, it may be an earlier one, and cannot be told.
 */
export function refundInOrder(order: Order, lost: LostRefund): Found<Refund> {
  if (!Array.isArray(order.refunds)) {
    const refundedCents = centsOf(order.amount_refunded);
    return refundedCents !== undefined && refundedCents < lost.cents ? { kind: 'absent' } : { kind: 'undecidable' };
  }
  const refund = order.refunds.find((candidate) => !lost.taken.has(candidate.id) && matches(candidate, lost));
  if (!refund) return { kind: 'absent' };
  return refund.status === 'FAILED' ? { kind: 'absent' } : { kind: 'present', record: refund };
}

function matches(refund: Refund & { idempotency_key?: unknown }, lost: LostRefund): boolean {
  if (typeof refund.idempotency_key === 'string') return refund.idempotency_key === lost.idempotencyKey;
  return centsOf(refund.amount) === lost.cents && isCreatedSince(refund.created_at, lost.startedAt);
}
