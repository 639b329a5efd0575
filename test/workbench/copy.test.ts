import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { OnlineOrdering } from 'online-ordering-sdk';
import { createMockService } from 'online-ordering-sdk/mock';
import { expect, onTestFinished, test } from 'vitest';
import type { Req, ReqDetails } from '../../src/mock/workbench/page/api.js';
import { asCurl, asSdk } from '../../src/mock/workbench/page/copy.js';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** A service whose workbench has seen a cart being filled, listed and asked for, with texts that a shell could misread. */
async function recorded() {
  const service = createMockService();
  const { url } = await service.listen({ workbench: true });
  const client = new OnlineOrdering({ ...service.credentials, baseUrl: url, logLevel: 'off' });
  onTestFinished(async () => {
    await client.close();
    await service.close();
  });
  const cart = await client.carts.create({ location_id: service.samples.locations.downtown, customer_id: 'CUST-1' });
  const item = { ...service.samples.cartItems.turkeySub, special_instructions: `it's "hot" & $HOME \`id\` \\ né` };
  await client.carts.items.add(cart.id, item);
  await client.carts.promoCodes.validate(cart.id, 'a&b =c');
  await client.orders.list({ limit: 5 });
  const origin = new URL(url).origin;
  const read = async <T>(path: string): Promise<T> => (await (await fetch(`${origin}/_mock${path}`)).json()) as T;
  const seen = await read<Req[]>('/requests');
  const details = await Promise.all(
    seen.filter(({ path }) => path !== '/auth/token').map(({ number }) => read<ReqDetails>(`/requests/${number}`)),
  );
  return { service, client, origin, details, cart };
}

test.skipIf(!hasCurl)('A request copied as curl gives the same response, when a shell runs it', async () => {
  const { client, origin, details } = await recorded();
  const TOKEN = await client.auth.accessToken();

  for (const request of details) {
    const { stdout } = await promisify(execFile)('sh', ['-c', `${asCurl(request, origin)} -s`], {
      env: { ...process.env, TOKEN },
    });
    expect([request.path, JSON.parse(stdout)]).toEqual([request.path, JSON.parse(request.responseBody!)]);
  }
  expect(details).toHaveLength(4);
});

test('A request copied as a line of the SDK gives the same response, when it is run', async () => {
  const { client, details, service, cart } = await recorded();

  for (const request of details) {
    const line = new Function('client', `return (async () => { return ${asSdk(request)} })()`);
    expect([request.path, await line(client)]).toEqual([request.path, JSON.parse(request.responseBody!)]);
  }
  const carts = service.requests().filter(({ method, route }) => `${method} ${route}` === 'POST /carts');
  expect(carts.map(({ replayed }) => replayed)).toEqual([false, true]);
  expect((await client.carts.retrieve(cart.id)).items).toHaveLength(1);
});

test('A copied request runs nothing that its sender has written into it', async () => {
  const request = {
    method: "GET'; touch x; '",
    path: "/orders?a='); globalThis.pwned = 1; //",
    idempotencyKey: "k' }); globalThis.pwned = 1; //",
    requestBody: '{}); globalThis.pwned = 1; (',
    requestHeaders: {},
  } as unknown as ReqDetails;
  const asked: unknown[] = [];
  const client = { request: (...sent: unknown[]) => asked.push(...sent) };

  await new Function('client', `return (async () => { ${asSdk(request)} })()`)(client);
  const words = spawnSync('sh', ['-c', `printf '%s\\n' ${asCurl(request, 'http://127.0.0.1')}`]).stdout.toString();

  expect(asked).toEqual([
    {
      method: request.method,
      path: '/orders',
      query: { a: "'); globalThis.pwned = 1; //" },
      body: request.requestBody,
    },
    { idempotencyKey: request.idempotencyKey },
  ]);
  expect(globalThis).not.toHaveProperty('pwned');
  expect(words.split('\n')).toContain("GET'; touch x; '");
});
