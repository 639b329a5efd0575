import type { Order, Payment } from 'online-ordering-sdk';
import { describe, expect, test } from 'vitest';
import type { PaymentEntry } from '../../../../../src/resources/payments/journal/record.js';
import { NOT_WATCHED } from '../../../../../src/resources/payments/lost-response.js';
import type { EntryKnowledge, Known } from '../../../../../src/resources/payments/settle/known.js';
import { MOST_SENDINGS, nextStep } from '../../../../../src/resources/payments/settle/next-step.js';
import { entry, record, tender } from './entries.js';

const AT = '2026-01-31T10:00:00Z';
const instant = { serviceMs: Date.parse(AT), localMs: Date.parse(AT) };
const usd = (amount: number) => ({ amount, currency: 'USD' });

function order(facts: Partial<Order> = {}, paidCents = 0): Order {
  return {
    ...{ status: 'PENDING', payment_status: 'UNPAID', total: usd(2000), created_at: AT, payments: [] },
    ...{ amount_paid: usd(paidCents), balance_due: usd(2000 - paidCents), amount_refunded: usd(0) },
    ...facts,
  } as unknown as Order;
}

function payment(id: string, status: string, facts: Partial<Payment> = {}): Payment {
  return { id, status, payment_method: 'GIFT_CARD', amount: usd(500), created_at: AT, ...facts };
}

/** An entry whose request has left. */
const sent = (key: string, facts: Partial<PaymentEntry> = {}): PaymentEntry =>
  entry(key, tender('a'), {
    ...{ state: 'SENT', cents: 500, sendings: 1, inDoubt: 1, firstSentAt: instant, lastSentAt: instant },
    baseline: { paidCents: 0, refundedCents: 0, paymentIds: [], refundIds: [] },
    ...facts,
  });
const done = (key: string, facts: Partial<PaymentEntry> = {}): PaymentEntry =>
  sent(key, { state: 'DONE', inDoubt: 0, paymentId: `p-${key}`, chargedCents: 500, ...facts });

interface Situation extends Partial<Omit<Known, 'reading' | 'record' | 'about'>> {
  readonly order?: Order | undefined;
  readonly isFresh?: boolean;
  readonly entries?: PaymentEntry[];
  readonly ended?: boolean;
  readonly cancelKey?: string;
  readonly about?: Partial<Omit<EntryKnowledge, 'doubt'>> & { readonly doubt?: Partial<EntryKnowledge['doubt']> };
}

function known(situation: Situation = {}): Known {
  const { entries = [], ended = false, isFresh = true, cancelKey = null, about = {}, ...facts } = situation;
  const shown = 'order' in situation ? situation.order : order();
  const whole = entries.length === 0 ? record([]) : record(entries, ended);
  const runs = entries.length === 0 ? [] : whole.runs.map((run) => ({ ...run, cancelKey }));
  const knowledge: EntryKnowledge = {
    ...{ watch: { readings: 9, failed: 0, quiet: 2, quietAtMs: 0 }, wasReadSince: true, sentNow: 1, skewMs: 60_000 },
    ...about,
    doubt: {
      ...{ inDoubt: 1, wasDeclined: false, ageMs: 200_000, endedAgeMs: null, lateRefusal: null },
      ...{ isTooOld: false, isClosed: false },
      ...about.doubt,
    },
  };
  return {
    ...{ orderId: 'o1', sends: true, only: undefined, tenders: new Set(entries.map(({ key }) => key)), unsent: [] },
    ...{ raised: undefined, declined: [], retried: undefined, isStopped: false, isCancelled: false, pauseMs: 0 },
    ...{ waited: { what: '', ms: 0, readings: 0 }, limits: { horizonMs: 90_000, lagMs: 30_000 }, rules: {} },
    polling: { initialDelayMs: 2000, maxDelayMs: 30_000, maxWaitMs: 300_000 },
    ...facts,
    record: { ...whole, runs },
    reading: shown && { order: shown, isFresh },
    about: () => knowledge,
  };
}

const step = (situation: Situation = {}) => nextStep(known(situation));
const reasonOf = (situation: Situation) => {
  const next = step(situation);
  return next.kind === 'refuse' ? next.refusal.reason : next.kind;
};

