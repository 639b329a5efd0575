import type { CallError } from 'online-ordering-sdk';
import { afterEach, expect, test } from 'vitest';
import { CART_ID, cardPayment, cart, ORDER_ID, payment } from '../support/records/index.js';
import { rejection } from '../support/rejection.js';
import { ListeningService } from '../support/service/listening-service.js';
import { TestService } from '../support/service/test-service.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let server: ListeningService | undefined;
afterEach(async () => server?.stop());

test.each([-HOUR, -MINUTE, MINUTE, HOUR])(
  'a step of the wall clock by %d ms changes neither a time-out nor a deadline',
  async (step) => {
    const service = new TestService(() => ({ hold: true }));
    const client = service.client({ maxRetries: 0 });
    await client.auth.accessToken();
    const endings: string[] = [];
    const watch = (call: PromiseLike<unknown>) =>
      void rejection<CallError>(call).then(({ name }) =>
        endings.push(`${name} at ${service.clock.monotonic() - start}`),
      );
    const start = service.clock.monotonic();
    watch(client.carts.retrieve(CART_ID, { timeout: 2000 }));
    watch(client.carts.retrieve(CART_ID, { timeout: 9000, deadline: 3000 }));
    watch(client.orders.payments.create(ORDER_ID, cardPayment, { timeout: 30_000 }));
    await service.clock.advance(100);

    service.clock.step(step);
    await service.clock.advance(4000);
    expect(endings).toEqual(['APIConnectionTimeoutError at 2000', 'DeadlineExceededError at 3000']);

    watch(client.carts.retrieve(CART_ID, { timeout: 500 }));
    await service.clock.advance(500);
    expect(endings).toHaveLength(3);
    await service.clock.advance(25_400);
    expect(endings[3]).toBe('OutcomeUnknownError at 30000');
  },
);

test.each([
  ['undici', {}],
  ['fetch', { fetch: globalThis.fetch }],
])(
  'over %s a response that came while the event loop was blocked is read after its time-out',
  async (_over, options) => {
    server = await ListeningService.start((exchange) => {
      exchange.reply(exchange.method === 'GET' ? 200 : 201, exchange.method === 'GET' ? cart : payment);
      for (const end = performance.now() + 300; performance.now() < end; );
    });
    const client = server.client({ ...options, maxRetries: 0 });
    await client.auth.accessToken();

    expect(await client.carts.retrieve(CART_ID, { timeout: 150 })).toEqual(cart);
    expect(await client.orders.payments.create(ORDER_ID, cardPayment, { timeout: 150 })).toEqual(payment);
  },
);
