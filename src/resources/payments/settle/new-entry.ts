import type { PaymentEntry } from '../journal/record.js';
import type { DigestedTender } from './tender.js';

/** An entry of which nothing was sent. */
export function newEntry(
  key: string,
  { method, amount, digest }: DigestedTender,
  replaces: string | null = null,
): PaymentEntry {
  return {
    key,
    method,
    amount,
    digest,
    replaces,
    cents: null,
    state: 'PLANNED',
    startedAtMs: null,
    startedAtLocalMs: null,
    bodyDigest: null,
    paymentId: null,
    chargedCents: null,
    paymentsBefore: [],
    declines: 0,
  };
}