describe('before anything else', () => {
  test('the order is read, and a failure of that reading is told', () => {
    expect(step({ order: undefined })).toEqual({ kind: 'look', what: 'first', afterMs: 0, toleratesFailure: false });
  });

  test('an order, a journal and tenders that do not fit are refused', () => {
    expect(reasonOf({ order: order({ total: 'much' as never }) })).toBe('amounts_unreadable');
    const other = known();
    expect(nextStep({ ...other, record: { ...other.record, orderCreatedAt: '2026-01-30T10:00:00Z' } })).toMatchObject({
      refusal: { reason: 'journal_of_another_order' },
    });
    expect(nextStep({ ...other, record: { ...other.record, orderCreatedAt: '2026-01-31T10:00:00' } }).kind).toBe(
      'done',
    );
    expect(reasonOf({ unsent: [{ ...tender('a'), currency: 'EUR' }] })).toBe('currency_differs');
    expect(reasonOf({ unsent: [{ ...tender('a'), currency: 'USD' }] })).toBe('plan');
    expect(step({ unsent: [{ ...tender('a'), currency: 'EUR' }] })).toMatchObject({
      refusal: { message: expect.stringMatching(/given in EUR.*is in USD/) },
    });
    expect(
      nextStep({
        ...other,
        record: { ...other.record, orderCreatedAt: '2026-01-30T10:00:00Z' },
        reading: { order: order({ created_at: undefined as never }), isFresh: true },
      }).kind,
    ).toBe('done');
  });

  test('a cancel that was decided on goes on with its key, until the order is cancelled', () => {
    const cancelling = { entries: [done('k1')], cancelKey: 'c1' };
    expect(step(cancelling)).toEqual({ kind: 'cancel', idempotencyKey: 'c1' });
    expect(step({ ...cancelling, order: order({ status: 'CANCELLED' }) })).toEqual({ kind: 'done' });
    expect(step({ ...cancelling, sends: false, order: order({}, 500) })).toEqual({ kind: 'done' });
    expect(step({ ...cancelling, ended: true, order: order({}, 500) })).toEqual({ kind: 'done' });
    expect(step({ ...cancelling, only: 'k1' })).toEqual({ kind: 'done' });
    expect(step({ ...cancelling, isCancelled: true, cancelKey: undefined as never })).toMatchObject({ kind: 'cancel' });
  });
});

