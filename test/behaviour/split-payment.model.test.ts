import fc from 'fast-check';
import {
  OutcomeUnknownError,
  PaymentStateError,
  RateLimitError,
  SettlementInterruptedError,
  type Tender,
} from 'online-ordering-sdk';
import { createMockService } from 'online-ordering-sdk/mock';
import { expect, test } from 'vitest';
import type { DeclineAnswer } from '../../src/resources/payments/settle/decline.js';
import type { Settlement } from '../../src/resources/payments/settle/settlement.js';
import { clientOf } from './order-to-pay.js';
import { Crash, instrumentOf, type Mishap, type Plan, Simulation } from './settle-model.js';

const RUNS = Number(process.env.MODEL_RUNS ?? 400);
const RANKS: Readonly<Record<string, number>> = { LOYALTY_POINTS: 0, GIFT_CARD: 1, CREDIT_CARD: 3, DIGITAL_WALLET: 3 };

const mishap = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Mishap>('none') },
  {
    weight: 8,
    arbitrary: fc.constantFrom<Mishap>(
      ...(['declined', 'declined_answer_lost', 'reset_before', 'reset_after', 'error_before'] as const),
      ...(['error_after', 'rate_limited', 'slow', 'fails_later'] as const),
    ),
  },
);

/** Few instruments and amounts, so that identical tenders are common. */
const instrument = fc.constantFrom(
  { payment_method: 'LOYALTY_POINTS', loyalty_account_id: 'points-1' } as const,
  { payment_method: 'GIFT_CARD', gift_card_number: 'gift-1' } as const,
  { payment_method: 'GIFT_CARD', gift_card_number: 'gift-2' } as const,
  { payment_method: 'CREDIT_CARD', payment_token: 'card-1' } as const,
  { payment_method: 'DIGITAL_WALLET', payment_token: 'wallet-1' } as const,
);
const fixed = fc
  .tuple(instrument, fc.constantFrom(100, 100, 250))
  .map(([fields, amount]): Tender => ({ ...fields, amount }));
const rest = instrument.map((fields): Tender => ({ ...fields, amount: 'remaining' }));
const tenders = fc
  .tuple(fc.array(fixed, { maxLength: 3 }), fc.option(rest, { freq: 3 }))
  .filter(([some, last]) => some.length > 0 || last !== null)
  .chain(([some, last]) => {
    const all = last ? [...some, last] : some;
    return fc.shuffledSubarray(all, { minLength: all.length });
  });

const replacement = fc
  .tuple(fc.constantFrom('spare-1', 'spare-2'), fc.constantFrom<Tender['amount']>(50, 'remaining'))
  .map(([payment_token, amount]): DeclineAnswer => ({ payment_method: 'CREDIT_CARD', payment_token, amount }));
const answer = fc.oneof(
  { weight: 3, arbitrary: fc.constant<DeclineAnswer>('retry') },
  { weight: 3, arbitrary: replacement },
  { weight: 1, arbitrary: fc.constant<DeclineAnswer>('stop') },
  { weight: 1, arbitrary: fc.constant<DeclineAnswer>('cancel_order') },
);
const INSTRUMENTS = ['points-1', 'gift-1', 'gift-2', 'card-1', 'wallet-1', 'spare-1', 'spare-2'];

const plan: fc.Arbitrary<Plan> = fc.record({
  tenders,
  answers: fc
    .array(answer, { minLength: 7, maxLength: 7 })
    .map((all) => new Map(INSTRUMENTS.map((name, i) => [name, all[i]!]))),
  mishaps: fc.array(mishap, { maxLength: 10 }),
  lags: fc.array(fc.nat({ max: 2 }), { maxLength: 10 }),
  crashes: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 6 }),
});

test('no run of declines, lost responses, delays and crashes charges a tender twice, or an order above its total', async () => {
  const service = createMockService({ rateLimits: false });
  const client = clientOf(service, { maxRetries: 0 });
  const shop = service.samples;

  const newOrder = async () => {
    const cart = await client.carts.create({ location_id: shop.locations.downtown });
    await client.carts.items.add(cart.id, shop.cartItems.turkeySub);
    return client.carts.checkout(cart.id, { handoff_mode: { mode: 'PICKUP' } });
  };

  await fc.assert(
    fc.asyncProperty(plan, async (drawn) => {
      const { order_id: orderId, total } = await service.clock.runUntil(newOrder());
      const simulation = new Simulation(service, client, drawn);
      let settlement: Settlement | undefined;

      // Every crash and every mishap happens once, so that the calls come to an end.
      for (let calls = 0; settlement === undefined || settlement.status === 'PROCESSING'; calls += 1) {
        expect(calls).toBeLessThan(40);
        settlement = await service.clock
          .runUntil(simulation.settle(orderId))
          .catch((error) => unlessExpected(error, simulation));
        expect(service.ledger(orderId).charged).toBeLessThanOrEqual(total.amount);
      }

      const { entries, charged, net } = service.ledger(orderId);
      const charges = entries.filter(({ kind }) => kind === 'charge');
      // No key, and no tender more often than it was given.
      expect(new Set(charges.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(charges.length);
      const sent = charges.map(({ idempotencyKey }) => simulation.sent.get(idempotencyKey ?? '')!);
      for (const { instrument: name } of sent) {
        expect(sent.filter((other) => other.instrument === name).length).toBeLessThanOrEqual(timesGiven(drawn, name));
      }
      // Loyalty points, gift cards, cards; a replacement comes when its turn is.
      const ranks = charges
        .filter((_, index) => !sent[index]!.instrument.startsWith('spare'))
        .map(({ method }) => RANKS[method]!);
      expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
      // The result is the ledger.
      const completed = settlement.tenders.filter(({ status }) => status === 'COMPLETED');
      expect(completed.map(({ idempotencyKey }) => idempotencyKey).sort()).toEqual(
        charges.map(({ idempotencyKey }) => idempotencyKey).sort(),
      );
      expect(settlement.charged.amount).toBe(charged);
      expect(settlement.status).toBe(statusFor(settlement, { net, total: total.amount }));
    }),
    { numRuns: RUNS },
  );
}, 600_000);

function unlessExpected(error: unknown, { hasDied }: Simulation): undefined {
  // A dead process keeps no order for itself, and finds that out when it waited for longer than a lease.
  if (hasDied && error instanceof PaymentStateError && error.reason === 'lock_lost') return undefined;
  // A death before anything was sent comes as a journal that cannot be used, one after it as an interruption.
  const isJournalError = error instanceof PaymentStateError && error.reason === 'journal_unavailable';
  const cause = isJournalError || error instanceof SettlementInterruptedError ? error.cause : error;
  const isExpected = cause instanceof Crash || cause instanceof OutcomeUnknownError || cause instanceof RateLimitError;
  if (!isExpected) throw error;
  return undefined;
}

function timesGiven({ tenders: given, answers }: Plan, name: string): number {
  const replacements = [...answers.values()].filter((one) => typeof one === 'object' && instrumentOf(one) === name);
  return given.filter((tender) => instrumentOf(tender) === name).length + replacements.length * given.length;
}

function statusFor({ status }: Settlement, { net, total }: { net: number; total: number }): Settlement['status'] {
  if (status === 'CANCELLED') return net === 0 ? 'CANCELLED' : 'PAID';
  if (net === 0) return 'UNPAID';
  return net === total ? 'PAID' : 'PARTIALLY_PAID';
}
