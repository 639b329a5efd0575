import { randomUUID } from 'node:crypto';
import { fileJournal } from 'online-ordering-sdk';
import { systemClock } from '../../../../../../src/platform/clock.js';
import { lockOrder } from '../../../../../../src/resources/payments/journal/order-lock.js';
import { emptyRecord, parseRecord } from '../../../../../../src/resources/payments/journal/record.js';

/**
 * A process that takes an order, says so, and holds it for a while. Each line it prints is one fact; what it may do is
 * decided by the journal in the directory alone.
 */
const { ORDER_ID: orderId = '', JOURNAL: directory = '', HOLD_MS = '60000', LEASE_MS = '1000' } = process.env;

async function main(): Promise<void> {
  const book = await lockOrder({
    journal: fileJournal(directory),
    orderId,
    clock: systemClock,
    leaseMs: Number(LEASE_MS),
    owner: randomUUID(),
    recordOf: (text) => (text === undefined ? emptyRecord(orderId, 'salt') : parseRecord(orderId, text)),
    signal: new AbortController().signal,
    random: Math.random,
  });
  const note = (id: string) =>
    book.write((record) => ({
      ...record,
      runs: [...record.runs, { id, openedAtMs: 0, ended: false, cancelKey: 'a-key', entries: [] }],
    }));
  await note(`held by ${process.pid}`);
  console.log('held');
  book.lost.addEventListener('abort', () => console.log('lost'));
  await new Promise((resolve) => setTimeout(resolve, Number(HOLD_MS)));
  console.log(book.mayStillSend() ? 'may send' : 'may not send');
  await note('end').then(
    () => console.log('wrote'),
    (error: { reason?: string }) => console.log(`refused ${error.reason}`),
  );
  await book.release();
  console.log('released');
}

void main();
