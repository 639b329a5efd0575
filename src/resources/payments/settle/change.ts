import type { Payment } from '../../../contract/index.js';
import { centsOf } from '../amounts.js';
import { allEntries, currentRun, entryOf, updateEntry, updateRun, withRun } from '../journal/journal-runs.js';
import type { PaymentEntry } from '../journal/record.js';
import { standingOf } from '../matching.js';
import type { Change, Snapshot } from './known.js';
import type { NotingStep } from './next-step.js';
import { inSubmissionOrder, newEntry } from './tenders.js';

/** What comes of a step that neither reads nor sends. */
export function changeOf(known: Snapshot, step: NotingStep): Change {
  switch (step.kind) {
    case 'adopt':
      return adopted(known, step.key, step.payment);
    case 'decline':
      return declined(known, step.key);
    case 'plan':
      return planned(known);
    case 'leave_out':
      return leftOut(step.key);
    case 'note':
      return step.change;
  }
}

/** A payment record is the outcome of the entry: how it stands now. */
export function adopted(known: Snapshot, key: string, payment: Payment): Change {
  const entry = entryOf(known.record, key);
  const payments = new Map([...known.payments, [key, payment]]);
  switch (standingOf(payment, known.rules.isFinal)) {
    case 'paid': {
      const facts = { inDoubt: 0, paymentId: payment.id, chargedCents: takenCents(payment, entry) };
      return { found: { payments }, record: (record) => updateEntry(record, key, { state: 'DONE', ...facts }) };
    }
    case 'failed': {
      // The response to a repetition was the failed payment that it keeps under the key.
      const isKept = entry?.baseline?.paymentIds.includes(payment.id) ?? false;
      const exhausted = isKept ? new Set([...known.exhausted, key]) : known.exhausted;
      const change = declined(known, key, payment);
      return { ...change, found: { ...change.found, payments, exhausted } };
    }
    case 'under_way':
      if (entry?.paymentId === payment.id) return { found: { payments } };
      return {
        found: { payments },
        record: (record) => updateEntry(record, key, { state: 'SENT', paymentId: payment.id }),
      };
  }
}

/**
 * What a payment took of the order: what was asked, or what its record shows where that is less. A record that shows
 * more (a surcharge of the card, gap PAY-4) pays no more of the order.
 */
function takenCents(payment: Payment, entry: PaymentEntry | undefined): number {
  const shown = centsOf(payment.amount);
  const asked = entry?.cents ?? undefined;
  return shown === undefined || asked === undefined ? (shown ?? asked ?? 0) : Math.min(shown, asked);
}

/** No sending of the key moved money. */
export function declined(known: Snapshot, key: string, payment?: Payment): Change {
  const { record, sends, errors, reasons } = known;
  const declines = (entryOf(record, key)?.declines ?? 0) + 1;
  const reason = payment?.failure_reason ?? errors.get(key)?.scenario;
  const facts = { inDoubt: 0, lateRefusal: null, paymentId: payment?.id ?? null, declines } as const;
  return {
    found: {
      ...(reason ? { reasons: new Map([...reasons, [key, reason]]) } : {}),
      ...(sends ? { declined: [...known.declined, key] } : {}),
    },
    record: (held) => updateEntry(held, key, { state: 'REFUSED', ...facts }),
  };
}

/** Writes down what is to be sent; what an earlier call planned and never sent gives way to it. */
function planned(known: Snapshot): Change {
  const { newKey, clock } = known.context;
  const tenders = new Map(known.tenders);
  const entries = inSubmissionOrder(known.unsent).map((tender) => {
    const entry = newEntry(newKey(), tender);
    tenders.set(entry.key, tender);
    return entry;
  });
  const isStale = (entry: PaymentEntry): boolean => entry.state === 'PLANNED' && !tenders.has(entry.key);
  return {
    found: { tenders, unsent: [] },
    record: (record) => {
      const runs = record.runs.map((one) => ({ ...one, entries: one.entries.filter((entry) => !isStale(entry)) }));
      const cleared = { ...record, runs, orderCreatedAt: known.reading?.order.created_at ?? null };
      const open = currentRun(cleared);
      if (open && !open.ended) return updateRun(cleared, { entries: [...open.entries, ...entries] });
      return withRun(cleared, { id: newKey(), openedAtMs: clock.now(), ended: false, cancelKey: null, entries });
    },
  };
}

/** Others pay the whole balance: nothing remains for a tender that takes what remains. */
function leftOut(key: string): Change {
  return {
    record: (record) =>
      updateRun(record, { entries: currentRun(record)?.entries.filter((entry) => entry.key !== key) ?? [] }),
  };
}

/** A run whose payments are decided ends; one with a payment under way goes on with the next call. */
export function ended({ record, sends }: Snapshot): Change {
  if (!sends || currentRun(record)?.ended !== false) return {};
  if (allEntries(record).some(({ state }) => state === 'SENT' || state === 'UNKNOWN')) return {};
  return { record: (held) => updateRun(held, { ended: true }) };
}
