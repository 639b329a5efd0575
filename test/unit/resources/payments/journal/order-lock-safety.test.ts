import { memoryStore, type PaymentJournal, storeJournal } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import { thisProcess } from '../../../../../src/platform/process-identity.js';
import { lockOrder, type OrderBook } from '../../../../../src/resources/payments/journal/order-lock.js';
import { emptyRecord, type JournalRecord, parseRecord } from '../../../../../src/resources/payments/journal/record.js';
import { settle as settled, VirtualClock } from '../../../../support/virtual-clock.js';

const ORDER = 'a3fb4a64-50c9-492a-a5e7-0b98911019e1';
const LEASE_MS = 30_000;

interface Seat {
  readonly clock: VirtualClock;
  readonly journal: PaymentJournal;
}

/** One store, and processes that have clocks of their own. */
function store() {
  const inner = storeJournal(memoryStore({ clock: new VirtualClock() }));
  const seat = (journal: PaymentJournal = inner): Seat => ({ clock: new VirtualClock(), journal });
  const lock = ({ clock, journal }: Seat, owner: string, signal = new AbortController().signal) =>
    lockOrder({
      journal,
      orderId: ORDER,
      clock,
      leaseMs: LEASE_MS,
      owner,
      recordOf: (text) => (text === undefined ? emptyRecord(ORDER, 'salt') : parseRecord(ORDER, text)),
      signal,
      random: () => 0.5,
    });
  const record = async () => parseRecord(ORDER, (await inner.read(ORDER))!);
  return { inner, seat, lock, record };
}

const note = (id: string) => (record: JournalRecord) => ({
  ...record,
  runs: [...record.runs, { id, openedAtMs: 0, ended: false, cancelKey: 'a-key', entries: [] }],
});

function watched<T>(promise: Promise<T>): {
  promise: Promise<T>;
  value: T | undefined;
  error: unknown;
  isSettled: boolean;
} {
  const state = { promise, value: undefined as T | undefined, error: undefined as unknown, isSettled: false };
  promise.then(
    (value) => Object.assign(state, { value, isSettled: true }),
    (error: unknown) => Object.assign(state, { error, isSettled: true }),
  );
  return state;
}

/** Moves several clocks together, a second at a time. */
async function pass(seconds: number, ...clocks: VirtualClock[]): Promise<void> {
  for (let second = 0; second < seconds; second += 1) for (const clock of clocks) await clock.advance(1000);
}

describe('rule 10: an order is taken from the living only by time', () => {
  test('of the clock that cannot be set: a wall clock that steps an hour changes nothing', async () => {
    const { seat, lock, record } = store();
    const [holder, waiter] = [seat(), seat()];
    const book = await lock(holder, 'holder');
    const waiting = watched(lock(waiter, 'waiter'));

    for (const hours of [1, -2, 5]) {
      waiter.clock.step(hours * 3_600_000);
      holder.clock.step(-hours * 3_600_000);
      await pass(45, holder.clock, waiter.clock);
    }

    expect(waiting.isSettled).toBe(false);
    expect(book.lost.aborted).toBe(false);
    expect((await record()).lock?.owner).toBe('holder');
  });

  test('that the waiter was awake in: one that was suspended with the holder watches from the beginning', async () => {
    const { seat, lock } = store();
    const [holder, waiter] = [seat(), seat()];
    await lock(holder, 'holder');
    const waiting = watched(lock(waiter, 'waiter'));
    await pass(5, holder.clock, waiter.clock);

    // Both stand still for 40 s; the waiter wakes first. Its timers are late all at once.
    waiter.clock.suspend(40_000);
    await pass(2, waiter.clock);
    expect(waiting.isSettled).toBe(false);
    await pass(20, waiter.clock);
    expect(waiting.isSettled).toBe(false);
    await pass(15, waiter.clock);
    expect(waiting.value?.record.lock?.owner).toBe('waiter');
  });

  test('also when its text is that of another host, of an older release, or of a number that nobody has', async () => {
    for (const lockFields of [
      { host: 'another', pid: 1 },
      { host: thisProcess().host, pid: 2 ** 22 + 1 },
      { host: '', pid: 0 },
    ]) {
      const { seat, lock, record, inner } = store();
      await lock(seat(), 'first');
      const before = await record();
      const former = { ...before, lock: { owner: 'former', leaseMs: LEASE_MS, ...lockFields } };
      await inner.write(ORDER, await inner.read(ORDER), JSON.stringify(former));
      const waiter = seat();
      const waiting = watched(lock(waiter, 'waiter'));

      await pass(29, waiter.clock);
      expect(waiting.isSettled).toBe(false);
      await pass(4, waiter.clock);
      expect(waiting.value?.record.lock?.owner).toBe('waiter');
    }
  });

  test('and a record that changes with each reading is never taken', async () => {
    const { seat, lock, inner, record } = store();
    await lock(seat(), 'first');
    const waiter = seat();
    const waiting = watched(lock(waiter, 'waiter'));

    for (let n = 0; n < 6; n += 1) {
      await pass(20, waiter.clock);
      const now = await record();
      await inner.write(ORDER, await inner.read(ORDER), JSON.stringify({ ...now, version: now.version + 1 }));
    }

    expect(waiting.isSettled).toBe(false);
  });
});

