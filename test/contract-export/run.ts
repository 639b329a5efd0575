/**
 * Holds docs/openapi.yaml against tools of others, which are installed into node_modules/.cache/contract-export:
 *
 *   npm run test:contract-export
 *
 * 1. Redocly's linter has no warning. 2. A client generated with openapi-typescript compiles, and places an order at the
 * mock over HTTP. 3. Prism stands between the contract suite, the demo and that client on the one side and the mock on the
 * other, and finds nothing against any request or response. 4. Nor does it where the tests of the client meet the mock.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMockService } from '../../src/mock/index.js';
import type { Verdict } from './prism.js';
import { startProxy } from './proxy.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const tools = join(root, 'node_modules/.cache/contract-export');
const document = join(root, 'docs/openapi.yaml');

interface Ran {
  readonly code: number | null;
  readonly output: string;
}

function run(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => resolve({ code, output }));
  });
}

const failures: string[] = [];

function report(what: string, { code, output }: Ran, fits: (output: string) => boolean = () => true): void {
  const isWell = code === 0 && fits(output);
  console.log(`${isWell ? 'ok   ' : 'WRONG'} ${what}`);
  if (isWell) return;
  failures.push(what);
  console.log(output.trim().split('\n').slice(-40).join('\n'));
}

function hold(what: string, verdicts: readonly Verdict[]): void {
  const count = (of: 'checked' | 'refused' | 'unknown') => verdicts.reduce((sum, verdict) => sum + verdict[of], 0);
  const violations = verdicts.flatMap((verdict) => verdict.violations);
  const wrong = `${count('refused')} wrong requests, each refused; ${count('unknown')} to unknown paths`;
  console.log(`      ${count('checked')} ${what} checked; ${wrong}`);
  report('Prism has nothing against any of them', { code: violations.length, output: violations.join('\n') });
}

mkdirSync(tools, { recursive: true });
copyFileSync(join(here, 'package.json'), join(tools, 'package.json'));
const installed = await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], tools);
report('the tools are installed', installed);

const bin = (name: string): string => join(tools, 'node_modules/.bin', name);
// A file of its own: the linter looks for its configuration, and its news, nowhere else.
writeFileSync(join(tools, 'redocly.yaml'), 'extends: [recommended]\ntelemetry: off\n');
const lint = await run(bin('redocly'), ['lint', document], tools, { REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' });
report('Redocly finds neither error nor warning', lint, (output) => !/You have \d+ (warning|error)/.test(output));

copyFileSync(join(here, 'client.ts'), join(tools, 'client.ts'));
report('openapi-typescript makes types', await run(bin('openapi-typescript'), [document, '-o', 'schema.d.ts'], tools));
const options = { strict: true, noUncheckedIndexedAccess: true, target: 'es2022', module: 'nodenext', noEmit: true };
const types = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')], skipLibCheck: true };
writeFileSync(
  join(tools, 'tsconfig.json'),
  JSON.stringify({ compilerOptions: { ...options, ...types }, files: ['client.ts'] }),
);
report('the generated client compiles', await run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], tools));

const service = createMockService({ seed: 7, clock: 'real', rateLimits: false });
const server = await service.listen({ port: 0, workbench: false });
const { clientId, clientSecret } = service.credentials;
const tsx = join(root, 'node_modules/.bin/tsx');
const clientRun = (baseUrl: string) =>
  run(tsx, ['client.ts'], tools, { BASE_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret });
const placed = (output: string): boolean => output.trim().endsWith('PAID true');
report('the generated client places and pays an order at the mock', await clientRun(server.url), placed);

const proxy = await startProxy(document, server.url, tools);
const live = {
  ONLINE_ORDERING_BASE_URL: proxy.url,
  ONLINE_ORDERING_CLIENT_ID: clientId,
  ONLINE_ORDERING_CLIENT_SECRET: clientSecret,
};
report('the generated client does so through Prism', await clientRun(proxy.url), placed);
const demo = await run(tsx, ['examples/demo/index.ts'], root, live);
report('the demo runs through Prism', demo);
const vitest = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> =>
  run(join(root, 'node_modules/.bin/vitest'), ['run', '--maxWorkers=1', '--reporter=dot', ...args], root, env);
const suite = await vitest(['test/contract/', '--no-file-parallelism'], live);
report('the contract suite passes through Prism', suite);
hold('exchanges', [proxy.verdict()]);

const verdicts = join(tools, 'verdicts.jsonl');
rmSync(verdicts, { force: true });
const beside = { CONTRACT_DOCUMENT: document, CONTRACT_TOOLS: tools, CONTRACT_VERDICT: verdicts };
const tests = await vitest(['--config', 'test/contract-export/vitest.config.ts'], beside);
report('the tests of the client against the mock pass with Prism beside it', tests);
const lines = readFileSync(verdicts, 'utf8').trim().split('\n');
hold(
  'different exchanges',
  lines.map((line) => JSON.parse(line) as Verdict),
);

await proxy.close();
await server.close();
await service.close();
process.exitCode = failures.length === 0 ? 0 : 1;
