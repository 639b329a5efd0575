/**
 * Runs one smoke suite over the packed tarball on every supported runtime, and prints a table.
 *
 *   npm run build && npm run test:runtimes [-- --only node-22,bun]
 *
 * The runtimes come from packages of the npm registry, into node_modules/.cache/runtimes. One that cannot be had for this
 * machine is told in a line, and left out.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = (name) => join(root, 'test/runtimes', name);
const cache = join(root, 'node_modules/.cache/runtimes');
const { values } = parseArgs({ options: { only: { type: 'string' } } });

const machine = `${process.platform}-${process.arch}`;
const node = (version) => ({
  packages: [`node-${machine}@${version}`],
  binary: (modules) => join(modules, `node-${machine}/bin/node`),
  args: ['server-runtime.mjs'],
});
const DENO = { 'linux-x64': 'linux-x64-glibc', 'linux-arm64': 'linux-arm64-glibc' }[machine] ?? machine;

/** Runtime by name: the packages that carry it, its program, and how it is started. */
const RUNTIMES = {
  'node-20': node('20'),
  'node-22': node('22'),
  'node-24': node('24'),
  'node-26': node('26'),
  bun: {
    packages: [`@oven/bun-${machine}@1`],
    binary: (modules) => join(modules, `@oven/bun-${machine}/bin/bun`),
    args: ['server-runtime.mjs'],
  },
  deno: {
    packages: [`@deno/${DENO}@2`],
    binary: (modules) => join(modules, `@deno/${DENO}/deno`),
    args: ['run', '--allow-all', '--node-modules-dir=manual', 'server-runtime.mjs'],
  },
  workerd: {
    // miniflare needs Node 22 or newer.
    packages: ['miniflare@4', `node-${machine}@22`],
    binary: (modules) => join(modules, `node-${machine}/bin/node`),
    args: ['run-worker.mjs', 'worker.bundle.mjs'],
  },
};

/** Installs a runtime once; `undefined` when the registry has none for this machine. */
function install(name, { packages, binary }) {
  const folder = join(cache, name);
  const modules = join(folder, 'node_modules');
  if (!existsSync(binary(modules))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{}');
    const args = ['install', '--no-audit', '--no-fund', '--no-save', '--ignore-scripts', ...packages];
    spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return existsSync(binary(modules)) ? { program: binary(modules), modules } : undefined;
}

/** An empty project with the packed tarball in it, installed as a partner installs it. */
function packedProject() {
  const project = mkdtempSync(join(tmpdir(), 'online-ordering-sdk-runtimes-'));
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename }] = JSON.parse(packed);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', `./${filename}`], { cwd: project, stdio: 'ignore' });
  for (const name of ['smoke.mjs', 'server-runtime.mjs', 'worker.mjs', 'run-worker.mjs']) {
    writeFileSync(join(project, name), readFileSync(here(name)));
  }
  return project;
}

async function bundleWorker(project) {
  const { build } = await import('esbuild');
  await build({
    entryPoints: [join(project, 'worker.mjs')],
    outfile: join(project, 'worker.bundle.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker'],
    external: ['undici'],
    logLevel: 'error',
  });
}

/** The mock over HTTP, in a process of its own; gives the options of a client for it. */
function startMock() {
  const child = spawn(process.execPath, [join(root, 'dist/command.js'), 'mock', '--port', '0']);
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const [, baseUrl, clientId, clientSecret] =
        /BASE_URL=(\S+)[\s\S]*CLIENT_ID=(\S+)[\s\S]*CLIENT_SECRET=(\S+)\n/.exec(printed) ?? [];
      if (clientSecret) resolve({ child, options: { baseUrl, clientId, clientSecret } });
    });
    child.once('exit', () => reject(new Error(`The mock ended: ${printed}`)));
  });
}

function run(runtime, { program, modules }, project, options) {
  const result = spawnSync(program, runtime.args, {
    cwd: project,
    encoding: 'utf8',
    timeout: 60_000,
    env: {
      ...process.env,
      SMOKE_OPTIONS: JSON.stringify(options),
      SMOKE_JOURNAL: mkdtempSync(join(project, 'journal-')),
      // Where the runner of Workers is installed: beside its runtime, and not in the partner's project.
      SMOKE_MODULES: modules,
    },
  });
  return {
    ok: result.status === 0,
    output: `${result.stdout ?? ''}${result.stderr ?? ''}${result.error ?? ''}`.trim(),
  };
}

const wanted = values.only?.split(',') ?? Object.keys(RUNTIMES);
const project = packedProject();
const rows = [];
try {
  await bundleWorker(project);
  for (const name of wanted) {
    const runtime = RUNTIMES[name];
    if (!runtime) throw new Error(`There is no runtime ${name}; write one of ${Object.keys(RUNTIMES).join(', ')}.`);
    const found = install(name, runtime);
    if (!found) {
      rows.push([name, 'left out: the npm registry has no package of it for this machine']);
      continue;
    }
    const { child, options } = await startMock();
    const { ok, output } = run(runtime, found, project, options);
    child.kill();
    if (!ok) console.error(`${name}\n${output}\n`);
    const passed = output.split('\n').filter((line) => line.startsWith('ok ')).length;
    rows.push([name, ok ? `ok, ${passed} parts` : 'FAILED']);
    if (!ok) process.exitCode = 1;
  }
} finally {
  rmSync(project, { recursive: true, force: true });
}
for (const [name, result] of rows) console.log(`${name.padEnd(10)} ${result}`);