describe('rule 10: a death that the system proves', () => {
  const isProvable = thisProcess().startTime !== undefined;

  test.skipIf(!isProvable)('lets the order be taken at once (needs /proc)', async () => {
    const { boot, pidNamespace, startTime, host } = thisProcess();
    for (const [dead, seconds] of [
      [{ pid: 2 ** 22 + 1, startTime }, 0],
      // The number is used again, by this very process.
      [{ pid: process.pid, startTime: '1' }, 0],
      [{ pid: 2 ** 22 + 1, startTime, boot: 'another boot' }, 30],
      [{ pid: 2 ** 22 + 1, startTime, pidNamespace: 'pid:[1]' }, 30],
      [{ pid: 2 ** 22 + 1, startTime: undefined }, 30],
      [{ pid: process.pid, startTime }, 30],
    ] as const) {
      const { seat, lock, record, inner } = store();
      await lock(seat(), 'dead');
      const before = await record();
      const lockFields = { boot, pidNamespace, host, owner: 'dead', leaseMs: LEASE_MS, ...dead };
      await inner.write(ORDER, await inner.read(ORDER), JSON.stringify({ ...before, lock: lockFields }));
      const waiter = seat();
      const waiting = watched(lock(waiter, 'waiter'));

      await settled();
      expect({ ...dead, isTaken: waiting.isSettled }).toEqual({ ...dead, isTaken: seconds === 0 });
      await pass(seconds + 3, waiter.clock);
      expect(waiting.isSettled).toBe(true);
    }
  });
});

