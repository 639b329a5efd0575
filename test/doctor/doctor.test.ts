import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createMockService } from 'online-ordering-sdk/mock';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../src/command/run-command.js';
import { type DoctorReport, examine } from '../../src/doctor/doctor.js';
import { checkAddress, checkVersions, environmentOf } from '../../src/doctor/settings.js';
import { SELF_SIGNED } from '../support/certificates.js';

const CLIENT_ID = '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11';
const SECRET = 'sk_very-secret-value';

async function mockOverHttp(options: Parameters<typeof createMockService>[0] = {}) {
  const service = createMockService({ seed: 7, clock: 'real', ...options });
  const { url } = await service.listen();
  onTestFinished(() => service.close());
  return { service, settings: { ...service.credentials, baseUrl: url } };
}

/** A server on this machine that is not the service. */
async function serverThat(
  answers: RequestListener,
): Promise<{ baseUrl: string; clientId: string; clientSecret: string }> {
  const server = createServer(answers);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1/online-ordering`, clientId: CLIENT_ID, clientSecret: SECRET };
}

const respond =
  (
    status: number,
    body: string,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

const causes = ({ findings }: DoctorReport): (string | undefined)[] =>
  findings.filter(({ verdict }) => verdict === 'wrong' || verdict === 'warning').map(({ cause }) => cause);

const QUIET = { environment: {} };

describe('Against the mock service over HTTP', () => {
  test('all is well, and one token is asked for', async () => {
    const { service, settings } = await mockOverHttp();
    const report = await examine(settings, QUIET);
    expect(causes(report)).toEqual([]);
    expect(report.exitCode).toBe(0);
    expect(report.differences).toEqual([]);
    const requests = service.requests();
    expect(requests.filter(({ path }) => path === '/auth/token')).toHaveLength(1);
    expect(requests.filter(({ method, path }) => method !== 'GET' && path !== '/auth/token')).toEqual([]);
  });

  test('records that differ from the contract are a table, and with the profile of that service there is none', async () => {
    const choices = { 'MENU-3': 'modifierGroups', 'LOC-1': 'location_id', 'PAY-10': 'cents' } as const;
    const { settings } = await mockOverHttp({ profile: { format: 1, choices } });
    const blind = await examine(settings, QUIET);
    expect(causes(blind)).toContain('differs_from_contract');
    expect(blind.exitCode).toBe(1);
    expect(blind.differences).toContainEqual(
      expect.objectContaining({ endpoint: 'GET /locations', path: 'data[*].id', count: 3 }),
    );
    expect(causes(await examine(settings, { ...QUIET, choices }))).toEqual([]);
  });

  test('the command prints no secret, token or id of the client, and tells its exit code', async () => {
    const { settings } = await mockOverHttp();
    const lines: string[] = [];
    const output = { out: (line: string) => void lines.push(line), err: (line: string) => void lines.push(line) };
    process.env.ONLINE_ORDERING_CLIENT_SECRET = settings.clientSecret;
    onTestFinished(() => void delete process.env.ONLINE_ORDERING_CLIENT_SECRET);
    const args = ['doctor', '--base-url', settings.baseUrl, '--client-id', settings.clientId];
    expect(await runCommand(args, output)).toBe(0);
    expect(lines.at(-1)).toMatch(/^All is well: \d+ ok/);
    const json: string[] = [];
    expect(await runCommand([...args, '--json'], { ...output, out: (line) => void json.push(line) })).toBe(0);
    expect(JSON.parse(json.join('\n'))).toMatchObject({ exitCode: 0, differences: [] });
    for (const text of [...lines, ...json]) {
      expect(text).not.toContain(settings.clientSecret);
      expect(text).not.toContain(settings.clientId);
      expect(text).not.toMatch(/tk_/);
    }
    expect(await runCommand(['doctor', '--nonsense'], output)).toBe(2);
    expect(await runCommand(['doctor', '--help'], output)).toBe(0);
  });
});

describe('Each mistake of the first hour is named by its cause', () => {
  test('missing variables', async () => {
    const report = await examine({ baseUrl: undefined, clientId: undefined, clientSecret: undefined }, QUIET);
    expect(causes(report)).toEqual(['missing_setting', 'missing_setting', 'missing_setting']);
    expect(report.exitCode).toBe(2);
  });

  test.each([
    ['https://api.example.com', 'wrong_address'],
    ['https://api.example.com/v2/online-ordering', 'wrong_address'],
    ['http://api.example.com/v1/online-ordering', 'plain_http'],
    ['api.example.com', 'wrong_address'],
  ])('the address %s', (address, cause) => {
    expect(checkAddress(address)).toMatchObject({ verdict: 'wrong', cause });
  });

  test('a wrong address that answers 404', async () => {
    const report = await examine(await serverThat(respond(404, '{}')), QUIET);
    expect(causes(report)).toEqual(['wrong_address']);
  });

  test('client id and secret that are swapped, before anything is sent', async () => {
    let requests = 0;
    const settings = await serverThat((_, response) => {
      requests += 1;
      response.end();
    });
    const report = await examine({ ...settings, clientId: SECRET, clientSecret: CLIENT_ID }, QUIET);
    expect(causes(report)).toEqual(['swapped_credentials']);
    expect(requests).toBe(0);
  });

  test('a proxy that answers an HTML page, with status 200 or 403', async () => {
    const page = '<!doctype html><html><head><title>Access blocked</title></head></html>';
    for (const status of [200, 403]) {
      const report = await examine(await serverThat(respond(status, page, { 'content-type': 'text/html' })), QUIET);
      expect(causes(report)).toEqual(['answered_by_a_proxy']);
      expect(report.findings.find(({ cause }) => cause)?.found).toContain('Access blocked');
    }
  });

  test('a self-signed certificate, and nothing is sent over it', async () => {
    let requests = 0;
    const server = createTlsServer(SELF_SIGNED, () => {
      requests += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const baseUrl = `https://127.0.0.1:${port}/v1/online-ordering`;
    const report = await examine({ baseUrl, clientId: CLIENT_ID, clientSecret: SECRET }, QUIET);
    expect(causes(report)).toEqual(['self_signed_certificate']);
    expect(requests).toBe(0);
  });

  test('a clock that is five minutes off', async () => {
    const { settings } = await mockOverHttp();
    const report = await examine(settings, { ...QUIET, now: () => Date.now() + 300_000 });
    expect(causes(report)).toEqual(['clock_off']);
    expect(report.findings.find(({ check }) => check === 'clock')?.found).toMatch(
      /(299|300|301) s ahead of the service/,
    );
  });

  test('a client id of the other environment, told from a wrong secret by asking there', async () => {
    const here = await mockOverHttp();
    const there = await mockOverHttp({ seed: 8 });
    const foreign = { ...there.settings, baseUrl: here.settings.baseUrl };
    expect(causes(await examine(foreign, QUIET))).toEqual(['credentials_refused']);
    const otherBaseUrl = there.settings.baseUrl;
    expect(causes(await examine({ ...foreign, otherBaseUrl }, QUIET))).toEqual(['other_environment']);
    const wrongSecret = { ...here.settings, clientSecret: SECRET, otherBaseUrl };
    expect(causes(await examine(wrongSecret, QUIET))).toEqual(['credentials_refused']);
  });

  test('a token of another environment, which is granted and then refused', async () => {
    const grant = { access_token: 'tk_1', token_type: 'BEARER', expires_in: 86_400 };
    const settings = await serverThat((request, response) => {
      const isToken = request.url?.endsWith('/auth/token') ?? false;
      response.writeHead(isToken ? 200 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isToken ? grant : { error: { code: 'AUTHENTICATION_ERROR' } }));
    });
    expect(causes(await examine(settings, QUIET))).toContain('other_environment');
  });

  test.each([
    [
      'an HTML page',
      'answered_by_a_proxy',
      200,
      '<html><title>Sign in</title></html>',
      { 'content-type': 'text/html' },
    ],
    ['an HTML page with 403', 'answered_by_a_proxy', 403, '<html></html>', { 'content-type': 'text/html' }],
    ['429', 'rate_limited', 429, '{}', { 'retry-after': '600' }],
    ['404', 'wrong_address', 404, '{}', {}],
    ['503', 'service_failing', 503, '{}', {}],
    ['a redirect', 'redirected', 302, '', { location: 'https://elsewhere.example.com/login' }],
    ['a body that is no JSON', 'read_failed', 200, 'nope', {}],
  ])('reads that are answered with %s after a token was granted', async (_what, cause, status, body, headers) => {
    const grant = { access_token: 'tk_1', token_type: 'BEARER', expires_in: 86_400 };
    const settings = await serverThat((request, response) => {
      const isToken = request.url?.endsWith('/auth/token') ?? false;
      response.writeHead(isToken ? 200 : status, isToken ? { 'content-type': 'application/json' } : headers);
      response.end(isToken ? JSON.stringify(grant) : body);
    });
    const { findings } = await examine(settings, QUIET);
    const bad = findings.filter(({ cause: its }) => its !== undefined);
    expect(new Set(bad.map(({ cause: its }) => its))).toEqual(new Set([cause]));
    expect(findings.find(({ check }) => check === 'locations')?.found).toBe('they could not be read');
  });

  test.each([
    [401, 'credentials_refused'],
    [403, 'token_forbidden'],
    [400, 'malformed_client_id'],
    [500, 'service_failing'],
    [503, 'service_failing'],
    [204, 'odd_token'],
  ])('a token endpoint that answers %i', async (status, cause) => {
    const envelope = JSON.stringify({ error: { code: 'X', message: 'm', request_id: 'r-1', field: null } });
    const report = await examine(await serverThat(respond(status, status === 204 ? '' : envelope)), QUIET);
    expect(causes(report)).toEqual([cause]);
    expect(report.exitCode).toBe(2);
  });

  test('a redirect', async () => {
    const settings = await serverThat(respond(301, '', { location: 'https://elsewhere.example.com/login' }));
    const report = await examine(settings, QUIET);
    expect(causes(report)).toEqual(['redirected']);
    expect(report.findings.find(({ cause }) => cause)?.found).toContain('https://elsewhere.example.com');
  });

  test('a name that is not found', async () => {
    const baseUrl = 'https://no-such-host.invalid/v1/online-ordering';
    const report = await examine({ baseUrl, clientId: CLIENT_ID, clientSecret: SECRET }, QUIET);
    expect(causes(report)).toEqual(['dns_failed']);
  });

  test('a port where nobody listens', async () => {
    const baseUrl = 'http://127.0.0.1:9/v1/online-ordering';
    const report = await examine({ baseUrl, clientId: CLIENT_ID, clientSecret: SECRET }, QUIET);
    expect(causes(report)).toEqual(['connection_failed']);
  });

  test('a proxy in the environment, which nobody uses by itself', async () => {
    const { settings } = await mockOverHttp();
    const environment = { HTTPS_PROXY: 'http://proxy.example.com:3128' };
    expect(causes(await examine(settings, { environment }))).toEqual(['proxy_not_used']);
    expect(causes(await examine(settings, { environment: { ...environment, NO_PROXY: '127.0.0.1' } }))).toEqual([]);
  });

  test('a Node that is too old', () => {
    expect(checkVersions('v18.20.1', '1.0.0')).toMatchObject({ verdict: 'wrong', cause: 'node_too_old' });
    expect(checkVersions('v20.19.0', '1.0.0').verdict).toBe('ok');
  });

  test('the environment of an address, where its host names one', () => {
    expect(environmentOf('sandbox.api.example.com')).toBe('sandbox');
    expect(environmentOf('api-prod.example.com')).toBe('production');
    expect(environmentOf('api.example.com')).toBeUndefined();
  });
});
