import type { Payment, Refund } from '../../../contract/index.js';
import { CallError } from '../../../errors/call.js';
import { OutcomeUnknownError } from '../../../errors/payment.js';
import { type LostAnswer, resolveOutcome } from './resolve-outcome.js';

export interface MoneyMove<T extends Payment | Refund> {
  readonly what: 'payment' | 'refund';
  readonly orderId: string;
  /** How to find or repeat it, once its key is known. */
  readonly lost: (idempotencyKey: string) => LostAnswer<T>;
}

/**
 * The error of a payment or refund that was sent alone: an unknown outcome becomes an `OutcomeUnknownError` that can
 * be resolved, every other error stays what it is.
 */
export function withResolve<T extends Payment | Refund>(error: unknown, move: MoneyMove<T>): unknown {
  if (!(error instanceof CallError) || error.outcome !== 'unknown' || error.idempotencyKey === undefined) return error;
  if (error instanceof OutcomeUnknownError) return error;
  const { what, orderId } = move;
  const { method, path, attempts, idempotencyKey, replayableUntil, retryBudgetExhausted } = error;
  const message =
    `It is not known whether the ${what} of order ${orderId} was executed. Do not send it again with a new key: ` +
    'call resolve() of this error, which reads the order first, and repeats with the same key only if the order does not show it.';
  const lost = move.lost(idempotencyKey);
  return new OutcomeUnknownError(
    message,
    {
      ...{ method, path, attempts, idempotencyKey, replayableUntil, retryBudgetExhausted, orderId },
      resolve: (options) => resolveOutcome(lost, options),
    },
    { cause: error },
  );
}
