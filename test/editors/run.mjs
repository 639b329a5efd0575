/**
 * Compiles programs that use the packed tarball, with the compilers and settings that partners have.
 *
 *   npm run build && npm run test:editors [-- --only 5.4,7]
 *
 * Each compiler comes from the npm registry, into node_modules/.cache/compilers. Prints a table; ends with status 1 when a
 * program does not compile, when a slip does, or when the package makes a program slow to check.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, 'node_modules/.cache/compilers');
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const COMPILERS = ['5.4', '5.9', '6', '7'];

const RESOLUTION = {
  node16: { module: 'node16', moduleResolution: 'node16' },
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};
/** With Node's types, and with nothing but the language and the DOM. */
const SURROUNDING = {
  node: { types: ['node'], lib: ['ES2022'] },
  bare: { types: [], lib: ['ES2022', 'DOM'] },
};
/** Every value of every setting, and the pairs that have broken packages; not all combinations. */
const SETTINGS = [
  ['node16', 'node', true],
  ['nodenext', 'node', false],
  ['nodenext', 'bare', true],
  ['bundler', 'node', true],
  ['bundler', 'bare', false],
];

/**
 * Programs whose check may take at most 1.5 times that of the one beside it, plus 0.5 s. `/contract` gives zod's own
 * types, so that it is held against zod alone.
 */
const TIMED = [
  ['entries.mts', 'empty.mts'],
  ['contract.mts', 'zod.mts'],
];

function compilerOf(version) {
  const folder = join(cache, version);
  const program = join(folder, 'node_modules/typescript/bin/tsc');
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{}');
    const args = ['install', '--no-audit', '--no-fund', '--no-save', `typescript@${version}`];
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return program;
}

function packedProject() {
  if (!existsSync(join(root, 'dist/index.d.ts'))) {
    throw new Error('dist has no declarations: run `npm run build` first (a build with `--no-dts` makes none).');
  }
  const project = mkdtempSync(join(tmpdir(), 'online-ordering-sdk-editors-'));
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename }] = JSON.parse(packed);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  const args = ['install', '--no-audit', '--no-fund', `./${filename}`, '@types/node@20'];
  execFileSync('npm', args, { cwd: project, stdio: 'ignore' });
  const programs = join(root, 'test/editors/programs');
  for (const name of readdirSync(programs)) {
    const text = readFileSync(join(programs, name), 'utf8');
    writeFileSync(join(project, name), text);
    // The same program as a CommonJS module.
    if (name === 'consumer.mts') writeFileSync(join(project, 'consumer.cts'), text);
  }
  return project;
}

/** Compiles `files`; gives what the compiler said, and how long it took. */
function compile(program, project, files, options) {
  const compilerOptions = { target: 'ES2022', strict: true, skipLibCheck: false, noEmit: true, ...options };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ files, compilerOptions }));
  const startedAt = performance.now();
  const { status, stdout } = spawnSync(process.execPath, [program, '-p', '.'], { cwd: project, encoding: 'utf8' });
  return { ok: status === 0, said: stdout.trim(), seconds: (performance.now() - startedAt) / 1000 };
}

const project = packedProject();
const failures = [];
try {
  for (const version of values.only?.split(',') ?? COMPILERS) {
    const program = compilerOf(version);
    for (const [resolution, surrounding, exactOptionalPropertyTypes] of SETTINGS) {
      const files = resolution === 'bundler' ? ['consumer.mts'] : ['consumer.mts', 'consumer.cts'];
      if (surrounding === 'node') files.push('server.mts');
      const options = { ...RESOLUTION[resolution], ...SURROUNDING[surrounding], exactOptionalPropertyTypes };
      const { ok, said } = compile(program, project, files, options);
      const exact = exactOptionalPropertyTypes ? 'on' : 'off';
      const title = `TypeScript ${version}, ${resolution}, ${surrounding}, exactOptionalPropertyTypes ${exact}`;
      console.log(`${ok ? 'ok    ' : 'FAILED'} ${title}`);
      if (!ok) failures.push(`${title}\n${said}`);
    }
    const bundler = { ...RESOLUTION.bundler, ...SURROUNDING.node };
    const time = (file) => compile(program, project, [file], bundler).seconds;
    for (const [file, beside] of TIMED) {
      let [importing, floor, isSlow] = [Infinity, Infinity, true];
      // A busy machine makes any single run slow: the best of up to three counts.
      for (let round = 0; round < 3 && isSlow; round += 1) {
        importing = Math.min(importing, time(file));
        floor = Math.min(floor, time(beside));
        isSlow = importing > floor * 1.5 + 0.5;
      }
      const told = `TypeScript ${version} checks ${file} in ${importing.toFixed(2)} s, ${beside} in ${floor.toFixed(2)} s`;
      console.log(`${isSlow ? 'SLOW  ' : 'ok    '} ${told}`);
      if (isSlow) failures.push(told);
    }
  }
} finally {
  rmSync(project, { recursive: true, force: true });
}
for (const failure of failures) console.error(`\n${failure}`);
if (failures.length > 0) process.exitCode = 1;
