import { expect, test } from 'vitest';
import { type EventOf, isStale } from '../../../../src/webhooks/index.js';
import { later, statusChanged } from '../../../support/records/events.js';

const event = statusChanged('evt_1', 'PENDING|PENDING|UNPAID', 'CONFIRMED|PENDING|PAID', later(10));
const changed = event as unknown as EventOf<'order.status_changed'>;
const order = (state: string, updatedAt?: string | Date) => {
  const [status, fulfillment_status, payment_status] = state.split('|');
  return { status, fulfillment_status, payment_status, updated_at: updatedAt };
};

test.each([
  ['nothing is known', undefined, false],
  ['an earlier state is known', order('PENDING|PENDING|UNPAID', later(0)), false],
  ['a later state is known', order('CONFIRMED|PREPARING|PAID', later(20)), true],
  ['a later state is known, by a Date', order('CONFIRMED|PREPARING|PAID', new Date(later(20))), true],
  ['the same state is known, touched again by a refund', order('CONFIRMED|PENDING|PAID', later(600)), false],
  ['the state before it is known, of the same instant', order('PENDING|PENDING|UNPAID', later(10)), false],
  ['a state further along is known, of the same instant', order('CONFIRMED|PREPARING|PAID', later(10)), true],
  ['a state further along is known, without a time', order('COMPLETED|FULFILLED|PAID'), true],
  ['only the status is known', { status: 'CONFIRMED' }, false],
  ['a state of tomorrow is known, of the same instant', order('CONFIRMED|SHELVED|PAID', later(10)), false],
])('when %s, isStale says %s', (_case, known, expected) => {
  expect(isStale(changed, known)).toBe(expected);
});

test('a time in whole seconds is not older than one in milliseconds of the same second', () => {
  const inSeconds = { ...changed, data: { ...changed.data, changed_at: '2026-01-15T14:30:10Z' } };

  expect(isStale(inSeconds, order('PENDING|PENDING|UNPAID', '2026-01-15T14:30:10.900Z'))).toBe(false);
});
