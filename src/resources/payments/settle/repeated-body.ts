import type { PaymentRequest } from '../../../contract/index.js';
import { PaymentStateError } from '../../../errors/payment.js';
import { entryOf } from '../journal/journal-runs.js';
import type { PaymentEntry } from '../journal/record.js';
import { paymentBody } from '../tender-body.js';
import { knownTender } from './replacement.js';
import type { Work } from './work.js';

/**
 * The body of an entry that goes out again: the same bytes as before.
 *
 * @throws {PaymentStateError} The call brought another tender than the one that was sent, or none.
 */
export async function repeatedBody(work: Work, key: string): Promise<PaymentRequest> {
  const sent = work.bodies.get(key);
  if (sent) return sent;

  const entry = entryOf(work.book.record, key);
  const offered = entry && (await knownTender(work, entry));
  if (!entry || !offered) throw tenderDiffers(work.orderId, entry);
  const body = paymentBody(offered.tender, entry.cents ?? 0, work.context.overrides);
  if (offered.ofBody(body) !== entry.bodyDigest) throw bodyDiffers(work.orderId, entry);
  work.bodies.set(key, body);
  return body;
}

function tenderDiffers(orderId: string, entry: PaymentEntry | undefined): PaymentStateError {
  return new PaymentStateError(
    `A payment of order ${orderId} (${entry?.method}, ${entry?.cents} cents, key ${entry?.key}) was sent, and its ` +
      'outcome is not known; none of the tenders given is that one, with the same instrument and amount. Nothing was sent. ' +
      'Pass that tender again, and settle goes on with its key; or call client.orders.resume(orderId, { journal }) ' +
      'without tenders until the payment is decided, and pay what is left with another tender then.',
    { orderId, reason: 'tender_differs' },
  );
}

function bodyDiffers(orderId: string, entry: PaymentEntry): PaymentStateError {
  return new PaymentStateError(
    `The payment request of order ${orderId} with the key ${entry.key} is no longer the one that was sent: ` +
      'payments.toRequest gives another body for the same tender. Nothing was sent. Restore it, or call ' +
      'client.orders.resume(orderId, { journal }) without tenders until the payment is decided.',
    { orderId, reason: 'body_differs' },
  );
}
