import type { PaymentRequest } from '../../../contract/index.js';
import { currentRun, updateRun } from '../journal/journal-runs.js';
import type { PaymentEntry } from '../journal/record.js';
import { paymentBody } from '../tender-body.js';
import { change, type EntryEnd, sendEntry } from './decide-entry.js';
import { amountExceedsBalance, isClosed, type ReadOrder, readyOrder } from './ready-order.js';
import { centsToSend, chargeableCents } from './tender-amount.js';
import { bothClocks, type Work } from './work.js';

/** What became of a planned entry: its end, or the reason why it was not sent. */
export type Sending =
  | EntryEnd
  | { readonly kind: 'nothing_remains' }
  | { readonly kind: 'payment_under_way' }
  | { readonly kind: 'order_closed' };

/**
 * Fixes the amount of an entry, writes it down, and sends it.
 *
 * @param later - Planned entries that come after it; their fixed amounts are kept free.
 */
export async function sendPlanned(work: Work, entry: PaymentEntry, later: readonly PaymentEntry[]): Promise<Sending> {
  const ready = await readyOrder(work);
  if (!ready) return { kind: 'payment_under_way' };
  if (isClosed(ready.order)) return { kind: 'order_closed' };

  const balanceCents = chargeableCents(ready.amounts, work.book.record);
  const cents = centsToSend(entry, { balanceCents, later });
  if (cents === 'too_much')
    throw amountExceedsBalance(work.orderId, { sumCents: entry.cents ?? Number(entry.amount), balanceCents });
  if (cents === 0) {
    await leaveOut(work, entry.key);
    return { kind: 'nothing_remains' };
  }
  const offered = work.tenders.get(entry.key);
  if (!offered) throw new Error('A planned entry has no tender.');
  const body = work.bodies.get(entry.key) ?? paymentBody(offered.tender, cents, work.context.overrides);
  await writeAhead(work, { entry, cents, body, bodyDigest: offered.ofBody(body), ready });
  return sendEntry(work, entry.key, body);
}

interface Leaving {
  readonly entry: PaymentEntry;
  readonly cents: number;
  readonly body: PaymentRequest;
  readonly bodyDigest: string;
  readonly ready: ReadOrder;
}

/** After this, whoever reads the journal knows that the request may have left, and everything to find it again. */
async function writeAhead(work: Work, { entry, cents, body, bodyDigest, ready }: Leaving): Promise<void> {
  const { nowMs, nowLocalMs } = bothClocks(work);
  const isFirst = entry.declines === 0;
  work.bodies.set(entry.key, body);
  await change(work, entry.key, {
    state: 'SENT',
    cents,
    bodyDigest,
    // A key that was declined keeps its age: it is repeated within 24 hours of its first sending only.
    startedAtMs: isFirst ? nowMs : entry.startedAtMs,
    startedAtLocalMs: isFirst ? nowLocalMs : entry.startedAtLocalMs,
    paymentsBefore: (ready.order.payments ?? []).map(({ id }) => id),
    paymentId: null,
    chargedCents: null,
  });
}

/** Others pay the whole balance: nothing remains for a tender that takes what remains. */
async function leaveOut(work: Work, key: string): Promise<void> {
  await work.book.write((record) =>
    updateRun(record, { entries: currentRun(record)?.entries.filter((entry) => entry.key !== key) ?? [] }),
  );
}
