import { OutcomeUnknownError } from 'online-ordering-sdk';
import { expect, test } from 'vitest';
import { cardPayment, ORDER_ID, payment } from '../support/records/index.js';
import { TestService } from '../support/service/test-service.js';

/** An order as a service answers it that tells of the payment in it (gap PAY-2). */
function orderWith(...payments: readonly unknown[]) {
  return { id: ORDER_ID, status: 'CONFIRMED', payments };
}

test('an order in place of a payment gives the payment that was asked for', async () => {
  const earlier = { ...payment, id: 'earlier', payment_method: 'GIFT_CARD' };
  const service = new TestService(() => ({ status: 200, body: orderWith(earlier, payment) }));

  const paid = await service.client({ validation: 'off' }).orders.payments.create(ORDER_ID, cardPayment);

  expect(paid).toEqual(payment);
  expect(service.requests).toHaveLength(1);
});

test('an order that does not show the payment leaves it unknown, and nothing is sent again by itself', async () => {
  const service = new TestService(() => ({ status: 200, body: orderWith() }));

  const error = await service
    .client({ validation: 'off' })
    .orders.payments.create(ORDER_ID, cardPayment)
    .catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(OutcomeUnknownError);
  expect(error).toMatchObject({ orderId: ORDER_ID, outcome: 'unknown', cause: { name: 'ResponseValidationError' } });
  expect(service.requests).toHaveLength(1);
});

test('its resolve() takes the payment from the order, once the order shows it', async () => {
  const service = new TestService(({ method }) => ({
    status: 200,
    body: method === 'POST' ? orderWith() : orderWith(payment),
  }));
  const error = await service
    .client({ validation: 'off' })
    .orders.payments.create(ORDER_ID, cardPayment)
    .catch((reason: unknown) => reason);

  const resolving = (error as OutcomeUnknownError).resolve();
  await service.clock.advance(10_000);
  const resolution = await resolving;

  expect(resolution).toMatchObject({ outcome: 'applied', record: { id: payment.id } });
  expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});