describe('rules 3 to 6: while a tender is undecided, nothing else happens', () => {
  test('a record that matches is adopted', () => {
    const next = step({ entries: [sent('k1')], order: order({ payments: [payment('p1', 'COMPLETED')] }, 500) });
    expect(next).toMatchObject({ kind: 'adopt', key: 'k1', payment: { id: 'p1' } });
  });

  test('a reading from before the sending shows nothing of it', () => {
    const early = { about: { wasReadSince: false, watch: NOT_WATCHED, doubt: { ageMs: 0 } } };
    const next = step({
      entries: [sent('k1')],
      order: order({ payments: [payment('p1', 'COMPLETED')] }, 500),
      ...early,
    });
    expect(next).toMatchObject({ kind: 'look', what: 'lost k1', afterMs: 500, toleratesFailure: true });
  });

  test('the key leaves again after its horizon, three times in one call at most', () => {
    expect(step({ entries: [sent('k1')] })).toEqual({ kind: 'send', key: 'k1', cents: 500 });
    const often = { sentNow: MOST_SENDINGS };
    expect(step({ entries: [sent('k1')], about: often })).toEqual({
      kind: 'unknown',
      key: 'k1',
      why: 'sent_too_often',
    });
  });

  test('a repetition needs a fresh reading, no pause, nothing under way, and a balance that covers it', () => {
    const entries = [sent('k1')];
    expect(step({ entries, isFresh: false })).toMatchObject({ kind: 'look', what: 'fresh', afterMs: 0 });
    expect(step({ entries, pauseMs: 700 })).toMatchObject({ kind: 'look', what: 'pause', afterMs: 700 });
    expect(step({ entries, order: order({ balance_due: usd(499) }) })).toEqual({
      kind: 'unknown',
      key: 'k1',
      why: 'balance',
    });
    expect(step({ entries, order: order({ balance_due: usd(500) }) })).toMatchObject({ kind: 'send' });
    const old = payment('other', 'PENDING', { created_at: '2026-01-31T09:00:00Z' });
    const baseline = { paidCents: 0, refundedCents: 0, paymentIds: ['other'], refundIds: [] };
    const others = { entries: [sent('k1', { baseline })], order: order({ payments: [old] }) };
    expect(step(others)).toMatchObject({ kind: 'look', what: 'others k1' });
    expect(step({ ...others, waited: { what: 'others k1', ms: 300_000, readings: 9 } })).toEqual({
      ...{ kind: 'unknown', key: 'k1', why: 'balance' },
    });
  });

  test('what a service with a wrong clock dates before the sending keeps its key from leaving again', () => {
    const early = payment('p1', 'COMPLETED', { created_at: '2026-01-31T09:00:00Z' });
    for (const status of ['PENDING', 'COMPLETED']) {
      const shown = order({ payments: [{ ...early, status }] });
      expect(step({ entries: [sent('k1')], order: shown })).toMatchObject({ kind: 'unknown', why: 'new_record' });
    }
  });

  test('the payment is looked for with the rules and the clocks of the caller', () => {
    const strange = payment('p1', 'COMPLETED', { payment_method: 'APPLE_PAY' });
    const shown = order({ payments: [strange] }, 500);
    const rules = { matches: ({ payment_method }: Payment) => payment_method === 'APPLE_PAY' };
    expect(step({ entries: [sent('k1')], order: shown, rules })).toMatchObject({
      kind: 'adopt',
      payment: { id: 'p1' },
    });
    const early = order({ payments: [payment('p1', 'COMPLETED', { created_at: '2026-01-31T09:58:00Z' })] }, 500);
    expect(step({ entries: [sent('k1')], order: early })).toMatchObject({ kind: 'unknown' });
    expect(step({ entries: [sent('k1')], order: early, about: { skewMs: 300_000 } })).toMatchObject({ kind: 'adopt' });
  });

  test('while one is followed no longer, the next one is decided, and nothing is sent', () => {
    const entries = [sent('k1', { paymentId: 'p1' }), sent('k2')];
    const waited = { what: 'follow k1', ms: 300_000, readings: 9 };
    expect(step({ entries, waited })).toMatchObject({ key: 'k2' });
    const resting = [sent('k1', { paymentId: 'p1' }), entry('k3', tender('c'))];
    expect(step({ entries: resting, waited })).toEqual({ kind: 'done' });
  });

  test('signs, and what nobody can decide, leave it unknown', () => {
    expect(step({ entries: [sent('k1')], order: order({}, 500) })).toEqual({
      kind: 'unknown',
      key: 'k1',
      why: 'sum_rose',
    });
    const tooOld = { doubt: { isTooOld: true } };
    expect(step({ entries: [sent('k1')], about: tooOld })).toEqual({ kind: 'unknown', key: 'k1', why: 'too_old' });
    const refused = { doubt: { lateRefusal: 'plain' as const } };
    expect(step({ entries: [sent('k1')], about: refused })).toEqual({ kind: 'decline', key: 'k1' });
  });

  test('a call that may send nothing looks three times, and rests', () => {
    const looking = (readings: number) => ({ doubt: { ageMs: 0 }, watch: { ...NOT_WATCHED, readings } });
    expect(step({ entries: [sent('k1')], sends: false, about: looking(2) }).kind).toBe('look');
    expect(step({ entries: [sent('k1')], sends: false, about: looking(3) })).toEqual({ kind: 'done' });
    expect(step({ entries: [sent('k1')], sends: false })).toEqual({ kind: 'done' });
    expect(step({ entries: [sent('k1')], sends: false, order: order({}, 500) })).toEqual({ kind: 'done' });
  });

  test('resolve() decides its own key, and nothing besides', () => {
    expect(step({ entries: [done('k1')], only: 'k1', unsent: [tender('b')] })).toEqual({ kind: 'done' });
    expect(step({ entries: [sent('k1')], only: 'k1' })).toMatchObject({ kind: 'send', key: 'k1' });
    expect(step({ entries: [sent('k1')], only: 'k2' })).toEqual({ kind: 'done' });
  });
});

