import { createMockService } from 'online-ordering-sdk/mock';
import { type Certificate, type CertifyParts, certify, turnedGaps } from '../../src/certify/certify.js';
import type { CapturedDelivery } from '../../src/certify/scene.js';
import { GAP_ROWS, GAPS, type GapRow } from '../../src/profile/gaps.js';
import type { Choices } from '../../src/profile/profile.js';

/** Every reading that is not the first of its row. */
export const TURNED = GAP_ROWS.flatMap((row) => GAPS[row].slice(1).map((reading): [GapRow, string] => [row, reading]));

/** Certifies a mock service that speaks as `choices` say, in process; without limits, which would be waited for. */
export async function certifyMock(
  choices: Choices = {},
  parts: CertifyParts = {},
): Promise<Certificate & { turned: Choices }> {
  await using service = createMockService({ seed: 7, rateLimits: false, profile: { format: 1, choices } });
  const certificate = await certify(service.credentials, {
    fetch: service.fetch,
    paymentToken: 'tok_approved',
    declinedToken: 'tok_declined',
    promoCode: 'SUMMER25',
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

/** The rows that are not as they should be, in words. */
export function troubles({ report }: Certificate): string[] {
  return [
    ...report.checks.flatMap(({ outcome, row, note }) => (outcome === 'differs' ? [`${row}: ${note}`] : [])),
    ...report.gaps.flatMap(({ row, reading, note }) => (reading === undefined ? [`${row}: ${note}`] : [])),
  ];
}