describe('rule 2: a holder', () => {
  test('hears at once that a renewal was refused, and may send nothing more', async () => {
    const { seat, lock, inner } = store();
    const holder = seat();
    const book = await lock(holder, 'holder');
    expect(book.mayStillSend()).toBe(true);
    await inner.write(ORDER, await inner.read(ORDER), JSON.stringify({ ...book.record, fence: 9 }));

    await holder.clock.advance(LEASE_MS / 3);

    expect(book.lost.aborted).toBe(true);
    expect(book.lost.reason).toMatchObject({ name: 'PaymentStateError', reason: 'lock_lost' });
    expect(book.mayStillSend()).toBe(false);
    await expect(book.write(note('late'))).rejects.toBe(book.lost.reason);
  });

  test('that cannot renew for a lease has lost the order, though nobody has taken it', async () => {
    const { seat, lock, inner } = store();
    let isCut = false;
    const cut: PaymentJournal = {
      read: (id) => (isCut ? Promise.reject(new Error('unreachable')) : inner.read(id)),
      write: (id, expected, next) =>
        isCut ? Promise.reject(new Error('unreachable')) : inner.write(id, expected, next),
    };
    const holder = seat(cut);
    const book = await lock(holder, 'holder');
    isCut = true;

    await pass(9, holder.clock);
    expect(book.mayStillSend()).toBe(true);
    await pass(2, holder.clock);
    expect(book.mayStillSend()).toBe(false);
    expect(book.lost.aborted).toBe(false);
    await pass(20, holder.clock);
    expect(book.lost.reason).toMatchObject({ reason: 'lock_lost' });
  });

  test('that can write again in time keeps the order', async () => {
    const { seat, lock, inner } = store();
    let isCut = false;
    const cut: PaymentJournal = {
      read: (id) => (isCut ? Promise.reject(new Error('unreachable')) : inner.read(id)),
      write: (id, expected, next) =>
        isCut ? Promise.reject(new Error('unreachable')) : inner.write(id, expected, next),
    };
    const holder = seat(cut);
    const book = await lock(holder, 'holder');
    isCut = true;
    await pass(25, holder.clock);
    isCut = false;
    await pass(120, holder.clock);

    expect(book.lost.aborted).toBe(false);
    await book.write(note('still here'));
    expect(book.mayStillSend()).toBe(true);
  });

  test('that was suspended for a lease has lost the order when it wakes, before anything else', async () => {
    const { seat, lock } = store();
    const holder = seat();
    const book = await lock(holder, 'holder');

    holder.clock.suspend(LEASE_MS + 1);

    expect(book.mayStillSend()).toBe(false);
    await expect(book.write(note('late'))).rejects.toMatchObject({ reason: 'lock_lost' });
    expect(book.lost.aborted).toBe(true);
  });

  test('whose machine slept without its monotonic clock may not send before it has written again', async () => {
    const { seat, lock } = store();
    const holder = seat();
    const book = await lock(holder, 'holder');

    holder.clock.step(60_000);
    expect(book.mayStillSend()).toBe(false);
    await book.write(note('awake'));
    expect(book.mayStillSend()).toBe(true);
  });

  test('may send for a third of the lease after a write began, however long the write took', async () => {
    const { seat, lock, inner } = store();
    const holder = seat();
    const slow: PaymentJournal = {
      ...inner,
      write: async (id, expected, next) => {
        await new Promise<void>((resolve) => void holder.clock.setTimer(resolve, 4000));
        return inner.write(id, expected, next);
      },
    };
    const taking = watched(lock({ ...holder, journal: slow }, 'holder'));
    await pass(4, holder.clock);
    const book = taking.value!;

    expect(book.mayStillSend()).toBe(true);
    await pass(5, holder.clock);
    expect(book.mayStillSend()).toBe(true);
    await pass(1, holder.clock);
    expect(book.mayStillSend()).toBe(false);
  });

  test('that gives an order back after a failure is not waited for by its own process', async () => {
    const { seat, lock, inner, record } = store();
    let isFull = false;
    const full: PaymentJournal = {
      ...inner,
      write: (id, expected, next) => (isFull ? Promise.reject(new Error('no space')) : inner.write(id, expected, next)),
    };
    const holder = seat(full);
    const book = await lock(holder, 'full disk');
    await book.write(note('something was sent'));
    isFull = true;
    await book.release();
    expect((await record()).lock?.owner).toBe('full disk');
    isFull = false;

    const next = watched(lock(holder, 'next'));
    await settled();

    expect(next.value?.record.lock?.owner).toBe('next');
  });

  test('leaves nothing behind when it sent nothing, and everything when it did', async () => {
    const { seat, lock, inner } = store();
    const empty = await lock(seat(), 'nothing');
    await empty.release();
    expect(await inner.read(ORDER)).toBeUndefined();

    const book = await lock(seat(), 'something');
    await book.write(note('sent'));
    await book.release();
    expect(JSON.parse((await inner.read(ORDER))!)).toMatchObject({ lock: null, open: true, runs: [{ id: 'sent' }] });
  });

  test('writes over a write of its own that was given up and arrived later', async () => {
    const { seat, lock, inner } = store();
    let isLate = false;
    let arrive = (): void => {};
    const late: PaymentJournal = {
      ...inner,
      write: (id, expected, next) => {
        if (!isLate) return inner.write(id, expected, next);
        return new Promise(() => {
          arrive = () => void inner.write(id, expected, next);
        });
      },
    };
    const holder = seat(late);
    const book = await lock(holder, 'holder');
    isLate = true;
    const writing = watched(book.write(note('given up')));
    await pass(6, holder.clock);
    expect(writing.error).toMatchObject({ reason: 'journal_unavailable' });
    isLate = false;
    arrive();
    await settled();

    await book.write(note('next'));

    expect(book.lost.aborted).toBe(false);
    expect(JSON.parse((await inner.read(ORDER))!).runs.map(({ id }: { id: string }) => id)).toEqual(['next']);
  });
});

