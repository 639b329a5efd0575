// Installs the packed tarball into an empty project, and places a call from both module formats. Run after a build.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONSUMER, EXPECTED as MORE_EXPECTED, PROGRAMS as MORE_PROGRAMS, TSCONFIGS } from './programs.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'online-ordering-sdk-package-'));

const CALL = `
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  const token = { access_token: 'token', token_type: 'BEARER', expires_in: 86400 };
  response.end(JSON.stringify(request.url.endsWith('/auth/token') ? token : { id: 'location', name: 'QuickStop' }));
}).listen(0, '127.0.0.1', async () => {
  const baseUrl = 'http://127.0.0.1:' + server.address().port + '/v1/online-ordering';
  const client = new OnlineOrdering({ baseUrl, clientId: 'id', clientSecret: 'secret', validation: 'off' });
  console.log((await client.locations.retrieve('location')).name);
  await client.close();
  server.close();
});
`;

const BRANDS = `
const esm = await import('online-ordering-sdk');
const cjs = createRequire(import.meta.url)('online-ordering-sdk');
const hooks = createRequire(import.meta.url)('online-ordering-sdk/webhooks');
for (const [maker, judge] of [[esm, cjs], [cjs, esm]]) {
  try { new maker.OnlineOrdering({ baseUrl: 'ftp://x' }); }
  catch (error) { console.log(error instanceof judge.ConfigurationError && error instanceof judge.OnlineOrderingError); }
}
try { hooks.constructEvent('{}', {}, 'secret'); }
catch (error) { console.log(error instanceof esm.WebhookVerificationError); }
`;

const PROGRAMS = {
  'import.mjs': `import { createServer } from 'node:http';\nimport { OnlineOrdering } from 'online-ordering-sdk';\n${CALL}`,
  'require.cjs': `const { createServer } = require('node:http');\nconst { OnlineOrdering } = require('online-ordering-sdk');\n${CALL}`,
  'brands.mjs': `import { createRequire } from 'node:module';\n${BRANDS}`,
  'entries.cjs': `for (const entry of ${JSON.stringify(entries())}) console.log(Object.keys(require(entry)).length > 0);`,
  'entries.mjs': `for (const entry of ${JSON.stringify(entries())}) console.log(Object.keys(await import(entry)).length > 0);`,
  ...MORE_PROGRAMS,
};

const EXPECTED = {
  'import.mjs': 'QuickStop',
  'require.cjs': 'QuickStop',
  'brands.mjs': 'true\ntrue\ntrue',
  'entries.cjs': entries()
    .map(() => 'true')
    .join('\n'),
  'entries.mjs': entries()
    .map(() => 'true')
    .join('\n'),
  ...MORE_EXPECTED,
};

function entries() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.keys(exports)
    .filter((entry) => entry !== './package.json')
    .map((entry) => entry.replace(/^\./, 'online-ordering-sdk'));
}

try {
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', project], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, '@opentelemetry'), { recursive: true });
  execFileSync('tar', ['-xzf', join(project, filename), '-C', modules]);
  cpSync(join(modules, 'package'), join(modules, 'online-ordering-sdk'), { recursive: true });
  rmSync(join(modules, 'package'), { recursive: true });
  // The run-time dependencies, the peer of /otel, and nothing else: what is bundled must not be needed.
  for (const name of ['undici', 'zod', '@opentelemetry/api'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  writeFileSync(join(project, 'package.json'), '{}');

  for (const [name, text] of Object.entries(PROGRAMS)) {
    writeFileSync(join(project, name), text);
    const output = execFileSync(process.execPath, [name], { cwd: project, encoding: 'utf8', timeout: 20_000 }).trim();
    if (output !== EXPECTED[name])
      throw new Error(`${name} printed ${JSON.stringify(output)} instead of ${JSON.stringify(EXPECTED[name])}.`);
    console.log(`ok ${name}`);
  }

  mkdirSync(join(modules, '@types'));
  for (const name of ['@types/node', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  for (const name of ['consumer.mts', 'consumer.cts']) writeFileSync(join(project, name), CONSUMER);
  for (const config of TSCONFIGS) {
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [compiler, '-p', '.'], { cwd: project, stdio: 'inherit', timeout: 120_000 });
    console.log(`ok types (${config.compilerOptions.moduleResolution})`);
  }

  const { build } = await import(join(root, 'node_modules/esbuild/lib/main.js'));
  const bundle = async (contents, options) => {
    const stdin = { contents, resolveDir: project };
    const common = { bundle: true, write: false, platform: 'browser', format: 'esm' };
    return (await build({ stdin, ...common, ...options })).outputFiles[0].text;
  };
  const money = await bundle("import { money } from 'online-ordering-sdk'; console.log(money(1));", {
    minify: true,
    external: ['undici', 'zod'],
  });
  if (money.length > 10_000) {
    throw new Error(`A bundle of money alone has ${money.length} bytes; it has shaken nothing off.`);
  }
  // A static import of a builtin fails here: the platform is a browser.
  const both = "export * from 'online-ordering-sdk'; export * from 'online-ordering-sdk/webhooks';";
  const worker = await bundle(both, { external: ['undici'], conditions: ['workerd', 'worker'] });
  if (/^import /m.test(worker)) throw new Error('The bundle for Workers imports something at its top.');
  console.log('ok bundles');
} finally {
  rmSync(project, { recursive: true, force: true });
}