describe('a payment that the service has taken is followed, and never repeated', () => {
  const entries = [sent('k1', { paymentId: 'p1' })];

  test('until it ends', () => {
    const at = (status: string) => step({ entries, order: order({ payments: [payment('p1', status)] }) });
    expect(at('PENDING')).toMatchObject({ kind: 'look', what: 'follow k1', afterMs: 2000, toleratesFailure: true });
    expect(at('COMPLETED')).toMatchObject({ kind: 'adopt' });
    expect(at('FAILED')).toMatchObject({ kind: 'adopt' });
    const two = order({ payments: [payment('p0', 'COMPLETED'), payment('p1', 'PENDING')] });
    expect(step({ entries, order: two })).toMatchObject({ kind: 'look', what: 'follow k1' });
    expect(step({ entries, order: order({ payments: undefined as never }) })).toMatchObject({ what: 'follow k1' });
    expect(step({ entries })).toMatchObject({ kind: 'look', what: 'follow k1' });
  });

  test('at growing intervals, for polling.maxWaitMs; then the call ends', () => {
    const waitedFor = (ms: number, readings: number) => step({ entries, waited: { what: 'follow k1', ms, readings } });
    expect(waitedFor(2000, 1)).toMatchObject({ afterMs: 4000 });
    expect(waitedFor(100_000, 9)).toMatchObject({ afterMs: 30_000 });
    expect(waitedFor(290_000, 9)).toMatchObject({ afterMs: 10_000 });
    expect(waitedFor(300_000, 9)).toEqual({ kind: 'done' });
    expect(step({ entries, waited: { what: 'others', ms: 300_000, readings: 9 } })).toMatchObject({ afterMs: 2000 });
  });

  test('rule 12: a status that nobody knows ends with the order, or with payments.isFinal', () => {
    const settled = (facts: Partial<Order>, paid: number, rules = {}) =>
      step({ entries, rules, order: order({ payments: [payment('p1', 'SETTLED')], ...facts }, paid) }).kind;
    expect(settled({ payment_status: 'PARTIALLY_PAID' }, 500)).toBe('adopt');
    const shown = { payment_status: 'PAID' as const, payments: [payment('p1', 'SETTLED')] };
    expect(step({ entries, order: order(shown, 500) })).toMatchObject({ payment: { id: 'p1', status: 'COMPLETED' } });
    const nameless = { ...shown, payments: [payment('p1', 'SETTLED', { amount: undefined as never })] };
    expect(step({ entries, order: order(nameless, 500) }).kind).toBe('adopt');
    expect(step({ entries, order: order(nameless, 499) }).kind).toBe('look');
    const unread = [sent('k1', { paymentId: 'p1', baseline: null })];
    expect(step({ entries: unread, order: order(shown, 2000) }).kind).toBe('look');
    const later = [
      sent('k1', { paymentId: 'p1', baseline: { paidCents: 300, refundedCents: 0, paymentIds: [], refundIds: [] } }),
    ];
    expect(step({ entries: later, order: order(shown, 799) }).kind).toBe('look');
    expect(step({ entries: later, order: order(shown, 800) }).kind).toBe('adopt');
    expect(settled({ payment_status: 'PAID' }, 500)).toBe('adopt');
    expect(settled({ payment_status: 'PROCESSING' }, 500)).toBe('look');
    expect(settled({ payment_status: 'PARTIALLY_PAID' }, 499)).toBe('look');
    expect(settled({ payment_status: 'PAID' }, 500, { isFinal: () => 'under_way' })).toBe('look');
    expect(settled({ payment_status: 'PROCESSING' }, 0, { isFinal: () => 'failed' })).toBe('adopt');
  });
});

