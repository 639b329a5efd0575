import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMockService } from 'online-ordering-sdk/mock';
import { signPayload } from 'online-ordering-sdk/webhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type CertifyCommandDeps, runCertify } from '../../src/command/certify.js';

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'certify-'));
  onTestFinished(() => rm(made, { recursive: true }));
  return made;
}

/** The command against a mock service over HTTP that speaks as `choices` say. */
async function openSandbox(choices: Record<string, string> = {}) {
  const service = createMockService({ seed: 7, clock: 'real', rateLimits: false, profile: { format: 1, choices } });
  const { url } = await service.listen();
  onTestFinished(() => service.close());
  const { clientId, clientSecret } = service.credentials;
  const environment = {
    ONLINE_ORDERING_BASE_URL: url,
    ONLINE_ORDERING_CLIENT_ID: clientId,
    ONLINE_ORDERING_CLIENT_SECRET: clientSecret,
  };
  return { service, environment };
}

async function run(args: readonly string[], parts: CertifyCommandDeps) {
  const lines: string[] = [];
  const keep = (line: string): void => void lines.push(line);
  const code = await runCertify(args, { out: keep, err: keep }, parts);
  return { code, text: lines.join('\n') };
}

describe('Before it starts', () => {
  const production = {
    ONLINE_ORDERING_BASE_URL: 'https://production.api.example.com/v1/online-ordering',
    ONLINE_ORDERING_CLIENT_ID: '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11',
    ONLINE_ORDERING_CLIENT_SECRET: 'secret',
  };
  const never = {
    environment: production,
    ask: async () => 'yes',
    certifyParts: { fetch: () => Promise.reject(new Error('sent')) },
  };

  test('it wants to be told that the address is a sandbox', async () => {
    const { environment, service } = await openSandbox();
    expect(await run([], { environment, ask: async () => 'yes' })).toMatchObject({
      code: 2,
      text: expect.stringContaining('--sandbox'),
    });
    expect(service.requests()).toEqual([]);
  });

  test('it asks, and sends nothing when the answer is not yes, or nobody can answer', async () => {
    const { environment, service } = await openSandbox();
    for (const answer of ['no', '', undefined]) {
      const asked: string[] = [];
      const ask = async (question: string) => {
        asked.push(question);
        return answer;
      };
      expect((await run(['--sandbox'], { environment, ask })).code).toBe(2);
      expect(asked[0]).toMatch(/carts, orders, payments, refunds and subscriptions at 127\.0\.0\.1/);
    }
    expect(service.requests()).toEqual([]);
  });

  test('it refuses production unless told twice', async () => {
    for (const args of [['--sandbox'], ['--production'], ['--sandbox', '--production', '--yes']]) {
      expect(await run(args, never)).toMatchObject({ code: 2, text: expect.stringContaining('--production twice') });
    }
    await expect(run(['--production', '--production'], never)).rejects.toThrow(/No token was granted/);
  });

  test('it says that the doctor knows which setting is missing', async () => {
    expect(await run(['--sandbox'], { environment: {} })).toMatchObject({
      code: 2,
      text: expect.stringContaining('doctor'),
    });
  });
});

