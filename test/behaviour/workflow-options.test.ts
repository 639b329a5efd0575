import { ConfigurationError, type SettleOptions } from 'online-ordering-sdk';
import { expect, test } from 'vitest';
import { orderToPay } from './order-to-pay.js';

const TENDERS = [{ payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' }];

test.each([
  ['a misspelt option', { onDecline: () => 'stop' }, 'The option "onDecline" does not exist'],
  ['a directory in place of a journal', { journal: './payments' }, 'fileJournal("./payments")'],
  ['a handler that is none', { onDeclined: 'stop' }, 'onDeclined is not a function'],
])('%s of settle is refused before anything is sent', async (_what, wrong, message) => {
  const { service, client, orderId } = await orderToPay();
  const before = service.requests().length;
  const options = { tenders: TENDERS, ...wrong } as unknown as SettleOptions;

  const refused = client.orders.settle(orderId, options);

  await expect(refused).rejects.toThrow(ConfigurationError);
  await expect(refused).rejects.toThrow(message);
  expect(service.requests()).toHaveLength(before);
});

test('a journal that cannot be reached stops a settlement before anything is sent, with an error of this package', async () => {
  const { service, client, orderId } = await orderToPay();
  const before = service.requests().length;
  const down = new Error('disk full');
  const journal = { read: () => Promise.resolve(undefined), write: () => Promise.reject(down) };

  const refused = client.orders.settle(orderId, { tenders: TENDERS, journal } as unknown as SettleOptions);

  await expect(refused).rejects.toMatchObject({
    name: 'PaymentStateError',
    reason: 'journal_unavailable',
    cause: down,
  });
  expect(
    service
      .requests()
      .slice(before)
      .filter(({ method }) => method !== 'GET'),
  ).toEqual([]);
});

test('a misspelt option of waitFor or of the guarded checkout is refused before anything is sent', async () => {
  const { service, client, orderId } = await orderToPay();
  const before = service.requests().length;
  const misspelt = { onchange: () => {}, onPricechange: () => 'stop' } as object;

  await expect(client.orders.waitFor(orderId, 'paid', misspelt)).rejects.toThrow('"onchange" does not exist');
  await expect(client.carts.checkoutWithPrice('cart', misspelt)).rejects.toThrow('"onchange" does not exist');
  expect(service.requests()).toHaveLength(before);
});
