import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { OnlineOrdering } from 'online-ordering-sdk';
import { createMockService, type MockService } from 'online-ordering-sdk/mock';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { blockScope, scopeDeclarations } from './examples/block-scope.js';
import { codeBlocksOf, promisedOutput } from './examples/code-blocks.js';
import { type ProgramResult, runProgram } from './examples/run-program.js';
import { typeErrors } from './examples/type-check.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PAGES = ['README.md', 'SKILL.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...markdownIn('docs')].map(
  (path) => join(ROOT, path),
);
const blocks = PAGES.flatMap((page) => codeBlocksOf(page, ROOT));

// Within the project, so that imports resolve as a partner's do; the name begins with a dot, so that nothing else
// takes these files for sources.
const directory = mkdtempSync(join(ROOT, 'test', '.blocks-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('code in the documentation', () => {
  const fileOf = new Map(blocks.map((block, index) => [block, join(directory, `block-${index}.ts`)]));

  beforeAll(() => {
    // As many empty lines before the code as there are in the page: a type error then names the page's own line.
    for (const [block, file] of fileOf) writeFileSync(file, `${'\n'.repeat(block.line)}${block.code}\nexport {};\n`);
  });

  test('every block has the types it claims', () => {
    const scope = join(directory, 'scope.ts');
    writeFileSync(scope, scopeDeclarations());
    const pageOf = new Map([...fileOf].map(([{ name }, file]) => [file, name.slice(0, name.lastIndexOf(':'))]));

    const errors = typeErrors(
      join(ROOT, 'tsconfig.json'),
      [scope, ...fileOf.values()],
      (file) => pageOf.get(file) ?? file,
    );

    expect(errors).toEqual([]);
  });

  test('the README shows a complete order that is run', () => {
    const [first] = blocks;

    expect(first).toMatchObject({ isRun: true, name: expect.stringMatching(/^README\.md:/) });
    expect(first!.code.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(20);
  });

  test('the skill file shows ten mistakes, each with code that is run', () => {
    const headings = readFileSync(join(ROOT, 'SKILL.md'), 'utf8').match(/^\*\*\d+\. /gm);
    const shown = blocks.filter(({ name }) => name.startsWith('SKILL.md:'));

    expect(headings).toHaveLength(10);
    expect(shown.map(({ isRun }) => isRun)).toEqual(headings!.map(() => true));
  });

  describe('marked to be run', () => {
    const before = { ...process.env };
    const home = process.cwd();
    let ending: (() => Promise<void>)[] = [];

    afterEach(async () => {
      process.chdir(home);
      process.env = { ...before };
      vi.restoreAllMocks();
      vi.unstubAllGlobals();
      for (const end of ending) await end();
      ending = [];
    });

    test.each(blocks.filter(({ isRun }) => isRun))('$name runs, and prints what it says', async (block) => {
      const { names, service, client } = await blockScope();
      ending.push(
        () => client.close(),
        () => service.close(),
      );
      Object.assign(process.env, variablesOf(service, (await service.listen()).url));
      process.chdir(temporaryDirectory(ending));
      for (const [name, value] of Object.entries(names)) vi.stubGlobal(name, value);
      const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
      const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
      vi.spyOn(console, 'warn').mockImplementation(() => {}); // a pause after a 429 is part of some blocks

      await import(/* @vite-ignore */ fileOf.get(block)!);

      const lines = printed.mock.calls.map((values) => format(...values));
      expect(lines).toEqual(expect.arrayContaining(promisedOutput(block)));
      expect(complaints.mock.calls).toEqual([]);
    });
  });
});

describe('documentation', () => {
  test('no link within the project leads nowhere', () => {
    const dead = PAGES.flatMap((page) =>
      linksOf(page)
        .filter((link) => !existsSync(join(dirname(page), link)))
        .map((link) => `${page.slice(ROOT.length)}: ${link}`),
    );

    expect(dead).toEqual([]);
  });
});

describe('programs in examples/', () => {
  const services: MockService[] = [];
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close();
  });

  /** The service over HTTP on the loopback interface, and the variables by which a program finds it. */
  const startService = async () => {
    const service = createMockService({ clock: 'real' });
    services.push(service);
    return { service, environment: variablesOf(service, (await service.listen()).url) };
  };
  const succeed = ({ exitCode, stderr, stdout }: ProgramResult): string[] => {
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return stdout.trimEnd().split('\n');
  };

  const TESTED: Record<string, () => Promise<void>> = {
    'demo/index.ts': async () => {
      const lines = succeed(await runProgram('examples/demo/index.ts'));

      expect(lines).toContain('   7 deliveries verified, 0 refused');
      expect(lines).toContain('   handed over to the customer');
      const [, seconds] = /Done in (\S+) s/.exec(lines.at(-1)!) ?? [];
      expect(Number(seconds)).toBeLessThan(30); // some four of waiting, and a machine with much else to do
      const shown = /```text demo\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))![1]!;
      expect(lines.map(withoutWait)).toEqual(expect.arrayContaining(shown.trimEnd().split('\n').map(withoutWait)));
    },
    'place-an-order.ts': async () => {
      const { service, environment } = await startService();

      const lines = succeed(await runProgram('examples/place-an-order.ts', { environment }));

      expect(service.orders()).toMatchObject([{ status: 'CONFIRMED', payment_status: 'PAID' }]);
      expect(lines.at(-1)).toBe(`order ${service.orders()[0]!.id} is PAID`);
    },
    'observability/traced-order.ts': async () => {
      const lines = succeed(await runProgram('examples/observability/traced-order.ts'));

      const shown = /```text\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/observability.md'), 'utf8'))![1]!;
      expect(lines).toEqual(expect.arrayContaining(shown.trimEnd().split('\n')));
    },
    'split-payment.ts': async () => {
      const { service, environment } = await startService();

      const lines = succeed(await runProgram('examples/split-payment.ts', { environment }));

      const [order] = service.orders();
      expect(lines.at(-1)).toBe('PAID, due: $0.00');
      expect(order!.payments.map(({ payment_method, status }) => `${payment_method} ${status}`)).toEqual([
        'LOYALTY_POINTS COMPLETED',
        'GIFT_CARD COMPLETED',
        'CREDIT_CARD FAILED',
        'CREDIT_CARD COMPLETED',
      ]);
      expect(service.ledger(order!.id).net).toBe(order!.total.amount);
    },
    'crash-safe-payment.ts': async () => {
      const { service, environment } = await startService();
      const directory = mkdtempSync(join(tmpdir(), 'crash-safe-'));
      const options = { environment: { ...environment, PAYMENTS_DIRECTORY: directory } };

      const killed = await runProgram('examples/crash-safe-payment.ts', { ...options, args: ['--crash'] });
      const lines = succeed(await runProgram('examples/crash-safe-payment.ts', options));

      expect(killed.exitCode).toBeNull();
      const [order, ...others] = service.orders();
      expect(others).toEqual([]);
      expect(lines).toEqual([
        `order ${order!.id}`,
        'GIFT_CARD $5.00 COMPLETED',
        expect.stringMatching(/^CREDIT_CARD \S+ COMPLETED$/),
        'PAID, due: $0.00',
      ]);
      expect(service.ledger(order!.id).charged).toBe(order!.total.amount);
      rmSync(directory, { recursive: true });
    },
    'receive-events.ts': async () => {
      const { service } = await startService();
      const orderId = await orderAt(service);
      const environment = { WEBHOOK_SECRET: 'whsec_example', PORT: '0' };
      let answered: (number | null)[] = [];
      const onLine = (line: string, end: () => void): void => {
        const [, url] = /^listening on (http:\S+)$/.exec(line) ?? [];
        if (!url) return;
        void service.webhooks.deliverTo(url, { signWith: 'whsec_example', duplicates: 2 }).then((deliveries) => {
          answered = deliveries.map(({ status }) => status);
          end();
        });
      };

      const lines = succeed(await runProgram('examples/receive-events.ts', { environment, onLine }));

      expect(answered).toEqual([200, 200]);
      expect(lines.slice(1)).toEqual([`order ${orderId} was placed`]);
    },
    'menu-browser.ts': async () => {
      const lines = succeed(await runProgram('examples/menu-browser.ts'));

      expect(lines.length).toBeGreaterThan(40);
    },
    'watch-menus.ts': async () => {
      const lines = succeed(await runProgram('examples/watch-menus.ts'));

      expect(lines).toContain('  Turkey sub: now $9.49');
      expect(lines.at(-1)).toBe('The watch has ended.');
    },
  };

  test.each(Object.entries(TESTED))('%s does what it says', (_name, run) => run());

  test('each of them is tested', () => {
    const programs = readdirSync(join(ROOT, 'examples')).filter((name) => name.endsWith('.ts'));

    expect(
      Object.keys(TESTED)
        .filter((name) => !name.includes('/'))
        .sort(),
    ).toEqual(programs.sort());
  });

  test('the demonstration runs against a service that the environment names, and ends well without its kitchen', async () => {
    const { service, environment } = await startService();

    const lines = succeed(await runProgram('examples/demo/index.ts', { environment }));

    expect(lines).toContain('   not handed over within 4 s; a real kitchen takes longer than this demonstration');
    expect(service.orders()).toMatchObject([
      { payment_status: 'PAID', amount_refunded: { amount: expect.any(Number) } },
    ]);
  });

  test('the demonstration says what failed, and ends with an exit code above 0', async () => {
    const { environment } = await startService();
    const wrong = { ...environment, ONLINE_ORDERING_CLIENT_SECRET: 'wrong' };

    const { exitCode, stderr } = await runProgram('examples/demo/index.ts', { environment: wrong });

    expect(exitCode).toBe(1);
    expect(stderr).toContain('The demonstration failed: GET /locations was not sent');
    expect(stderr).toContain('Check clientId, clientSecret');
  });
});

function variablesOf({ credentials }: MockService, url: string) {
  return {
    ONLINE_ORDERING_BASE_URL: url,
    ONLINE_ORDERING_CLIENT_ID: credentials.clientId,
    ONLINE_ORDERING_CLIENT_SECRET: credentials.clientSecret,
  };
}

async function orderAt(service: MockService): Promise<string> {
  const client = new OnlineOrdering({ ...service.credentials, dispatcher: service.dispatcher });
  const { locations, cartItems } = service.samples;
  const cart = await client.carts.create({ location_id: locations.downtown });
  await client.carts.items.add(cart.id, cartItems.houseCoffee);
  const { order_id: orderId } = await client.carts.checkout(cart.id, { handoff_mode: { mode: 'PICKUP' } });
  return orderId;
}

function markdownIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

function linksOf(page: string): string[] {
  return [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));
}

function temporaryDirectory(ending: (() => Promise<void>)[]): string {
  const path = mkdtempSync(join(tmpdir(), 'examples-'));
  ending.push(async () => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The wait after a 429 has up to a second of jitter. */
const withoutWait = (line: string): string => line.replace(/again in \S+ s/, 'again in … s');