describe('Against a mock service over HTTP', () => {
  test('it writes the profile and every report, and none holds a secret, a token or a client id', async () => {
    const { environment, service } = await openSandbox({ 'PAY-1': 'money', 'MENU-3': 'modifierGroups' });
    const dir = await folder();
    const file = (name: string): string => join(dir, name);
    const body = '{"event_id":"1","event_type":"order.created","data":{}}';
    const delivery = { headers: signPayload(body, 'whsec_7'), body };
    await writeFile(file('delivery.json'), JSON.stringify({ ...delivery, secret: 'whsec_7' }));
    const args = [
      ...['--sandbox', '--yes', '--payment-token', 'tok_approved', '--declined-token', 'tok_declined'],
      ...['--promo-code', 'SUMMER25', '--delivery', file('delivery.json'), '--profile', file('profile.json')],
      ...['--only', 'cart rules', '--only', 'Events', '--gift-card', 'GIFT-5000:1234', '--loyalty-account', 'LOYAL-1'],
      ...['--html', file('r.html'), '--markdown', file('r.md'), '--junit', file('r.xml'), '--json', file('r.json')],
    ];
    const { code, text } = await run(args, { environment });
    expect(text).toMatch(/^OTHER {4}PAY-1 {5}amount of a payment request: Money$/m);
    expect(text).toMatch(/^OTHER {4}MENU-3 {4}modifier groups of an item: called `modifierGroups`$/m);
    expect(text).toContain(' 0 differ, ');
    expect(code).toBe(0);

    const profile = JSON.parse(await readFile(file('profile.json'), 'utf8'));
    expect(profile).toMatchObject({
      format: 1,
      choices: { 'PAY-1': 'money', 'MENU-3': 'modifierGroups', 'SIG-1': 'hex' },
    });
    const [html, markdown, junit, json] = await Promise.all(
      ['r.html', 'r.md', 'r.xml', 'r.json'].map((name) => readFile(file(name), 'utf8')),
    );
    expect(markdown).toContain('| PAY-1 | amount of a payment request | Money | otherwise |');
    expect(text).toMatch(/^ok {7}Cart rules {13}\d+ hold, \d+ could not be tried$/m);
    expect(text).toMatch(/^ok {7}Events {17}\d+ hold, \d+ could not be tried$/m);
    expect(junit).toMatch(/<testsuite name="Cart rules" tests="\d+" failures="0"/);
    expect(html).toContain('it takes a receiver that the service can reach');
    expect(html).not.toMatch(/<script|https?:\/\/(?!127\.0\.0\.1)/);
    expect(JSON.parse(json!).report.gaps.length).toBeGreaterThan(60);
    const { clientId, clientSecret } = service.credentials;
    for (const written of [html, markdown, junit, json, text]) {
      expect(written).not.toContain(clientSecret);
      expect(written).not.toContain(clientId);
      expect(written).not.toContain('whsec_');
      expect(written).not.toMatch(/tk_|tok_/);
    }
    // What can be undone is undone.
    expect(
      service.requests().filter(({ method, path }) => method === 'DELETE' && path.startsWith('/webhooks/')).length,
    ).toBeGreaterThan(3);
  });

  test('a delivery is captured at an address that leads to this machine', async () => {
    const { environment, service } = await openSandbox({ 'SIG-1': 'base64_with_timestamp', 'EVT-1': 'payload' });
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    const webhookUrl = 'https://tunnel.example.com/hook';
    service.webhooks.route('https://tunnel.example.com', `http://127.0.0.1:${port}`);
    const args = ['--sandbox', '--yes', '--gaps', '--webhook-url', webhookUrl, '--webhook-port', String(port)];
    const dir = await folder();
    const { text } = await run([...args, '--profile', join(dir, 'p.json')], { environment });
    expect(text).toMatch(/OTHER {4}SIG-1 .*base64 with a time stamp/);
    expect(text).toMatch(/OTHER {4}EVT-1 .*`payload`/);
  });

  test('a service that breaks a row is told, with the ids of its requests and exit code 1', async () => {
    const { environment, service } = await openSandbox();
    for (let times = 0; times < 200; times += 1) {
      service.faults.next('GET /locations/{location_id}/menu/metadata', { set: { version_hash: 'another' } });
    }
    const dir = await folder();
    const { code, text } = await run(
      ['--sandbox', '--yes', '--only', 'Endpoints, menu', '--profile', join(dir, 'p.json')],
      {
        environment,
      },
    );
    expect(code).toBe(1);
    expect(text).toMatch(/DIFFERS {2}Endpoints, menu metadata: .*: expected .*, found .* \[[0-9a-f-]{36}/);
    expect(text).toMatch(/^DIFFERS {2}Endpoints {14}\d+ hold, \d+ differ/m);
  });
});
