import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { turnedAway } from '../../../../src/mock/workbench/guard.js';
import { openWorkbench } from './open-workbench.js';

const LOCAL = { method: 'GET', remoteAddress: '127.0.0.1' };
const nobodyElse = { hosts: [] };

describe('The workbench', () => {
  test.each(['127.0.0.1:4010', 'localhost:4010', 'LOCALHOST', 'shop.localhost:4010', '[::1]:4010', '127.9.9.9'])(
    'is served under %s',
    (host) => {
      expect(turnedAway({ ...LOCAL, headers: { host } }, nobodyElse)).toBeUndefined();
    },
  );

  test.each([
    'evil.example',
    'evil.example:4010',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.8:4010',
    '',
  ])('is not served under %j', (host) => {
    expect(turnedAway({ ...LOCAL, headers: { host } }, nobodyElse)).toMatchObject({ status: 403 });
  });

  test('is for this machine alone, unless a host is named', () => {
    const remote = { ...LOCAL, remoteAddress: '10.0.0.9' };

    expect(turnedAway({ ...remote, headers: { host: 'localhost:4010' } }, nobodyElse)).toMatchObject({ status: 403 });
    expect(
      turnedAway({ ...remote, headers: { host: 'mock.internal:4010' } }, { hosts: ['mock.internal'] }),
    ).toBeUndefined();
    expect(turnedAway({ ...remote, headers: { host: 'localhost:4010' } }, { hosts: ['mock.internal'] })).toMatchObject({
      status: 403,
    });
  });

  test.each<Record<string, string>>([
    { host: 'evil.example' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  ])('refuses a request with %j over HTTP', async (headers) => {
    const { ask, server } = await openWorkbench();
    const host = { host: `127.0.0.1:${server.port}` };

    const response = await ask('POST /clock/start', {}, { ...host, ...headers });

    expect([response.status, response.body.error.status]).toEqual([403, 403]);
    expect((await ask('GET /clock')).body.running).toBe(false);
  });

  test.each([
    'localhost.',
    '127.1:4010',
    '0x7f.0.0.1',
    '2130706433',
    '0.0.0.0:4010',
    '[::]:4010',
    '[::ffff:10.0.0.8]:4010',
    '[::1%25lo].evil.example',
    '[::1].evil.example:4010',
    'evil.example@127.0.0.1',
    'evil.example#127.0.0.1',
    '127.0.0.1.',
    '127.0.0.1, evil.example',
    'evil.example:127.0.0.1',
  ])('is not served under the odd host %j', (host) => {
    expect(turnedAway({ ...LOCAL, headers: { host } }, nobodyElse)).toMatchObject({ status: 403 });
  });

  test('is served under the IPv6 loopback address, and to no other name there', async (context) => {
    const opened = await openWorkbench({}, { host: '::1' }).catch(() => undefined);
    if (!opened) return context.skip('No IPv6 on this machine.');
    const { server } = opened;

    const statuses = await Promise.all(
      [`[::1]:${server.port}`, 'evil.example', `[::1].evil.example:${server.port}`].map(
        (host) =>
          new Promise<number>((resolve, reject) => {
            const options = { host: '::1', port: server.port, path: '/_mock/clock', headers: { host } };
            get(options, (response) => resolve(response.resume().statusCode ?? 0)).once('error', reject);
          }),
      ),
    );

    expect(server.workbenchUrl).toBe(`http://[::1]:${server.port}/_mock/`);
    expect(statuses).toEqual([200, 403, 403]);
  });

  test('refuses a page that a name of its own has led to this machine, whatever it asks for', async () => {
    const { ask, server, service } = await openWorkbench();
    const rebound = { host: `rebound.example:${server.port}`, origin: `http://rebound.example:${server.port}` };

    for (const route of ['GET /', 'GET /service', 'GET /events', 'GET /openapi.json', 'DELETE /faults', 'POST /reset'])
      expect([route, (await ask(route, undefined, rebound)).status]).toEqual([route, 403]);
    const said = await ask('GET /service', undefined, rebound);

    expect(JSON.stringify(said.body)).not.toContain(service.credentials.clientSecret);
  });

  test.each<Record<string, string>>([
    { host: '127.0.0.1', origin: 'http://localhost:3000' },
    { host: '127.0.0.1', origin: 'https://127.0.0.1.evil.example' },
    { host: '127.0.0.1', origin: 'http://user@127.0.0.1' },
    { host: '127.0.0.1', origin: '' },
    { host: '127.0.0.1', origin: 'file://' },
    { host: '127.0.0.1', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  ])('refuses a page of another origin: %j', (headers) => {
    expect(turnedAway({ ...LOCAL, headers }, nobodyElse)).toMatchObject({ status: 403 });
  });

  test('takes a request of its own page', async () => {
    const { ask, server } = await openWorkbench();

    const response = await ask('POST /clock/start', {}, { origin: `http://127.0.0.1:${server.port}` });

    expect(response.status).toBe(200);
  });

  test('takes no form', async () => {
    const { ask } = await openWorkbench();

    const response = await ask('POST /reset', 'x=1', { 'content-type': 'text/plain' });

    expect([response.status, response.body.error.message]).toEqual([
      415,
      expect.stringContaining('Content-Type: application/json'),
    ]);
  });

  test('is there only when asked for', async () => {
    const { ask, server } = await openWorkbench({}, { workbench: false });

    expect(server.workbenchUrl).toBeNull();
    expect((await ask('GET /clock')).status).toBe(404);
  });

  test('says where it is', async () => {
    const { server } = await openWorkbench();

    expect(server.workbenchUrl).toBe(`http://127.0.0.1:${server.port}/_mock/`);
  });

  test('does not hide addresses of the service that begin like its own', async () => {
    const { ask } = await openWorkbench();

    expect((await ask('GET et')).body).toHaveProperty('error.code');
  });

  test('ends its streams when the server is closed', async () => {
    const { server } = await openWorkbench();
    const response = await fetch(`http://127.0.0.1:${server.port}/_mock/events`);

    await server.close();

    await expect(response.text()).rejects.toThrow();
  });
});
