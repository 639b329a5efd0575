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

    const answer = await ask('POST /clock/start', {}, { ...host, ...headers });

    expect([answer.status, answer.body.error.status]).toEqual([403, 403]);
    expect((await ask('GET /clock')).body.running).toBe(false);
  });

  test('takes a request of its own page', async () => {
    const { ask, server } = await openWorkbench();

    const answer = await ask('POST /clock/start', {}, { origin: `http://127.0.0.1:${server.port}` });

    expect(answer.status).toBe(200);
  });

  test('takes no form', async () => {
    const { ask } = await openWorkbench();

    const answer = await ask('POST /reset', 'x=1', { 'content-type': 'text/plain' });

    expect([answer.status, answer.body.error.message]).toEqual([
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
