import { allEntries, currentRun, isUndecided } from '../journal/journal-runs.js';
import type { JournalRecord, PaymentEntry } from '../journal/record.js';
import type { DigestedTender } from './tender.js';

export interface Adoption {
  /** Entries of the journal, by key, and the tender of this call that is the same. */
  readonly bound: ReadonlyMap<string, DigestedTender>;
  /** Tenders of this call that the journal does not know as sent. */
  readonly unsent: readonly DigestedTender[];
  /** Bound entries that were declined, and whose process died before anything came of it: to be asked about again. */
  readonly unanswered: readonly PaymentEntry[];
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
  const unanswered: PaymentEntry[] = [];
  const free = [...allEntries(record)].sort((a, b) => urgencyOf(a) - urgencyOf(b));
  const unsent = offered.filter((tender) => {
    const index = free.findIndex((entry) => isSame(entry, tender) && standsFor(record, entry) !== 'nothing');
    const [entry] = index < 0 ? [] : free.splice(index, 1);
    if (!entry) return true;
    bound.set(entry.key, tender);
    if (standsFor(record, entry) === 'decline') unanswered.push(entry);
    return false;
  });
  return { bound, unsent, unanswered };
}

/** What is undecided needs its tender most. */
function urgencyOf(entry: PaymentEntry): number {
  if (isUndecided(entry)) return 0;
  return entry.state === 'DONE' ? 1 : 2;
}

function isSame(entry: PaymentEntry, { method, amount, digest }: DigestedTender): boolean {
  return entry.method === method && entry.amount === amount && entry.digest === digest;
}

function standsFor(record: JournalRecord, entry: PaymentEntry): 'payment' | 'decline' | 'nothing' {
  if (entry.state === 'PLANNED') return 'nothing';
  if (lastSent(record, entry).state !== 'REFUSED') return 'payment';
  return isInOpenRun(record, entry) ? 'decline' : 'nothing';
}

/** A run that ended told its caller of the decline, and the next one may try the tender anew. */
function isInOpenRun(record: JournalRecord, { key }: PaymentEntry): boolean {
  const run = currentRun(record);
  return run !== undefined && !run.ended && run.entries.some((entry) => entry.key === key);
}

/** The end of the chain of replacements that begins with `entry`, as far as they were sent. */
export function lastSent(record: JournalRecord, entry: PaymentEntry): PaymentEntry {
  const sent = allEntries(record).filter(({ state }) => state !== 'PLANNED');
  let last = entry;
  for (;;) {
    const next = sent.findLast(({ replaces }) => replaces === last.key);
    if (!next) return last;
    last = next;
  }
}
