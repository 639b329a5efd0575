import { describe, expect, test } from 'vitest';
import {
  emptyRecord,
  type JournalRecord,
  type PaymentEntry,
} from '../../../../src/workflows/journal/journal-record.js';
import { digestTender } from '../../../../src/workflows/journal/tender-digest.js';
import { pollDelayMs, resolvePolling } from '../../../../src/workflows/polling.js';
import { adoptTenders } from '../../../../src/workflows/settle/adopt-tenders.js';
import { newEntry } from '../../../../src/workflows/settle/new-entry.js';
import { inSubmissionOrder } from '../../../../src/workflows/settle/submission-order.js';
import type { DigestedTender } from '../../../../src/workflows/settle/tender.js';
import { centsToSend, chargeableCents, isUpToDate } from '../../../../src/workflows/settle/tender-amount.js';

function tender(name: string, amount: number | 'remaining' = 500, method = 'GIFT_CARD'): DigestedTender {
  const fields = { tender: { payment_method: 'GIFT_CARD', gift_card_number: name, amount } as const };
  return { ...fields, method, amount, currency: undefined, digest: name, ofBody: () => '' };
}

function entry(key: string, given: DigestedTender, facts: Partial<PaymentEntry> = {}): PaymentEntry {
  return { ...newEntry(key, given), ...facts };
}

function record(entries: PaymentEntry[], ended = false): JournalRecord {
  return { ...emptyRecord('order', 'salt'), runs: [{ id: 'run', openedAtMs: 0, ended, cancelKey: null, entries }] };
}

const keysOf = (bound: ReadonlyMap<string, DigestedTender>) => [...bound.keys()].sort();
const namesOf = (tenders: readonly DigestedTender[]) => tenders.map(({ digest }) => digest);

describe('tenders go out in the order of the payment rules', () => {
  test('loyalty points, gift cards, EBT, cards and wallets, cash', () => {
    const given = ['CASH', 'DIGITAL_WALLET', 'CREDIT_CARD', 'EBT', 'GIFT_CARD', 'LOYALTY_POINTS', 'DEBIT_CARD'];

    expect(inSubmissionOrder(given.map((method) => ({ method }))).map(({ method }) => method)).toEqual([
      'LOYALTY_POINTS',
      'GIFT_CARD',
      'EBT',
      'DIGITAL_WALLET',
      'CREDIT_CARD',
      'DEBIT_CARD',
      'CASH',
    ]);
  });
});

describe('what a call brings is compared with what the journal knows', () => {
  test('nothing known: everything is to be sent', () => {
    const { bound, unsent } = adoptTenders(emptyRecord('order', 'salt'), [tender('a'), tender('b')]);

    expect([...bound]).toEqual([]);
    expect(namesOf(unsent)).toEqual(['a', 'b']);
  });

  test('a tender that was charged, or may have been, is not sent again', () => {
    for (const state of ['DONE', 'SENT', 'UNKNOWN'] as const) {
      const { bound, unsent } = adoptTenders(record([entry('k1', tender('a'), { state })], true), [tender('a')]);

      expect(keysOf(bound)).toEqual(['k1']);
      expect(unsent).toEqual([]);
    }
  });

  test('identical tenders are counted', () => {
    const known = record([entry('k1', tender('a'), { state: 'DONE' })]);

    const { bound, unsent } = adoptTenders(known, [tender('a'), tender('a')]);

    expect(keysOf(bound)).toEqual(['k1']);
    expect(namesOf(unsent)).toEqual(['a']);
  });

  test('an undecided entry gets its tender before a decided one', () => {
    const known = record([entry('k1', tender('a'), { state: 'DONE' }), entry('k2', tender('a'), { state: 'UNKNOWN' })]);

    expect(keysOf(adoptTenders(known, [tender('a')]).bound)).toEqual(['k2']);
  });

  test('another amount, or another instrument, is another tender', () => {
    const known = record([entry('k1', tender('a'), { state: 'DONE' })]);

    expect(namesOf(adoptTenders(known, [tender('a', 501), tender('b')]).unsent)).toEqual(['a', 'b']);
    expect(namesOf(adoptTenders(known, [tender('a', 'remaining')]).unsent)).toEqual(['a']);
  });

  test('a declined tender counts as paid when its replacement was', () => {
    const known = record(
      [
        entry('k1', tender('a'), { state: 'REFUSED' }),
        entry('k2', tender('b'), { state: 'REFUSED', replaces: 'k1' }),
        entry('k3', tender('c'), { state: 'DONE', replaces: 'k2' }),
      ],
      true,
    );

    expect(adoptTenders(known, [tender('a')]).unsent).toEqual([]);
  });

  test('a declined tender may be tried again once its run has ended', () => {
    const known = record([entry('k1', tender('a'), { state: 'REFUSED', declines: 1 })], true);

    const { unsent, unanswered } = adoptTenders(known, [tender('a')]);

    expect(namesOf(unsent)).toEqual(['a']);
    expect(unanswered).toEqual([]);
  });

  test('a declined tender of a run that died is asked about again', () => {
    const known = record([entry('k1', tender('a'), { state: 'REFUSED', declines: 1 })]);

    const { unsent, unanswered } = adoptTenders(known, [tender('a')]);

    expect(unsent).toEqual([]);
    expect(unanswered.map(({ key }) => key)).toEqual(['k1']);
  });
});

