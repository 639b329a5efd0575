import { randomUUID } from 'node:crypto';
import { createMockService } from 'online-ordering-sdk/mock';
import { expect } from 'vitest';
import { type Certificate, type CertifyDeps, certify, turnedGaps } from '../../src/certify/certify.js';
import type { CapturedDelivery } from '../../src/certify/scene.js';
import { GAP_ROWS, GAPS, type GapRow } from '../../src/profile/gaps.js';
import type { Choices } from '../../src/profile/profile.js';
import { demoOrder } from '../profile/demo-order.js';

/**
 * Each reading alone with every row of the suite, and every pair of readings, which takes some ten minutes; by hand:
 * `CERTIFY=whole npx vitest run test/certify/every-gap.test.ts test/certify/two-gaps.test.ts`.
 */
export const isWhole = process.env.CERTIFY === 'whole';

/** Every reading that is not the first of its row. */
export const TURNED = GAP_ROWS.flatMap((row) => GAPS[row].slice(1).map((reading): [GapRow, string] => [row, reading]));

type MockService = ReturnType<typeof createMockService>;

/** Certifies a mock service that speaks as `choices` say, in process; without limits, which would be waited for. */
export async function certifyMock(
  choices: Choices = {},
  parts: CertifyDeps = {},
): Promise<Certificate & { turned: Choices }> {
  await using service = createMockService({ seed: 7, rateLimits: false, profile: { format: 1, choices } });
  await holdSomething(service);
  const certificate = await certify(service.credentials, {
    fetch: service.fetch,
    paymentToken: 'tok_approved',
    declinedToken: 'tok_declined',
    promoCode: 'SUMMER25',
    fixedPromoCode: 'TAKE3',
    member: 'CUST-12345',
    giftCard: { number: 'GIFT-5000' },
    loyaltyAccount: 'LOYAL-1001',
    ...parts,
    delivery: async (scene) => {
      const captured: CapturedDelivery[] = [];
      const { signing_secret: secret } = service.webhooks.subscribe({
        url: 'https://capture.example.com',
        event_types: ['order.created'],
      });
      service.webhooks.route('https://capture.example.com', async (request) => {
        captured.push({ headers: Object.fromEntries(request.headers), body: await request.text(), secret });
        return new Response(null, { status: 204 });
      });
      await scene.order();
      await service.clock.advance(0);
      return captured[0];
    },
  });
  return { ...certificate, turned: turnedGaps(certificate.report.gaps) };
}

/** Gives a modifier that can be chosen twice one with a price to hold, which no item of the sample stores has. */
async function holdSomething(service: MockService): Promise<void> {
  const warm = { id: randomUUID(), name: 'Warm', price: { amount: 50, currency: 'USD' }, is_default: false };
  const group = { id: randomUUID(), name: 'Served', min_selections: 0, max_selections: 1, allows_duplicates: false };
  await service.menu.update(service.samples.locations.downtown, (menu) => {
    const groups = menu.categories.flatMap(({ items }) => items.flatMap((item) => item.modifier_groups ?? []));
    const twice = groups.find((one) => one.allows_duplicates && one.min_selections <= 1 && one.max_selections > 1)!;
    twice.modifiers[0]!.modifier_groups = [{ ...group, modifiers: [warm] }];
  });
}

/** The rows that are not as they should be, in words. */
export function troubles({ report }: Certificate): string[] {
  return [
    ...report.checks.flatMap(({ outcome, row, note }) => (outcome === 'differs' ? [`${row}: ${note}`] : [])),
    ...report.gaps.flatMap(({ row, reading, note }) => (reading === undefined ? [`${row}: ${note}`] : [])),
  ];
}

/** The demonstration runs at that service, by a client that knows what was written. */
export async function expectDemo(
  choices: Record<string, string>,
  profile: Parameters<typeof demoOrder>[0],
): Promise<void> {
  const order = await demoOrder({ format: 1, choices }, profile);
  expect(order.charged).toBe(order.orderTotal);
  expect(order.refunded).toBeGreaterThan(0);
  expect(order.verified).toBeGreaterThan(3);
  expect(order.refused).toBe(0);
}
