import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

/**
 * Runs the program beside it with V8's compiled code of an earlier process: a program of a few megabytes then starts in half
 * the time.
 */
const STARTER = `
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');
const filename = join(__dirname, process.argv[2]);
const read = (name) => { try { return readFileSync(name); } catch { return undefined; } };
const cachedData = read(filename + '.cache');
const wrapped = '(function (exports, require, module, __filename, __dirname) {' + readFileSync(filename, 'utf8') + '\\n})';
const script = new Script(wrapped, { filename, cachedData });
const module_ = { exports: {} };
script.runInThisContext()(module_.exports, require, module_, filename, dirname(filename));
if (cachedData === undefined) {
  process.on('exit', () => {
    const own = filename + '.' + process.pid;
    writeFileSync(own, script.createCachedData());
    renameSync(own, filename + '.cache');
  });
}
`;

/** A program of TypeScript, built into one file of JavaScript, of which many processes are started. */
export class Program {
  readonly #directory: string;
  readonly #file: string;

  private constructor(directory: string, file: string) {
    this.#directory = directory;
    this.#file = file;
  }

  /** @param path of its source; what it imports of the package by its public names comes from the package's sources */
  static async build(path: string): Promise<Program> {
    const directory = await mkdtemp(join(tmpdir(), 'program-'));
    const file = basename(path).replace(/\.ts$/, '.cjs');
    await build({
      entryPoints: [path],
      outfile: join(directory, file),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      external: ['pg-native', 'pg-cloudflare', 'cloudflare:sockets'],
      tsconfig: join(SOURCES, '../tsconfig.json'),
      logLevel: 'error',
    });
    await writeFile(join(directory, 'start.cjs'), STARTER);
    return new Program(directory, file);
  }

  /** What starts a process of it. */
  get command(): readonly [string, ...string[]] {
    return [process.execPath, join(this.#directory, 'start.cjs'), this.#file];
  }

  start(options: SpawnOptions): ChildProcess {
    const [node, ...args] = this.command;
    return spawn(node, args, options);
  }

  remove(): Promise<void> {
    return rm(this.#directory, { recursive: true, force: true });
  }
}
