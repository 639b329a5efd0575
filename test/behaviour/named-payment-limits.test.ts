import { NamedOperationError, type Store } from 'online-ordering-sdk';
import type { MockService } from 'online-ordering-sdk/mock';
import { expect, test } from 'vitest';
import { card, namedShop } from './named-shop.js';

const outcome = (work: PromiseLike<unknown>) => Promise.resolve(work).catch((error: unknown) => error);
const payments = (service: MockService) =>
  service.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/payments'));

test('a named payment above the balance that the order shows is not sent, and its name stays free', async () => {
  const { service, processOf, ended, orderId, total } = await namedShop({ behaviour: { overpayment: 'accept' } });
  const pay = (cents: number) =>
    outcome(processOf().orders.payments.create(orderId, card(cents), { operation: 'rest' }));

  const refused = await ended(pay(total + 1));

  expect(refused).toBeInstanceOf(NamedOperationError);
  expect(refused).toMatchObject({ reason: 'amount_exceeds_balance', outcome: 'not_sent' });
  expect(payments(service)).toHaveLength(0);
  expect(await ended(pay(total))).toMatchObject({ status: 'COMPLETED' });
});

test('a named payment of an order that settle has paid is not sent, though the service takes overpayments', async () => {
  const { service, processOf, ended, orderId, total } = await namedShop({ behaviour: { overpayment: 'accept' } });
  await ended(processOf().orders.settle(orderId, { tenders: [card('remaining')] }));

  const late = await ended(outcome(processOf().orders.payments.create(orderId, card(500), { operation: 'deposit' })));

  expect(late).toMatchObject({ reason: 'amount_exceeds_balance', outcome: 'not_sent' });
  expect(service.ledger(orderId).charged).toBe(total);
});

test('a named payment gives its first result, also when nothing is due any more', async () => {
  const { processOf, ended, orderId, total } = await namedShop({ behaviour: { overpayment: 'accept' } });
  const pay = () => processOf().orders.payments.create(orderId, card(total), { operation: 'all' });
  const first = await ended(pay());

  expect(await ended(pay())).toEqual(first);
});

test('a lost named payment that used up the balance is found, not refused', async () => {
  const { service, processOf, ended, orderId, total } = await namedShop();
  service.faults.next('POST /orders/{order_id}/payments', { after: 'commit', fail: 'socket_reset' });
  const pay = () => outcome(processOf().orders.payments.create(orderId, card(total), { operation: 'all' }));
  expect(await ended(pay())).toMatchObject({ reason: 'unknown' });

  expect(await ended(pay())).toMatchObject({ status: 'COMPLETED' });
  expect(service.ledger(orderId).charged).toBe(total);
});

test('settle tells of a named payment that was executed unseen beside it, by a service that takes overpayments', async () => {
  const { service, processOf, ended, orderId, total } = await namedShop({ behaviour: { overpayment: 'accept' } });
  service.faults.next('POST /orders/{order_id}/payments', { delayMs: 20_000 });
  const deposit = outcome(
    processOf().orders.payments.create(orderId, card(500, 'tok_other'), { operation: 'deposit' }),
  );
  await service.clock.advance(1000);
  const settle = () => processOf().orders.settle(orderId, { tenders: [card('remaining')] });
  await ended(settle());
  await ended(deposit);

  const { charged, otherPayments } = await ended(settle());

  expect(charged.amount).toBe(total);
  expect(otherPayments).toMatchObject([{ amount: { amount: 500 }, reason: 'made_by_others' }]);
  expect(
    service
      .ledger(orderId)
      .entries.map(({ cents }) => cents)
      .sort(),
  ).toEqual([500, total].sort());
});

test('a named payment that loses its name before it leaves says that another call may be at work', async () => {
  const lossy = (inner: Store): Store => ({
    ...inner,
    compareAndSet: async (key, ...rest) => {
      if (key.includes('operation-group-leases')) throw new Error('connection lost');
      return inner.compareAndSet(key, ...rest);
    },
  });
  const { service, processOf, ended, orderId } = await namedShop({ around: lossy });
  service.faults.next('GET /orders/{order_id}', { delayMs: 20_000 });

  const lost = await ended(outcome(processOf().orders.payments.create(orderId, card(500), { operation: 'deposit' })));

  expect(lost).toBeInstanceOf(NamedOperationError);
  expect(lost).toMatchObject({ reason: 'in_progress', outcome: 'not_sent' });
  expect(payments(service)).toHaveLength(0);
});
