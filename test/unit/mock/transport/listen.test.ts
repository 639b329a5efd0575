import { describe, expect, test } from 'vitest';
import { openService } from '../open-service.js';

async function openServer() {
  const opened = await openService();
  const server = await opened.service.listen();
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, { ...init, headers: { authorization: `Bearer ${opened.token}`, ...init.headers } });
  return { ...opened, server, ask };
}

describe('The HTTP server', () => {
  test('listens on this machine, under the base path', async () => {
    const { server, ask } = await openServer();

    const answer = await ask('/locations');

    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/online-ordering$/);
    expect(server.url).toContain(`:${server.port}/`);
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as { data: unknown[] }).data).toHaveLength(3);
  });

  test('serves the same service as fetch does', async () => {
    const { service, call, ask } = await openServer();
    const headers = { 'idempotency-key': '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11', 'content-type': 'application/json' };
    const body = JSON.stringify({ location_id: service.samples.locations.downtown });

    const cart = (await (await ask('/carts', { method: 'POST', headers, body })).json()) as { id: string };

    expect((await call(`GET /carts/${cart.id}`)).body).toEqual(cart);
  });

  test('has an empty 204', async () => {
    const { call, ask } = await openServer();
    const hook = (await call('POST /webhooks', { body: { url: 'https://a.example', event_types: ['order.created'] } }))
      .body;

    const headers = { 'idempotency-key': '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11' };
    const answer = await ask(`/webhooks/${hook.id}`, { method: 'DELETE', headers });

    expect([answer.status, await answer.text()]).toEqual([204, '']);
  });

  test.each([
    [{ fail: 'socket_reset' }, 'ECONNRESET'],
    [{ fail: 'socket_close' }, 'UND_ERR_SOCKET'],
  ] as const)('shows %j on a real socket', async (fault, code) => {
    const { service, ask } = await openServer();
    service.faults.next('GET /orders', fault);

    await expect(ask('/orders')).rejects.toMatchObject({ cause: { code } });
  });

  test('cuts a body in the middle', async () => {
    const { service, ask } = await openServer();
    service.faults.next('GET /locations', { body: 'truncated' });

    const answer = await ask('/locations');

    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  test('keeps a stalled request open until the server is closed', async () => {
    const { service, server, ask } = await openServer();
    service.faults.next('GET /orders', { fail: 'stall' });
    let settled = false;

    const stalled = ask('/orders').finally(() => {
      settled = true;
    });
    stalled.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 30));
    const before = settled;
    await server.close();

    expect(before).toBe(false);
    await expect(stalled).rejects.toThrow();
  });

  test('shares its clock with a caller of the same process', async () => {
    const { service, ask } = await openServer();
    service.faults.next('GET /orders', { delayMs: 3_600_000 });
    const before = service.clock.now();

    const answer = await service.clock.runUntil(ask('/orders'));

    expect([answer.status, service.clock.now() - before]).toEqual([200, 3_600_000]);
  });

  test('says when its port is taken', async () => {
    const { service, server } = await openServer();

    await expect(service.listen({ port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('responds to nobody after the service was closed', async () => {
    const { service, ask } = await openServer();

    await service.close();

    await expect(ask('/orders')).rejects.toThrow();
  });
});
