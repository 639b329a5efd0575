import { setupServer } from 'msw/node';
import { expect, onTestFinished, test } from 'vitest';
import { openService } from '../open-service.js';

test('MSW responds at the address of the credentials, faults included', async () => {
  const { service, token } = await openService();
  const server = setupServer(...service.handlers);
  server.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => server.close());
  const ask = () => fetch(`${service.credentials.baseUrl}/orders`, { headers: { authorization: `Bearer ${token}` } });

  const answer = await ask();
  service.faults.next('GET /orders', { fail: 'socket_reset' });
  const failed = ask();

  expect([answer.status, await answer.json()]).toEqual([
    200,
    { data: [], pagination: { has_more: false, next_cursor: null } },
  ]);
  await expect(failed).rejects.toThrow(TypeError);
});