describe('a decline', () => {
  const entries = [entry('k1', tender('a'), { state: 'REFUSED', cents: 500, declines: 1 })];

  test('is asked about with the order as it is now', () => {
    expect(step({ entries, declined: ['k1'] })).toEqual({ kind: 'ask', key: 'k1' });
    expect(step({ entries, declined: ['k1'], isFresh: false })).toMatchObject({ kind: 'look', what: 'fresh' });
  });

  test('is not asked about where nothing may be sent, nothing is due, or the order is cancelled', () => {
    expect(step({ entries, declined: ['k1'], sends: false })).toEqual({ kind: 'done' });
    expect(step({ entries, declined: ['k1'], order: order({}, 2000) })).toEqual({ kind: 'done' });
    expect(step({ entries, declined: ['k1'], order: order({ status: 'CANCELLED' }) })).toEqual({ kind: 'done' });
    expect(step({ entries, isStopped: true, unsent: [tender('b')] })).toEqual({ kind: 'done' });
  });

  test('that is retried goes out again with its amount, after its pause', () => {
    expect(step({ entries, retried: 'k1', pauseMs: 1000 })).toMatchObject({
      kind: 'look',
      what: 'pause',
      afterMs: 1000,
    });
    expect(step({ entries, retried: 'k1' })).toEqual({ kind: 'send', key: 'k1', cents: 500 });
  });

  test('answered with cancel_order cancels, once', () => {
    expect(step({ entries, isCancelled: true })).toEqual({ kind: 'cancel', idempotencyKey: null });
    expect(step({ entries, isCancelled: true, order: order({ status: 'CANCELLED' }) })).toEqual({ kind: 'done' });
  });
});

describe('what is to be sent', () => {
  test('is written down first, if it can pay this order', () => {
    expect(step({ unsent: [tender('a')] })).toEqual({ kind: 'plan' });
    expect(step({ unsent: [tender('a')], isFresh: false })).toMatchObject({ kind: 'look' });
    expect(step({ unsent: [tender('a')], sends: false })).toEqual({ kind: 'done' });
    expect(reasonOf({ unsent: [tender('a', 2001)] })).toBe('amount_exceeds_balance');
    expect(reasonOf({ unsent: [tender('a', 2000)] })).toBe('plan');
    expect(reasonOf({ unsent: [tender('a', 500, 'CASH')], order: order({ handoff_mode: 'DELIVERY' } as never) })).toBe(
      'cash_for_delivery',
    );
    expect(reasonOf({ unsent: [tender('a', 500, 'CASH')] })).toBe('plan');
    const delivery = order({ handoff_mode: 'DELIVERY' } as never);
    expect(reasonOf({ unsent: [tender('a'), tender('b', 500, 'CASH')], order: delivery })).toBe('cash_for_delivery');
    expect(reasonOf({ unsent: [tender('a')], order: delivery })).toBe('plan');
    expect(reasonOf({ unsent: [tender('a'), tender('b')], order: order({ status: 'CANCELLED' }) })).toBe(
      'order_cancelled',
    );
    expect(
      reasonOf({ unsent: [tender('a', 700)], entries: [done('k1')], raised: done('k1'), order: order({}, 500) }),
    ).toBe('tender_differs');
  });

  test('is refused by an order that takes no payment', () => {
    expect(reasonOf({ unsent: [tender('a')], order: order({ status: 'CANCELLED' }) })).toBe('order_cancelled');
    expect(reasonOf({ unsent: [tender('a')], order: order({ status: 'FAILED' }) })).toBe('order_closed');
    expect(reasonOf({ unsent: [tender('a')], order: order({ status: 'VOIDED' }) })).toBe('order_closed');
    const known = [done('k1')];
    expect(reasonOf({ unsent: [tender('b')], entries: known, order: order({ status: 'CANCELLED' }) })).toBe('done');
    expect(reasonOf({ unsent: [tender('b')], entries: known, order: order({ status: 'FAILED' }, 500) })).toBe(
      'order_closed',
    );
  });

  test('goes out one tender at a time, in the order of submission, with what the balance leaves', () => {
    const entries = [entry('card', tender('c', 'remaining', 'CREDIT_CARD')), entry('gift', tender('g'))];
    expect(step({ entries })).toEqual({ kind: 'send', key: 'gift', cents: 500 });
    const rest = [entry('k1', tender('c', 'remaining'))];
    expect(step({ entries: rest })).toEqual({ kind: 'send', key: 'k1', cents: 2000 });
    expect(step({ entries: rest, order: order({}, 2000) })).toEqual({ kind: 'leave_out', key: 'k1' });
    expect(step({ entries: rest, tenders: new Set() })).toEqual({ kind: 'done' });
    expect(step({ entries: rest, sends: false })).toEqual({ kind: 'done' });
    const tooMuch = { entries: [entry('k1', tender('g'))], order: order({ balance_due: usd(499) }) };
    expect(reasonOf(tooMuch)).toBe('amount_exceeds_balance');
    expect(step(tooMuch)).toMatchObject({ refusal: { message: expect.stringContaining('come to 500 cents') } });
    const fixed = entry('k1', tender('g', 'remaining'), { cents: 700 });
    expect(step({ ...tooMuch, entries: [fixed] })).toMatchObject({
      refusal: { message: expect.stringContaining('come to 700 cents') },
    });
  });

  test('rule 7: waits for a fresh reading, for all that was charged, and for payments under way', () => {
    const entries = [done('k0'), entry('k1', tender('g'))];
    expect(step({ entries, isFresh: false })).toMatchObject({ kind: 'look', what: 'fresh', afterMs: 0 });
    expect(step({ entries })).toMatchObject({ kind: 'look', what: 'sum k1', afterMs: 2000 });
    expect(reasonOf({ entries, waited: { what: 'sum k1', ms: 300_000, readings: 9 } })).toBe('amount_paid_differs');
    const pending = order({ payments: [payment('x', 'PENDING')] }, 500);
    expect(step({ entries, order: pending })).toMatchObject({ kind: 'look', what: 'others k1' });
    const tired = { what: 'others k1', ms: 300_000, readings: 9 };
    expect(step({ entries, order: pending, waited: tired })).toEqual({ kind: 'done' });
    expect(step({ entries, order: order({}, 500) })).toMatchObject({ kind: 'send', key: 'k1' });
    expect(step({ entries, pauseMs: 5, order: order({}, 500) })).toMatchObject({ what: 'pause' });
    expect(step({ entries, order: order({ status: 'FAILED' }, 500) })).toEqual({ kind: 'done' });
  });

  test('rule 12: what was charged and is voided since is waited for no more, and not due to us', () => {
    const voided = order({ payments: [payment('p-k0', 'VOIDED')] });
    expect(step({ entries: [done('k0')], order: voided })).toEqual({ kind: 'done' });
    expect(step({ entries: [done('k0'), entry('k1', tender('c', 'remaining'))], order: voided })).toEqual({
      kind: 'send',
      key: 'k1',
      cents: 2000,
    });
  });
});

