import { APIError, NamedOperationError, OutcomeUnknownError } from 'online-ordering-sdk';
import type { BehaviourChange, MockService } from 'online-ordering-sdk/mock';
import { describe, expect, test } from 'vitest';
import { card, namedShop } from './named-shop.js';

const PAYMENTS = 'POST /orders/{order_id}/payments';
/** Which faults the requests for a payment meet, the first and the second one. */
const MISHAPS: Record<string, readonly Parameters<MockService['faults']['next']>[1][]> = {
  'nothing is lost': [],
  'the first response is lost': [{ after: 'commit', fail: 'socket_reset' }],
  'both responses are lost': [
    { after: 'commit', fail: 'socket_reset' },
    { after: 'commit', fail: 'socket_reset' },
  ],
  'the first request is lost': [{ fail: 'socket_reset' }],
  'the first one fails after the effect': [{ after: 'commit', status: 500 }],
};
const SERVICES: Record<string, BehaviourChange> = {
  'a prompt service': {},
  'readings that lag': { readLagMs: 20_000, paymentListLagMs: 20_000, paymentSumLagMs: 20_000 },
  'keys in flight that run twice': { keysInFlight: 'run_twice', authorizationMs: 20_000 },
  'authorizations of different length': { authorizationMs: [0, 20_000] },
};

describe.each(Object.entries(SERVICES))('%s', (_service, behaviour) => {
  describe.each(Object.entries(MISHAPS))('%s', (_mishap, faults) => {
    test.each([0, 15, 25_000])(
      'a named payment beside a settlement that begins %i ms later: the order is charged its total, and neither says what is not so',
      async (laterMs) => {
        const { service, processOf, ended, orderId, total } = await namedShop({ behaviour, latency: 10 });
        for (const fault of faults) service.faults.next(PAYMENTS, fault);
        const pay = () => processOf().orders.payments.create(orderId, card(500), { operation: 'deposit' });
        const settle = () => processOf().orders.settle(orderId, { tenders: [card('remaining', 'tok_other')] });
        const outcome = (work: PromiseLike<unknown>) => Promise.resolve(work).catch((error: unknown) => error);

        const first = outcome(pay());
        const second = new Promise((resolve) => service.clock.setTimer(() => resolve(undefined), laterMs)).then(() =>
          outcome(settle()),
        );
        await ended(Promise.all([first, second]));
        await service.clock.advance('10m');

        const { charged } = service.ledger(orderId);
        expect(charged).toBeLessThanOrEqual(total);
        let settled = await ended(outcome(settle()));
        if (settled instanceof OutcomeUnknownError) {
          // The settlement cannot tell the named payment from its own, which was lost; the caller can.
          const { idempotencyKey: key = '' } = settled;
          const own = service.ledger(orderId).entries.find(({ cents }) => cents !== 500);
          const word = own ? { charged: { [key]: own.paymentId } } : { notCharged: [key] };
          await ended(processOf().orders.resume(orderId, word));
          settled = await ended(outcome(settle()));
        }
        expect(settled).toMatchObject({ status: 'PAID' });
        expect(service.ledger(orderId).charged).toBe(total);

        const named = await ended(outcome(pay()));
        const own = service.ledger(orderId).entries.filter(({ cents }) => cents === 500);
        if (!(named instanceof Error)) return expect(own).toHaveLength(1);
        // Refused, since nothing was left to pay; or what the settlement charged might have been it.
        expect(own).toEqual([]);
        if (named instanceof NamedOperationError)
          expect(named).toMatchObject({ reason: 'unknown', outcome: 'unknown' });
        else expect(named).toBeInstanceOf(APIError);
      },
    );
  });
});
