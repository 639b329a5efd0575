import { describe, expect, test } from 'vitest';
import {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  InternalServerError,
  RateLimitError,
  UnprocessableEntityError,
} from '../../../../src/errors/api.js';
import { APIConnectionError } from '../../../../src/errors/connection.js';
import { RequestValidationError } from '../../../../src/errors/local.js';
import {
  clearInMs,
  type Doubt,
  judge,
  NOT_WATCHED,
  NotSentError,
  proofOf,
  type Seen,
  type Watch,
  watched,
} from '../../../../src/resources/payments/lost-response.js';

const LIMITS = { horizonMs: 90_000, lagMs: 30_000 };
const KIND = { horizonMs: 0, lagMs: 0 };

const doubt = (facts: Partial<Doubt> = {}): Doubt => ({
  ...{ inDoubt: 1, wasDeclined: false, ageMs: 200_000, endedAgeMs: null, lateRefusal: null },
  ...{ isTooOld: false, isClosed: false },
  ...facts,
});
const seen = (facts: Partial<Seen<string>> = {}): Seen<string> => ({
  ...{ record: undefined, failed: undefined, isOwn: false, signs: [], isListed: true },
  ...facts,
});
const quiet: Watch = { readings: 9, failed: 0, quiet: 2, quietAtMs: 100_000 };

function failure(facts: object = {}) {
  return {
    ...{ method: 'POST', path: '/orders/{order_id}/payments', attempts: 1, outcome: 'refused' as const },
    ...{ status: 422, code: 'INVALID_REQUEST_ERROR', scenario: 'unknown', field: null, requestId: 'r1', headers: {} },
    ...{ serviceMessage: null, detail: null },
    ...facts,
  };
}

describe('rule 3: what one sending proves', () => {
  test('nothing was executed where it never left, or was told to wait or to sign in', () => {
    const nothing = [
      new NotSentError('lease'),
      new RequestValidationError('wrong', { problems: [] }),
      new APIConnectionError('refused', failure({ outcome: 'not_sent' })),
      new RateLimitError('429', { ...failure({ status: 429 }), retryAfterSeconds: 5 }),
      new AuthenticationError('401', failure({ status: 401 })),
    ];
    for (const error of nothing) expect(proofOf(error)).toEqual({ kind: 'not_executed' });
  });

  test('errors that are none of this package prove nothing, whatever they look like', () => {
    const looks = Object.assign(new Error('422'), failure());
    const lost = Object.assign(new APIConnectionError('reset', failure({ outcome: 'unknown' })), { status: 422 });
    for (const error of [looks, lost, Object.assign(new Error('429'), { outcome: 'not_sent' }), 'text', undefined]) {
      expect(proofOf(error)).toEqual({ kind: 'unknown', hasEnded: false });
    }
  });

  test('a refusal of another status than 409 and 422 is no consequence of an earlier sending', () => {
    const facts = failure({ status: 400, field: 'amount', detail: 'exceeds the balance' });
    expect(proofOf(new BadRequestError('400', facts))).toEqual({ kind: 'refused', lateRefusal: 'plain' });
    expect(proofOf(new UnprocessableEntityError('422', failure()))).toEqual({ kind: 'refused', lateRefusal: 'plain' });
  });

  test('a 400, 409 or 422 is a refusal', () => {
    expect(proofOf(new BadRequestError('400', failure({ status: 400 })))).toMatchObject({ kind: 'refused' });
    expect(proofOf(new ConflictError('409', failure({ status: 409 })))).toMatchObject({ kind: 'refused' });
    expect(proofOf(new UnprocessableEntityError('422', failure()))).toMatchObject({ kind: 'refused' });
  });

  test('a key that was used for other bytes, a lost connection, or an error of another kind leave it unknown', () => {
    const reused = new ConflictError('409', failure({ status: 409, scenario: 'idempotency_key_reused' }));
    const lost = new APIConnectionError('lost', failure({ outcome: 'unknown' }));
    for (const error of [reused, lost, new Error('bug')]) {
      expect(proofOf(error)).toEqual({ kind: 'unknown', hasEnded: false });
    }
  });

  test("only the service's own 500 shows that the execution has ended: a gateway's page does not", () => {
    const of = (facts: object) =>
      proofOf(
        new InternalServerError('5xx', {
          ...failure({ outcome: 'unknown', status: 500, ...facts }),
          retryAfterSeconds: undefined,
        }),
      );
    expect(of({ code: 'INTERNAL_ERROR' })).toEqual({ kind: 'unknown', hasEnded: true });
    expect(of({ code: null })).toEqual({ kind: 'unknown', hasEnded: false });
    expect(of({ code: 'INTERNAL_ERROR', requestId: null })).toEqual({ kind: 'unknown', hasEnded: false });
    expect(of({ code: 'INTERNAL_ERROR', status: 504 })).toEqual({ kind: 'unknown', hasEnded: false });
    expect(proofOf(new APIConnectionError('204', failure({ outcome: 'applied' })))).toEqual({
      kind: 'unknown',
      hasEnded: true,
    });
  });

  test('a refusal of a repetition may be the consequence of the first sending', () => {
    const of = (facts: object) => proofOf(new UnprocessableEntityError('422', failure(facts)));
    expect(of({ field: 'amount' })).toMatchObject({ lateRefusal: 'sign' });
    expect(of({ scenario: 'refund_exceeds_balance' })).toMatchObject({ lateRefusal: 'sign' });
    expect(of({ detail: 'Insufficient funds' })).toMatchObject({ lateRefusal: 'sign' });
    expect(of({ serviceMessage: 'Duplicate transaction' })).toMatchObject({ lateRefusal: 'sign' });
    expect(of({ serviceMessage: 'Payment declined', detail: 'card_declined' })).toMatchObject({ lateRefusal: 'plain' });
    expect(proofOf(new ConflictError('409', failure({ status: 409 })))).toMatchObject({ lateRefusal: 'sign' });
    expect(proofOf(new BadRequestError('400', failure({ status: 400 })))).toMatchObject({ lateRefusal: 'plain' });
  });
});

