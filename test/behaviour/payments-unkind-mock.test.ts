import { OnlineOrdering, OutcomeUnknownError } from 'online-ordering-sdk';
import { type BehaviourChange, createMockService } from 'online-ordering-sdk/mock';
import { expect, test } from 'vitest';

const PAYMENTS = 'POST /orders/{order_id}/payments';

/** Every switch of the mock that is unkind about payments, alone and together. */
const SWITCHES: readonly (readonly [string, BehaviourChange])[] = [
  ['kind', {}],
  ['keys in flight run twice', { keysInFlight: 'run_twice', authorizationMs: 20_000 }],
  ['keys in flight are a conflict', { keysInFlight: 'conflict', authorizationMs: 20_000 }],
  ['overpayment is taken', { overpayment: 'accept' }],
  ['duplicates are declined', { duplicates: 'decline' }],
  ['readings lag', { readLagMs: 20_000 }],
  ['the list of payments lags', { paymentListLagMs: 20_000 }],
  ['the sums lag', { paymentSumLagMs: 20_000 }],
  ['authorizations take long', { authorizationMs: 25_000 }],
  ['a gateway gives up first', { gatewayTimeoutMs: 10_000, authorizationMs: 40_000, keysInFlight: 'run_twice' }],
  ['methods have other names', { records: { methods: { CREDIT_CARD: 'VISA', GIFT_CARD: 'STORED_VALUE' } } }],
  ['amounts are shown with a surcharge', { records: { amountOffsetCents: 10 } }],
  ['FAILED records stand before', { records: { failedPayments: 2 } }],
  ['there is no Date', { dateHeader: false }],
  ['the clock is wrong', { clockOffsetMs: 600_000 }],
  [
    'all of it',
    {
      keysInFlight: 'run_twice',
      overpayment: 'accept',
      readLagMs: [0, 8000],
      paymentListLagMs: [0, 8000],
      paymentSumLagMs: [0, 8000],
      authorizationMs: [0, 30_000],
      gatewayTimeoutMs: 15_000,
      dateHeader: false,
      records: { failedPayments: 1 },
    },
  ],
];

const MISHAPS = {
  'nothing is lost': undefined,
  'the connection ends after the payment': { after: 'commit', fail: 'socket_reset' },
  'the service fails after the payment': { after: 'commit', status: 500 },
  'the connection ends before the payment': { fail: 'socket_reset' },
} as const;

for (const [mishap, fault] of Object.entries(MISHAPS)) {
  test.each(SWITCHES)(`an order is charged once when %s, and ${mishap}`, async (_, behaviour) => {
    const service = createMockService({ rateLimits: false, behaviour });
    const { credentials, dispatcher, clock } = service;
    const client = new OnlineOrdering({ ...credentials, dispatcher, clock, logLevel: 'off' });
    const orderId = await clock.runUntil(checkedOut(service, client));
    if (fault) service.faults.next(PAYMENTS, fault);
    const tenders = [
      { payment_method: 'GIFT_CARD', gift_card_number: 'GIFT-0500', amount: 500 },
      { payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' },
    ] as const;

    const end = await clock.runUntil(client.orders.settle(orderId, { tenders }).catch((error: unknown) => error));
    await clock.advance('10m');

    const { entries, charged } = service.ledger(orderId);
    expect(new Set(entries.map(({ method, cents }) => `${method} ${cents}`)).size).toBe(entries.length);
    if (end instanceof OutcomeUnknownError) {
      expect(entries.length).toBeLessThan(2);
    } else {
      expect(end).toMatchObject({ status: 'PAID', charged: { amount: charged } });
      expect(entries).toHaveLength(2);
    }
  });
}

async function checkedOut({ samples }: ReturnType<typeof createMockService>, client: OnlineOrdering): Promise<string> {
  const cart = await client.carts.create({ location_id: samples.locations.downtown });
  await client.carts.items.add(cart.id, { ...samples.cartItems.turkeySub, quantity: 2 });
  await client.carts.setHandoff(cart.id, { mode: 'PICKUP' });
  return (await client.carts.checkout(cart.id)).order_id;
}
