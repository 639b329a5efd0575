import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../../../src/mock/command/arguments.js';
import { requestLine, welcome } from '../../../../src/mock/command/texts.js';
import { openService } from '../open-service.js';

const DEFAULTS = {
  command: 'mock',
  port: 4010,
  seed: undefined,
  latencyMs: 0,
  clock: 'real',
  autoAdvance: undefined,
  forwardTo: undefined,
  faultsFile: undefined,
  seedFile: undefined,
  stateFile: undefined,
  log: 'text',
  strict: false,
  workbench: true,
  behaviour: {},
};

describe('The arguments', () => {
  test('have defaults', () => {
    expect(parseCommand(['mock'])).toEqual(DEFAULTS);
  });

  test('leave the workbench out', () => {
    expect(parseCommand(['mock', '--no-workbench'])).toEqual({ ...DEFAULTS, workbench: false });
  });

  test('are flags with values, and one without', () => {
    const args = ['mock', '--port', '0', '--seed=7', '--latency', '150', '--clock', 'virtual', '--strict'];
    const files = ['--faults', 'faults.json', '--seed-file', 'store.json', '--log', 'json'];
    const more = ['--auto-advance', '30s', '--forward-to', 'http://127.0.0.1:3000/hooks'];

    expect(parseCommand([...args, ...files, ...more])).toEqual({
      ...DEFAULTS,
      port: 0,
      seed: 7,
      latencyMs: 150,
      clock: 'virtual',
      strict: true,
      faultsFile: 'faults.json',
      seedFile: 'store.json',
      log: 'json',
      autoAdvance: '30s',
      forwardTo: 'http://127.0.0.1:3000/hooks',
    });
  });

  test('name an event to send, or to send again', () => {
    const to = 'http://127.0.0.1:3000/hooks';

    expect(parseCommand(['hooks', 'send', 'order.created', '--to', to, '--data', '{"a":1}'])).toEqual({
      command: 'hooks send',
      subject: 'order.created',
      to,
      secret: undefined,
      data: { a: 1 },
    });
    expect(parseCommand(['hooks', 'replay', 'id', '--secret', 'whsec_x'])).toMatchObject({
      command: 'hooks replay',
      to: undefined,
      secret: 'whsec_x',
    });
  });

  test('are the switches of the behaviour, each by its name', () => {
    const args = ['mock', '--keys-in-flight', 'run_twice', '--read-lag-ms=[0,2000]', '--refunds-listed', 'false'];
    const records = { methods: { DIGITAL_WALLET: 'APPLE_PAY' } };

    expect(parseCommand([...args, '--records', JSON.stringify(records)])).toMatchObject({
      behaviour: { keysInFlight: 'run_twice', readLagMs: [0, 2000], refundsListed: false, records },
    });
  });

  test.each([
    [[], 'write `online-ordering-sdk mock`'],
    [['serve'], 'no command "serve"'],
    [['mock', '4010'], '--port 4010'],
    [['mock', '--port', 'http'], '--port is "http"; write a number from 0 to 65535'],
    [['mock', '--port', '70000'], 'from 0 to 65535'],
    [['mock', '--seed', '1.5'], 'whole number, as in --seed 7'],
    [['mock', '--latency', '-1'], '--latency'],
    [['mock', '--prot', '1'], "'--prot'"],
    [['mock', '--port'], '--port'],
    [['mock', '--clock', 'sun'], '--clock is "sun"; write real or virtual'],
    [['mock', '--forward-to', 'localhost'], '--forward-to is "localhost"; write an http or https address'],
    [['mock', '--auto-advance', 'soon'], 'as in --auto-advance 30s'],
    [['mock', '--to', 'http://x.test'], '--to belongs to `online-ordering-sdk hooks`'],
    [['hooks'], 'hooks send TYPE'],
    [['hooks', 'send', 'order.created'], '--to names the receiver'],
    [['hooks', 'send', 'x', '--to', 'http://x.test', '--data', '{'], '--data is no JSON'],
    [
      ['mock', '--overpayment', 'maybe'],
      '--overpayment is not understood: behaviour: "overpayment" is "maybe"; write \'refuse\' or \'accept\'',
    ],
    [['mock', '--records', '{"name":1}'], '--records is not understood: behaviour: "records" has no switch "name"'],
  ])('%j get a message that says what to write', (args, text) => {
    expect(parseCommand(args)).toEqual({ problem: expect.stringContaining(text) });
  });

  test('--help asks for the usage', () => {
    expect(parseCommand(['--help'])).toEqual({ help: true });
  });
});

describe('The lines', () => {
  test('begin with address, credentials, sample ids and magic values', async () => {
    const { service } = await openService();

    const text = welcome(service, {
      url: 'http://127.0.0.1:4010/v1/online-ordering',
      workbenchUrl: 'http://127.0.0.1:4010/_mock/',
    });

    expect(text).toContain('See it at work, and drive it: http://127.0.0.1:4010/_mock/\n');

    expect(text).toContain('ONLINE_ORDERING_BASE_URL=http://127.0.0.1:4010/v1/online-ordering\n');
    expect(text).toContain(`ONLINE_ORDERING_CLIENT_SECRET=${service.credentials.clientSecret}\n`);
    for (const value of [service.samples.locations.harbor, 'SUMMER25', 'CUST-12345', 'tok_declined', 'GIFT-0500']) {
      expect(text).toContain(value);
    }
  });

  test('show a request without its token and without what was searched for', async () => {
    const { service, call, token } = await openService();
    const lines: string[] = [];
    service.onRequest((request) => lines.push(requestLine(request)));

    await call('GET /orders?customer_id=CUST-12345&limit=5');
    await call('POST /carts', {
      key: '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11',
      body: { location_id: service.samples.locations.downtown, customer_id: 'CUST-777' },
    });

    expect(lines).toEqual([
      '17:00:00.000  200  GET /orders?customer_id&limit',
      '17:00:00.000  201  POST /carts  key 0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11',
    ]);
    expect(lines.join()).not.toContain(token);
  });

  test('cannot be broken by what was sent', () => {
    const request = {
      at: '2026-03-10T17:00:00.000Z',
      method: 'GET',
      path: '/a?x%0ay=1',
      status: null,
      replayed: false,
      limitedBy: null,
    };
    const line = requestLine({ ...request, idempotencyKey: 'a\nb', route: null, headers: {}, requestId: null });

    expect(line).toBe('17:00:00.000  no response  GET /a?x?y  key a?b');
  });
});
