import type { Order, Payment, PaymentRequest } from '../../../contract/index.js';
import { ConflictError, UnprocessableEntityError } from '../../../errors/api.js';
import { CallError } from '../../../errors/call.js';
import { ConfigurationError, RequestValidationError } from '../../../errors/local.js';
import { entryOf } from '../journal/journal-runs.js';
import { findEntryPayment } from './find-entry-payment.js';
import type { Work } from './work.js';

/** What one sending of a payment proves. */
export type Attempt =
  | { readonly kind: 'answered'; readonly payment: Payment }
  | { readonly kind: 'declined'; readonly error: UnprocessableEntityError }
  /** The service did not execute it, or it never left. */
  | { readonly kind: 'not_executed'; readonly error: unknown }
  | { readonly kind: 'unknown'; readonly cause: unknown };

/** Sends the request of an entry once. Its key must be durable by now. */
export async function attempt(work: Work, key: string, body: PaymentRequest): Promise<Attempt> {
  const { context, orderId, limit } = work;
  try {
    const options = { ...limit.forCall(), idempotencyKey: key };
    return understood(work, key, await context.api.pay(orderId, body, options));
  } catch (error) {
    return provenBy(error);
  }
}

/** An order in place of the payment is searched; an answer that shows no payment proves nothing (gap PAY-2). */
function understood(work: Work, key: string, answer: Payment | Order): Attempt {
  if ('payments' in answer && Array.isArray(answer.payments)) {
    work.order = answer;
    const { record } = work.book;
    const entry = entryOf(record, key);
    const { matches } = work.context.overrides;
    const payment = entry && findEntryPayment(answer, record, { entry, matches });
    return payment ? { kind: 'answered', payment } : { kind: 'unknown', cause: undefined };
  }
  const payment = answer as Partial<Payment> | null | undefined;
  const isRecord = typeof payment?.id === 'string' && typeof payment.status === 'string';
  return isRecord ? { kind: 'answered', payment: answer as Payment } : { kind: 'unknown', cause: undefined };
}

/** An error of this package says what it knows of the write; any other error proves nothing. */
export function provenBy(error: unknown): Attempt {
  if (error instanceof RequestValidationError || error instanceof ConfigurationError) {
    return { kind: 'not_executed', error };
  }
  if (!(error instanceof CallError)) return { kind: 'unknown', cause: error };
  // The service keeps an answer for this key, and it is not for these bytes: it was executed in some form.
  if (error instanceof ConflictError && error.scenario === 'idempotency_key_reused') {
    return { kind: 'unknown', cause: error };
  }
  if (error.outcome === 'refused' && error instanceof UnprocessableEntityError) return { kind: 'declined', error };
  if (error.outcome === 'refused' || error.outcome === 'not_sent') return { kind: 'not_executed', error };
  return { kind: 'unknown', cause: error };
}
