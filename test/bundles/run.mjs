/**
 * Bundles a program that uses every entry point of the packed tarball with each bundler, and runs the bundle in a folder
 * without `node_modules`: an order through the mock, a webhook, and what else the program does.
 *
 *   npm run build && npm run test:bundles [-- --only esbuild,next]
 *
 * The bundlers are installed into node_modules/.cache/bundles.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual, parseArgs, promisify } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const project = join(root, 'node_modules/.cache/bundles');
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const require = createRequire(join(project, 'package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NEXT_IGNORE_INCORRECT_LOCKFILE: '1' };

const EXPECTED = {
  order: 'CONFIRMED',
  paid: true,
  priced: true,
  webhook: 'order.created',
  stores: true,
  inboxes: true,
};

/** CommonJS inside of an ES module asks for `require`; every bundler's guide for Node advises these lines. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
const esbuild = (format, extension, more) => async (out) => {
  const { build } = await load('esbuild');
  const outfile = join(out, `bundle${extension}`);
  const entry = { entryPoints: [join(project, 'start.mjs')], bundle: true, platform: 'node', target: 'node20' };
  await build({ ...entry, format, outfile, logLevel: 'error', ...more });
  return outfile;
};

/** How each bundler makes its bundle; gives the file to be run. */
const BUNDLERS = {
  'esbuild, ESM': esbuild('esm', '.mjs', { banner: { js: REQUIRE } }),
  'esbuild, CommonJS': esbuild('cjs', '.cjs', {}),
  'esbuild, minified': esbuild('cjs', '.cjs', { minify: true }),
  async rollup(out) {
    const [{ rollup }, ...plugins] = await Promise.all(
      ['rollup', '@rollup/plugin-node-resolve', '@rollup/plugin-commonjs', '@rollup/plugin-json'].map(load),
    );
    const [resolve, commonjs, json] = plugins.map((plugin) => plugin.default?.default ?? plugin.default);
    const bundle = await rollup({
      input: join(project, 'start.mjs'),
      plugins: [resolve({ preferBuiltins: true, exportConditions: ['node'] }), commonjs(), json()],
      onwarn(warning) {
        if (warning.code === 'UNRESOLVED_IMPORT') throw new Error(warning.message);
      },
    });
    await bundle.write({ dir: out, format: 'esm', entryFileNames: 'bundle.mjs', chunkFileNames: '[name]-[hash].mjs' });
    await bundle.close();
    return join(out, 'bundle.mjs');
  },
  async webpack(out) {
    const { default: webpack } = await load('webpack');
    const compiler = webpack({
      entry: join(project, 'start.mjs'),
      target: 'node20',
      mode: 'production',
      output: { path: out, filename: 'bundle.cjs' },
    });
    const stats = await promisify(compiler.run.bind(compiler))();
    await promisify(compiler.close.bind(compiler))();
    const told = stats.toJson({ all: false, errors: true, warnings: true });
    const problems = [...told.errors, ...told.warnings].map(({ message }) => message);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return join(out, 'bundle.cjs');
  },
  /** Next's server build, with the package in its bundle: `transpilePackages` keeps it from being left to `require`. */
  async next() {
    const app = join(project, 'next');
    const program = join(project, 'node_modules/next/dist/bin/next');
    rmSync(join(app, '.next'), { recursive: true, force: true });
    execFileSync(process.execPath, [program, 'build'], { cwd: app, env, stdio: 'pipe' });
  },
};

function prepare() {
  mkdirSync(project, { recursive: true });
  cpSync(here, project, { recursive: true });
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', project];
  const told = execFileSync('npm', pack, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  // A name that never changes would leave the tarball of the last run installed.
  const tarball = join(project, `sdk-${Date.now()}.tgz`);
  renameSync(join(project, JSON.parse(told)[0].filename), tarball);
  rmSync(join(project, 'node_modules/online-ordering-sdk'), { recursive: true, force: true });
  const flags = ['--no-audit', '--no-fund', '--no-save'];
  execFileSync('npm', ['install', ...flags, tarball], { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
  rmSync(tarball);
  cpSync(join(project, 'program.mjs'), join(project, 'next/program.mjs'));
}

/** What a bundle prints, run where nothing can be resolved but Node's own modules. */
function ran(file, cwd) {
  const printed = execFileSync(process.execPath, [file], { cwd, encoding: 'utf8', stdio: 'pipe', timeout: 30_000 });
  return JSON.parse(printed);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** What the route of Next's build responds. */
async function served() {
  const port = await freePort();
  const program = join(project, 'node_modules/next/dist/bin/next');
  const args = [program, 'start', '--hostname', '127.0.0.1', '--port', String(port)];
  const child = spawn(process.execPath, args, { cwd: join(project, 'next'), env, stdio: 'ignore' });
  try {
    for (let look = 0; ; look += 1) {
      const response = await fetch(`http://127.0.0.1:${port}/run`).catch(() => undefined);
      if (response?.ok) return await response.json();
      if (response) throw new Error(`the route responded with ${response.status}`);
      if (look === 300) throw new Error('it did not start within 30 s');
      await wait(100);
    }
  } finally {
    child.kill('SIGKILL');
  }
}

const weight = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => /\.[cm]?js$/.test(name))
    .reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);

if (!existsSync(join(root, 'dist/index.js'))) throw new Error('There is no dist: run `npm run build` first.');
prepare();
const only = values.only?.split(',');
for (const [name, bundle] of Object.entries(BUNDLERS)) {
  const bundler = name.split(',')[0];
  if (only && !only.includes(bundler)) continue;
  const { version } = JSON.parse(readFileSync(join(project, 'node_modules', bundler, 'package.json'), 'utf8'));
  const out = mkdtempSync(join(tmpdir(), 'online-ordering-sdk-bundle-'));
  try {
    const file = await bundle(out);
    const seen = bundler === 'next' ? await served() : ran(file, out);
    if (!isDeepStrictEqual(seen, EXPECTED)) throw new Error(`the program saw ${JSON.stringify(seen)}`);
    const size = bundler === 'next' ? '' : `, ${Math.round(weight(out) / 1024)} KB`;
    console.log(`ok     ${name.padEnd(18)} ${version.padEnd(9)} order ${seen.order}, ${seen.webhook} received${size}`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`FAILED ${name.padEnd(18)} ${version.padEnd(9)} ${error.message} ${error.stderr ?? ''}`);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
