import { memoryStore, type PaymentJournal, storeJournal } from 'online-ordering-sdk';
import { createMockService } from 'online-ordering-sdk/mock';
import { describe, expect, test } from 'vitest';
import { lockOrder, type OrderBook } from '../../../../../src/resources/payments/journal/order-lock.js';
import { emptyRecord, parseRecord } from '../../../../../src/resources/payments/journal/record.js';

const ORDER = 'a3fb4a64-50c9-492a-a5e7-0b98911019e1';
const LEASE_MS = 30_000;

function processes() {
  const { clock } = createMockService();
  const journal = storeJournal(memoryStore({ clock }));
  const lock = (owner: string, over: PaymentJournal = journal, signal = new AbortController().signal) =>
    lockOrder({
      journal: over,
      orderId: ORDER,
      clock,
      leaseMs: LEASE_MS,
      owner,
      recordOf: (text) => (text === undefined ? emptyRecord(ORDER, 'salt') : parseRecord(ORDER, text)),
      signal,
      random: () => 0.5,
    });
  const record = async () => parseRecord(ORDER, (await journal.read(ORDER))!);
  return { clock, journal, lock, record };
}

const mark = (book: OrderBook, id: string) =>
  book.write((record) => ({
    ...record,
    runs: [...record.runs, { id, openedAtMs: 0, ended: false, cancelKey: 'a-key', entries: [] }],
  }));

/** A journal whose process can be cut off from the store. */
function cuttable(inner: PaymentJournal) {
  const state = { isCut: false };
  const unlessCut = <T>(act: () => Promise<T>) =>
    state.isCut ? Promise.reject(new Error('store unreachable')) : act();
  const journal: PaymentJournal = {
    read: (id) => unlessCut(() => inner.read(id)),
    write: (id, expected, next) => unlessCut(() => inner.write(id, expected, next)),
  };
  return { journal, state };
}

describe('the lock of an order', () => {
  test('is given on when its holder gives it back', async () => {
    const { clock, lock } = processes();
    const first = await lock('first');
    await mark(first, 'run of the first');
    let second: OrderBook | undefined;
    const waiting = lock('second').then((book) => {
      second = book;
    });

    await clock.advance('10m');
    expect(second).toBeUndefined();
    await first.release();
    await clock.runUntil(waiting);

    expect(second?.record.fence).toBe(2);
  });

  test('is kept for as long as its holder lives, however long that is', async () => {
    const { clock, lock, record } = processes();
    await lock('first');
    void lock('second').catch(() => {});

    await clock.advance('1h');

    expect((await record()).lock?.owner).toBe('first');
  });

  test('is lost by a holder that shows no life for a lease, and not before', async () => {
    const { clock, journal, lock, record } = processes();
    const cut = cuttable(journal);
    await lock('dead', cut.journal);
    cut.state.isCut = true;
    const waiting = lock('second');

    await clock.advance('29s');
    expect((await record()).lock?.owner).toBe('dead');
    await clock.runUntil(waiting);

    expect((await record()).lock?.owner).toBe('second');
    expect((await record()).fence).toBe(2);
  });

  test('shows a holder that was only slow that it was replaced: its write changes nothing', async () => {
    const { clock, journal, lock, record } = processes();
    const cut = cuttable(journal);
    const slow = await lock('slow', cut.journal);
    cut.state.isCut = true;
    const second = await clock.runUntil(lock('second'));
    await mark(second, 'run of the second');
    cut.state.isCut = false;

    await expect(mark(slow, 'run of the slow one')).rejects.toMatchObject({ reason: 'lock_lost' });
    await slow.release();

    expect((await record()).runs.map(({ id }) => id)).toEqual(['run of the second']);
    expect((await record()).lock?.owner).toBe('second');
  });

  test('is won by one of many', async () => {
    const { clock, lock } = processes();
    const seen: string[] = [];
    const work = async (owner: string) => {
      const book = await lock(owner);
      seen.push(`${owner} in`);
      await mark(book, owner);
      seen.push(`${owner} out`);
      await book.release();
    };

    await clock.runUntil(Promise.all(['a', 'b', 'c', 'd'].map(work)));

    for (let index = 0; index < seen.length; index += 2) {
      expect(seen[index + 1]).toBe(seen[index]!.replace('in', 'out'));
    }
    expect(seen).toHaveLength(8);
  });

  test('holds when a write is made and its response is lost', async () => {
    const { journal, lock, record } = processes();
    let loses = false;
    const lossy: PaymentJournal = {
      ...journal,
      async write(id, expected, next) {
        const written = await journal.write(id, expected, next);
        if (loses) throw new Error('connection lost');
        return written;
      },
    };
    const book = await lock('first', lossy);
    loses = true;

    await mark(book, 'one');
    await mark(book, 'two');

    expect((await record()).runs.map(({ id }) => id)).toEqual(['one', 'two']);
  });

  test('stops waiting with the signal', async () => {
    const { clock, lock, journal } = processes();
    await lock('first');
    const controller = new AbortController();
    const waiting = lock('second', journal, controller.signal);
    clock.setTimer(() => controller.abort(new Error('enough')), 5000);

    await expect(clock.runUntil(waiting)).rejects.toThrow('enough');
  });

  test('is refused over a record that cannot be read: to begin anew could charge twice', async () => {
    for (const text of ['{"torn', '{}', '{"format":2}', JSON.stringify({ format: 1, orderId: 'another' })]) {
      const { journal, lock } = processes();
      await journal.write(ORDER, undefined, text);

      await expect(lock('first')).rejects.toMatchObject({ name: 'PaymentStateError', reason: 'journal_unreadable' });
    }
  });
});
