import {
  emptyRecord,
  type JournalRecord,
  type PaymentEntry,
} from '../../../../../src/resources/payments/journal/record.js';
import { type DigestedTender, newEntry } from '../../../../../src/resources/payments/settle/tenders.js';

/** A tender that is told apart by its name. */
export function tender(name: string, amount: number | 'remaining' = 500, method = 'GIFT_CARD'): DigestedTender {
  const given = { payment_method: 'GIFT_CARD', gift_card_number: name, amount } as const;
  return {
    ...{ tender: given, given, method, amount, currency: undefined, digest: name },
    ofBody: async () => '',
    matches: async (digest) => (digest === name ? 'same' : 'other_tender'),
    matchesBody: async () => 'same',
  };
}

export function entry(key: string, given: DigestedTender, facts: Partial<PaymentEntry> = {}): PaymentEntry {
  return { ...newEntry(key, given), ...facts };
}

export function record(entries: PaymentEntry[], ended = false): JournalRecord {
  return { ...emptyRecord('order', 'salt'), runs: [{ id: 'run', openedAtMs: 0, ended, cancelKey: null, entries }] };
}