describe('rule 11: a journal that hangs', () => {
  const hanging = (
    inner: PaymentJournal,
    operations: readonly ('read' | 'write')[],
    when = () => true,
  ): PaymentJournal => ({
    read: (id) => (operations.includes('read') && when() ? new Promise(() => {}) : inner.read(id)),
    write: (id, expected, next) =>
      operations.includes('write') && when() ? new Promise(() => {}) : inner.write(id, expected, next),
  });

  test('ends in an error after five seconds that names the operation', async () => {
    for (const operation of ['read', 'write'] as const) {
      const { seat, lock, inner } = store();
      const waiter = seat(hanging(inner, [operation]));
      const locking = watched(lock(waiter, 'waiter'));

      await pass(4, waiter.clock);
      expect(locking.isSettled).toBe(false);
      await pass(2, waiter.clock);

      expect(locking.error).toMatchObject({ name: 'PaymentStateError', reason: 'journal_unavailable' });
      expect((locking.error as Error).message).toContain(
        `"${operation}" for order ${ORDER} did not end within 5000 ms`,
      );
    }
  });

  test('holds nobody whose signal ends: neither who takes, nor who writes, nor who gives back', async () => {
    const { seat, lock, inner } = store();
    let isFrozen = false;
    const controller = new AbortController();
    const holder = seat(hanging(inner, ['read', 'write'], () => isFrozen));
    const book = await lock(holder, 'holder', controller.signal);
    await book.write(note('sent'));
    isFrozen = true;
    const taking = watched(lock(seat(holder.journal), 'other', controller.signal));
    const writing = watched(book.write(note('more')));
    await settled();

    controller.abort(new Error('enough'));
    const releasing = watched(book.release());
    await holder.clock.advance(10);

    expect(taking.error).toMatchObject({ message: 'enough' });
    expect(writing.error).toMatchObject({ message: 'enough' });
    expect(releasing.isSettled).toBe(true);
  });

  test('is not believed when its response comes late', async () => {
    const { seat, lock, inner } = store();
    let answer: (text: string | undefined) => void = () => {};
    const slow: PaymentJournal = { ...inner, read: () => new Promise((resolve) => (answer = resolve)) };
    const waiter = seat(slow);
    const locking = watched(lock(waiter, 'waiter'));
    await pass(6, waiter.clock);
    answer(undefined);
    await settled();

    expect(locking.error).toMatchObject({ reason: 'journal_unavailable' });
    expect(await inner.read(ORDER)).toBeUndefined();
  });

  test('that gives null for nothing, throws at once or gives nonsense is understood or named', async () => {
    const { seat, lock, inner } = store();
    const withNull = { ...inner, read: async (id: string) => ((await inner.read(id)) ?? null) as string | undefined };
    const book = await lock(seat(withNull), 'null is nothing');
    await book.release();

    const throwing = {
      ...inner,
      read: () => {
        throw new Error('sync');
      },
    } as unknown as PaymentJournal;
    await expect(lock(seat(throwing), 'a')).rejects.toMatchObject({
      reason: 'journal_unavailable',
      cause: { message: 'sync' },
    });
    const nonsense = { ...inner, read: async () => 42 } as unknown as PaymentJournal;
    await expect(lock(seat(nonsense), 'b')).rejects.toThrow(/gave number where it has to give the text or undefined/);
    // A write that resolves to nothing is looked up.
    const silent = {
      ...inner,
      write: async (id: string, expected: string | undefined, next: string) =>
        void (await inner.write(id, expected, next)),
    } as unknown as PaymentJournal;
    await expect(lock(seat(silent), 'c')).resolves.toMatchObject({ record: { lock: { owner: 'c' } } });
  });
});

describe('a journal whose reads lag behind', () => {
  test('is asked at a measured pace, and the order is taken when they have caught up', async () => {
    const { seat, lock, inner } = store();
    await inner.write(
      ORDER,
      undefined,
      JSON.stringify({ format: 1, orderId: ORDER, version: 1, fence: 1, lock: null, salt: 's', runs: [] }),
    );
    const stale = await inner.read(ORDER);
    const fresh = JSON.stringify({ ...JSON.parse(stale!), version: 2 });
    await inner.write(ORDER, stale, fresh);
    let isLagging = true;
    let operations = 0;
    const lagging: PaymentJournal = {
      read: async (id) => {
        operations += 1;
        return isLagging ? stale : inner.read(id);
      },
      write: (id, expected, next) => inner.write(id, expected, next),
    };
    const waiter = seat(lagging);
    const waiting = watched(lock(waiter, 'waiter'));

    await pass(60, waiter.clock);
    expect(waiting.isSettled).toBe(false);
    // A reading to try, and one to look the refusal up.
    expect(operations).toBeLessThan(150);
    isLagging = false;
    await pass(2, waiter.clock);

    expect((waiting.value as OrderBook).record.fence).toBe(2);
  });
});
