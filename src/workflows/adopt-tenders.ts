import type { JournalRecord, PaymentEntry } from './journal-record.js';
import { allEntries, isUndecided, lastReplacement } from './journal-runs.js';
import type { OfferedTender } from './tender.js';
import type { TenderDigest } from './tender-digest.js';

/** A tender with the digest by which the journal knows it. */
export interface DigestedTender extends OfferedTender, TenderDigest {}

export interface Adoption {
  /** Entries of the journal, by key, and the tender of this call that is the same. */
  readonly bound: ReadonlyMap<string, DigestedTender>;
  /** Tenders of this call that the journal does not know as sent. */
  readonly unsent: readonly DigestedTender[];
}

/**
 * Compares the tenders of a call with what the journal knows of the order.
 *
 * The list of tenders says how the order is to be paid in all: a tender that was charged already, or may have been, or
 * whose replacement was, counts as that one and does not go out again. Identical tenders are counted. Without this
 * rule a call that is repeated because its process died right after the last payment would charge everything twice.
 */
export function adoptTenders(record: JournalRecord, offered: readonly DigestedTender[]): Adoption {
  const bound = new Map<string, DigestedTender>();
  const free = [...allEntries(record)].sort((a, b) => urgencyOf(a) - urgencyOf(b));
  const unsent = offered.filter((tender) => {
    const index = free.findIndex((entry) => isSame(entry, tender) && stillCounts(record, entry));
    const [entry] = index < 0 ? [] : free.splice(index, 1);
    if (entry) bound.set(entry.key, tender);
    return entry === undefined;
  });
  return { bound, unsent };
}

/** What is undecided needs its tender most. */
function urgencyOf(entry: PaymentEntry): number {
  if (isUndecided(entry)) return 0;
  return entry.state === 'DONE' ? 1 : 2;
}

function isSame(entry: PaymentEntry, { method, amount, digest }: DigestedTender): boolean {
  return entry.method === method && entry.amount === amount && entry.digest === digest;
}

function stillCounts(record: JournalRecord, entry: PaymentEntry): boolean {
  const { state } = entry.state === 'REFUSED' ? lastReplacement(record, entry) : entry;
  return state === 'DONE' || state === 'SENT' || state === 'UNKNOWN';
}