describe('the amount of the next tender', () => {
  const planned = (amount: number | 'remaining') => entry('k', tender('a', amount));

  test('is its own, unless the balance is smaller', () => {
    expect(centsToSend(planned(500), { balanceCents: 500, later: [] })).toBe(500);
    expect(centsToSend(planned(500), { balanceCents: 499, later: [] })).toBe('too_much');
  });

  test("is the balance for 'remaining', less what is fixed for later tenders", () => {
    expect(centsToSend(planned('remaining'), { balanceCents: 2000, later: [] })).toBe(2000);
    expect(centsToSend(planned('remaining'), { balanceCents: 2000, later: [planned(300), planned(200)] })).toBe(1500);
    expect(centsToSend(planned('remaining'), { balanceCents: 300, later: [planned(500)] })).toBe(0);
  });

  const amounts = { currency: 'USD', totalCents: 2000, paidCents: 0, balanceCents: 2000, refundedCents: 0 };
  const done = record([entry('k1', tender('a'), { state: 'DONE', cents: 500, chargedCents: 500 })]);

  test('never counts on a balance that lags behind a payment', () => {
    expect(chargeableCents(amounts, done)).toBe(1500);
    expect(isUpToDate(amounts, done)).toBe(false);
    expect(chargeableCents({ ...amounts, paidCents: 500, balanceCents: 1500 }, done)).toBe(1500);
    expect(isUpToDate({ ...amounts, paidCents: 500, balanceCents: 1500 }, done)).toBe(true);
  });

  test('leaves out what is still under way', () => {
    expect(chargeableCents({ ...amounts, paidCents: 500, balanceCents: 700 }, done)).toBe(700);
  });

  test('is nothing when others overpaid', () => {
    expect(chargeableCents({ ...amounts, paidCents: 2100, balanceCents: -100 }, done)).toBe(0);
  });
});

describe('polling', () => {
  test('waits 2 s, doubling to 30 s', () => {
    const polling = resolvePolling();

    expect([0, 1, 2, 3, 4, 5, 99].map((n) => pollDelayMs(polling, n))).toEqual([
      2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
    ]);
    expect(polling.maxWaitMs).toBe(300_000);
  });

  test.each([{ initialDelayMs: 0 }, { maxDelayMs: -1 }, { maxWaitMs: Number.NaN }])('refuses %o', (options) => {
    expect(() => resolvePolling(options)).toThrow(/counts milliseconds/);
  });
});

describe('the digest of a tender', () => {
  const gift = { payment_method: 'GIFT_CARD', gift_card_number: '6006491234567890', amount: 500 } as const;

  test('is the same for the same instrument, whatever the amount and the order of its fields', async () => {
    const reordered = {
      amount: 'remaining',
      gift_card_number: '6006491234567890',
      payment_method: 'GIFT_CARD',
    } as const;

    const [one, two] = await Promise.all([digestTender(gift, 'salt'), digestTender(reordered, 'salt')]);

    expect(one.digest).toBe(two.digest);
  });

  test('differs by instrument and by salt', async () => {
    const others = await Promise.all([
      digestTender(gift, 'salt'),
      digestTender({ ...gift, gift_card_number: '6006491234567891' }, 'salt'),
      digestTender(gift, 'other salt'),
    ]);

    expect(new Set(others.map(({ digest }) => digest)).size).toBe(3);
  });

  test('of a body tells its bytes apart', async () => {
    const { ofBody } = await digestTender(gift, 'salt');

    expect(ofBody({ ...gift })).toBe(ofBody({ ...gift }));
    expect(ofBody({ ...gift })).not.toBe(ofBody({ ...gift, amount: 501 }));
  });
});
