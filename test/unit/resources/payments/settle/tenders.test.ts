import { describe, expect, test } from 'vitest';
import { emptyRecord } from '../../../../../src/resources/payments/journal/record.js';
import * as tenders from '../../../../../src/resources/payments/settle/tenders.js';
import { entry, record, tender } from './entries.js';

type DigestedTender = tenders.DigestedTender;
type Record = Parameters<typeof tenders.adoptTenders>[0];
const adoptTenders = (known: Record, offered: readonly DigestedTender[]) =>
  tenders.adoptTenders(known, offered, ({ digest }, one) => digest === one.digest);
const keysOf = (bound: ReadonlyMap<string, DigestedTender>) => [...bound.keys()].sort();
const namesOf = (tenders: readonly DigestedTender[]) => tenders.map(({ digest }) => digest);

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
    expect(unanswered).toEqual(['k1']);
  });

  test('an instrument that was charged and is listed with another amount is told, so that it is not charged again', () => {
    const known = record([entry('k1', tender('a'), { state: 'DONE', chargedCents: 500 })], true);

    expect(adoptTenders(known, [tender('a', 700)]).raised.map(({ charged }) => charged.key)).toEqual(['k1']);
    expect(adoptTenders(known, [tender('a'), tender('a', 200)]).raised).toEqual([]);
    expect(adoptTenders(known, [tender('b', 700)]).raised).toEqual([]);
  });
});
