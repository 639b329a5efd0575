import {
  emptyRecord,
  type JournalRecord,
  type PaymentEntry,
} from '../../../../../src/resources/payments/journal/record.js';
import { newEntry } from '../../../../../src/resources/payments/settle/new-entry.js';
import type { DigestedTender } from '../../../../../src/resources/payments/settle/tender.js';

/** A tender that is told apart by its name. */
export function tender(name: string, amount: number | 'remaining' = 500, method = 'GIFT_CARD'): DigestedTender {
  const fields = { tender: { payment_method: 'GIFT_CARD', gift_card_number: name, amount } as const };
  return { ...fields, method, amount, currency: undefined, digest: name, ofBody: () => '' };
}

export function entry(key: string, given: DigestedTender, facts: Partial<PaymentEntry> = {}): PaymentEntry {
  return { ...newEntry(key, given), ...facts };
}

export function record(entries: PaymentEntry[], ended = false): JournalRecord {
  return { ...emptyRecord('order', 'salt'), runs: [{ id: 'run', openedAtMs: 0, ended, cancelKey: null, entries }] };
}
