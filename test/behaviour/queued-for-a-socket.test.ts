import { afterEach, expect, test } from 'vitest';
import { CART_ID, cart, envelope } from '../support/records/index.js';
import { ListeningService } from '../support/service/listening-service.js';

let server: ListeningService | undefined;
afterEach(async () => server?.stop());

test('calls that wait for a socket are not sent in a cool-down that begins meanwhile', async () => {
  let refusedAt = Number.POSITIVE_INFINITY;
  const sentMeanwhile: number[] = [];
  server = await ListeningService.start((exchange) => {
    const sinceRefusal = performance.now() - refusedAt;
    if (sinceRefusal > 50 && sinceRefusal < 990) sentMeanwhile.push(sinceRefusal);
    if (server?.requests.length !== 1) return void setTimeout(() => exchange.reply(200, cart), 600);
    setTimeout(() => {
      refusedAt = performance.now();
      exchange.reply(429, envelope('RATE_LIMIT_ERROR', 'Rate limit exceeded'), { 'retry-after': '1' });
    }, 400);
  });
  const client = server.client();
  await client.auth.accessToken();

  const calls = await Promise.all(
    Array.from({ length: 200 }, () => client.carts.retrieve(CART_ID, { timeout: 30_000 }).withResponse()),
  );

  expect(sentMeanwhile).toEqual([]);
  // The refused call was sent twice; what was held back is no attempt.
  expect(calls.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(201);
  expect(server.requests).toHaveLength(201);
});