describe('the end', () => {
  test('is a fresh reading that shows all that was charged', () => {
    expect(step({ entries: [done('k1')], order: order({}, 500) })).toEqual({ kind: 'done' });
    expect(step({ entries: [done('k1')], order: order({}, 500), isFresh: false })).toMatchObject({ kind: 'look' });
    expect(step({ entries: [done('k1')] })).toMatchObject({ kind: 'look', what: 'last' });
    expect(reasonOf({ entries: [done('k1')], waited: { what: 'last', ms: 300_000, readings: 9 } })).toBe(
      'amount_paid_differs',
    );
    expect(step({ entries: [done('k1')], order: order({ status: 'CANCELLED' }), isFresh: false })).toEqual({
      kind: 'done',
    });
    const refunded = order({ amount_refunded: usd(500) });
    expect(step({ entries: [done('k1')], order: refunded })).toEqual({ kind: 'done' });
  });

  test('readings that fail wait ever longer, and are told after polling.maxWaitMs', () => {
    const failing = (ms: number, readings: number) =>
      step({ entries: [done('k1')], isFresh: false, waited: { what: 'fresh', ms, readings } });
    expect(failing(0, 1)).toMatchObject({ afterMs: 2000, toleratesFailure: true });
    const anew = { what: 'last', ms: 300_000, readings: 9 };
    expect(step({ entries: [done('k1')], isFresh: false, waited: anew })).toMatchObject({
      ...{ what: 'fresh', afterMs: 0, toleratesFailure: true },
    });
    expect(step({ entries: [entry('k1', tender('g'))], pauseMs: 5 })).toMatchObject({ toleratesFailure: true });
    expect(step({ entries: [done('k1')] })).toMatchObject({ what: 'last', toleratesFailure: true });
    expect(failing(2000, 2)).toMatchObject({ afterMs: 4000 });
    expect(failing(299_999, 9)).toMatchObject({ toleratesFailure: true });
    expect(failing(300_000, 9)).toMatchObject({ toleratesFailure: false });
  });
});