describe('rule 6: the horizon', () => {
  test('counts from the sending; after an error of the service only the lag is waited for, from the response', () => {
    expect(clearInMs({ ageMs: 30_000, endedAgeMs: null }, LIMITS)).toBe(60_000);
    expect(clearInMs({ ageMs: 90_000, endedAgeMs: null }, LIMITS)).toBe(0);
    expect(clearInMs({ ageMs: 99_000, endedAgeMs: null }, LIMITS)).toBe(0);
    expect(clearInMs({ ageMs: 2000, endedAgeMs: 1000 }, LIMITS)).toBe(29_000);
    expect(clearInMs({ ageMs: 40_000, endedAgeMs: 30_000 }, LIMITS)).toBe(0);
    expect(clearInMs({ ageMs: 85_000, endedAgeMs: 0 }, LIMITS)).toBe(5000);
    expect(clearInMs({ ageMs: 0, endedAgeMs: null }, { horizonMs: 0, lagMs: 30_000 })).toBe(30_000);
    expect(clearInMs({ ageMs: 0, endedAgeMs: null }, KIND)).toBe(0);
  });
});

describe('rule 4: what to do about a key in doubt', () => {
  test('a record that matches is adopted at once', () => {
    expect(judge(doubt({ ageMs: 0 }), seen({ record: 'paid' }), NOT_WATCHED, LIMITS)).toEqual({
      kind: 'found',
      record: 'paid',
    });
  });

  test('until the horizon the order is read, at growing intervals that end with it', () => {
    const at = (readings: number, ageMs: number) =>
      judge(doubt({ ageMs }), seen(), { ...NOT_WATCHED, readings }, LIMITS);
    expect([0, 1, 2, 3, 5, 9].map((readings) => at(readings, 0))).toEqual(
      [500, 1000, 2000, 4000, 16_000, 16_000].map((afterMs) => ({ kind: 'look', afterMs })),
    );
    expect(at(9, 89_000)).toEqual({ kind: 'look', afterMs: 1000 });
    expect(judge(doubt({ ageMs: 0 }), undefined, NOT_WATCHED, LIMITS)).toEqual({ kind: 'look', afterMs: 500 });
  });

  test('signs of it before the horizon end nothing: its record may still come into sight', () => {
    expect(judge(doubt({ ageMs: 1000 }), seen({ signs: ['sum_rose'] }), NOT_WATCHED, LIMITS).kind).toBe('look');
  });

  test('after the horizon two readings, three seconds apart, must show nothing', () => {
    const at = (count: number) => judge(doubt(), seen(), { ...quiet, quiet: count }, LIMITS);
    expect(at(0)).toEqual({ kind: 'look', afterMs: 0 });
    expect(at(1)).toEqual({ kind: 'look', afterMs: 3000 });
    expect(at(2)).toEqual({ kind: 'repeat' });
    expect(judge(doubt(), seen(), { ...quiet, quiet: 1 }, KIND)).toEqual({ kind: 'look', afterMs: 0 });
    expect(judge(doubt(), undefined, quiet, LIMITS).kind).toBe('look');
  });

  test('readings that fail are none, and in the end leave it unknown', () => {
    const failing = (failed: number) => judge(doubt(), seen(), { ...NOT_WATCHED, readings: 9, failed }, LIMITS);
    expect(failing(1)).toEqual({ kind: 'look', afterMs: 1000 });
    expect(failing(4).kind).toBe('look');
    expect(failing(5)).toEqual({ kind: 'unknown', why: 'unreadable' });
    expect(judge(doubt({ ageMs: 0 }), seen(), { ...NOT_WATCHED, readings: 9, failed: 9 }, LIMITS).kind).toBe('look');
  });

  test('only readings that began after the horizon count, and only some seconds apart', () => {
    const read = (watch: Watch, beganAtMs: number, more: object = {}) =>
      watched(watch, { beganAtMs, wasClear: true, hasFailed: false, ...more }, LIMITS);
    const first = read(NOT_WATCHED, 1000);
    expect(first).toEqual({ readings: 1, failed: 0, quiet: 1, quietAtMs: 1000 });
    expect(read(first, 3999)).toEqual({ readings: 2, failed: 0, quiet: 1, quietAtMs: 1000 });
    expect(read(first, 4000)).toEqual({ readings: 2, failed: 0, quiet: 2, quietAtMs: 4000 });
    expect(read(first, 9000, { wasClear: false })).toEqual({ readings: 2, failed: 0, quiet: 1, quietAtMs: 1000 });
    const failed = read(first, 9000, { hasFailed: true });
    expect(failed).toEqual({ readings: 2, failed: 1, quiet: 1, quietAtMs: 1000 });
    expect(read(failed, 9001).failed).toBe(0);
  });

  test('signs of execution are never followed by a repetition', () => {
    expect(judge(doubt(), seen({ signs: ['sum_rose'] }), quiet, LIMITS)).toEqual({ kind: 'unknown', why: 'sum_rose' });
    expect(judge(doubt(), seen({ signs: ['new_record'] }), quiet, LIMITS)).toEqual({
      kind: 'unknown',
      why: 'new_record',
    });
    expect(judge(doubt({ lateRefusal: 'sign' }), seen(), quiet, LIMITS)).toEqual({
      kind: 'unknown',
      why: 'late_refusal',
    });
    expect(judge(doubt({ lateRefusal: 'sign' }), seen({ failed: 'no' }), quiet, LIMITS).kind).toBe('unknown');
    expect(judge(doubt(), seen({ isListed: false }), quiet, LIMITS)).toEqual({ kind: 'unknown', why: 'not_listed' });
    expect(judge(doubt({ isTooOld: true }), seen(), quiet, LIMITS)).toEqual({ kind: 'unknown', why: 'too_old' });
  });

  test('a failed record counts at once only for the only sending, under its key', () => {
    const own = seen({ failed: 'no', isOwn: true });
    const found = { kind: 'found', record: 'no' };
    expect(judge(doubt({ ageMs: 0 }), own, NOT_WATCHED, LIMITS)).toEqual(found);
    expect(judge(doubt({ ageMs: 0, inDoubt: 2 }), own, NOT_WATCHED, LIMITS).kind).toBe('look');
    expect(judge(doubt({ ageMs: 0, wasDeclined: true }), own, NOT_WATCHED, LIMITS).kind).toBe('look');
    expect(judge(doubt({ ageMs: 0 }), seen({ failed: 'no' }), NOT_WATCHED, LIMITS).kind).toBe('look');
    expect(judge(doubt(), seen({ failed: 'no' }), quiet, LIMITS)).toEqual(found);
    expect(judge(doubt({ inDoubt: 2 }), seen({ failed: 'no' }), quiet, LIMITS)).toEqual(found);
  });

  test('where keys are serialised, a failed record decides nothing while another sending may wait behind it', () => {
    expect(judge(doubt({ inDoubt: 2 }), seen({ failed: 'no' }), quiet, KIND)).toEqual({ kind: 'repeat' });
    expect(judge(doubt({ inDoubt: 1 }), seen({ failed: 'no' }), quiet, KIND)).toEqual({ kind: 'repeat' });
    expect(judge(doubt({ inDoubt: 1 }), seen({ failed: 'no', isOwn: true }), quiet, KIND).kind).toBe('found');
    expect(judge(doubt({ inDoubt: 2, lateRefusal: 'plain' }), seen({ failed: 'no' }), quiet, KIND).kind).toBe('found');
    const own = seen({ failed: 'no', isOwn: true });
    expect(judge(doubt({ inDoubt: 2 }), own, quiet, KIND)).toEqual({ kind: 'repeat' });
    expect(judge(doubt({ inDoubt: 1, wasDeclined: true }), own, quiet, KIND).kind).toBe('found');
  });

  test('a key that carries no record at all goes out again, also where a declined one was its own', () => {
    expect(judge(doubt({ ageMs: 0 }), seen({ isOwn: true }), NOT_WATCHED, LIMITS).kind).toBe('look');
  });
});

describe('rule 5: a repetition that is refused', () => {
  test('was executed by no sending, when the order shows nothing after its horizon', () => {
    expect(judge(doubt({ lateRefusal: 'plain', ageMs: 0 }), seen(), quiet, LIMITS).kind).toBe('look');
    expect(judge(doubt({ lateRefusal: 'plain' }), seen(), quiet, LIMITS)).toEqual({ kind: 'not_applied' });
    expect(judge(doubt({ isClosed: true }), seen(), quiet, LIMITS)).toEqual({ kind: 'not_applied' });
  });
});
