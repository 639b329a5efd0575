import type { JournalRecord, PaymentEntry, PaymentRun } from './record.js';

/** The run that is worked on: the last one. */
export function currentRun(record: JournalRecord): PaymentRun | undefined {
  return record.runs.at(-1);
}

export function allEntries(record: JournalRecord): readonly PaymentEntry[] {
  return record.runs.flatMap((run) => run.entries);
}

/** Whether its request was sent, and nothing sure is known of it. */
export function isUndecided(entry: PaymentEntry): boolean {
  return entry.state === 'SENT' || entry.state === 'UNKNOWN';
}

export function undecidedEntries(record: JournalRecord): readonly PaymentEntry[] {
  return allEntries(record).filter(isUndecided);
}

export function entryOf(record: JournalRecord, key: string): PaymentEntry | undefined {
  return allEntries(record).find((entry) => entry.key === key);
}

/** What the entries of the journal have taken, in cents. */
export function chargedCents(record: JournalRecord): number {
  return allEntries(record).reduce((sum, entry) => sum + (entry.state === 'DONE' ? (entry.chargedCents ?? 0) : 0), 0);
}

export function withRun(record: JournalRecord, run: PaymentRun): JournalRecord {
  return { ...record, runs: [...record.runs, run] };
}

/** Changes the current run. */
export function updateRun(record: JournalRecord, change: Partial<PaymentRun>): JournalRecord {
  const run = currentRun(record);
  if (!run) return record;
  return { ...record, runs: [...record.runs.slice(0, -1), { ...run, ...change }] };
}

/** Changes one entry, in whichever run it stands. */
export function updateEntry(record: JournalRecord, key: string, change: Partial<PaymentEntry>): JournalRecord {
  const runs = record.runs.map((run) => ({
    ...run,
    entries: run.entries.map((entry) => (entry.key === key ? { ...entry, ...change } : entry)),
  }));
  return { ...record, runs };
}

/** Adds a replacement to the current run, after the entry that it stands in for. */
export function addReplacement(record: JournalRecord, entry: PaymentEntry): JournalRecord {
  const entries = [...(currentRun(record)?.entries ?? [])];
  const index = entries.findIndex(({ key }) => key === entry.replaces);
  entries.splice(index < 0 ? entries.length : index + 1, 0, entry);
  return updateRun(record, { entries });
}
