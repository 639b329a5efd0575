import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Below the limit of a test, so that what the program printed is told. */
const ENDS_WITHIN_MS = 150_000;

export interface RunProgramOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** The program starts other programs of TypeScript that lie beside it: it runs from its sources. */
  readonly fromSources?: boolean;
  /** Told each line of the standard output; `end` asks the program to end. */
  readonly onLine?: (line: string, end: () => void) => void;
}

export interface ProgramResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const directory = mkdtempSync(join(tmpdir(), 'example-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const built = new Map<string, Promise<string>>();

/** The program in one file of JavaScript, which starts in a quarter of the time. */
async function inOneFile(path: string): Promise<string> {
  const outfile = join(directory, path.replaceAll('/', '-').replace(/ts$/, 'mjs'));
  await build({
    entryPoints: [join(ROOT, path)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    tsconfig: join(ROOT, 'tsconfig.json'),
    // What is CommonJS among the packages it uses asks for Node's modules.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  return outfile;
}

/** Runs a TypeScript program in a process of its own, with nothing of the environment but what it is given. */
export async function runProgram(
  path: string,
  { environment, args = [], fromSources = false, onLine }: RunProgramOptions = {},
): Promise<ProgramResult> {
  const { PATH, HOME, TMPDIR } = process.env;
  if (!fromSources && !built.has(path)) built.set(path, inOneFile(path));
  const program = fromSources ? ['--import', 'tsx', path] : [await built.get(path)!];
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: ROOT,
    env: { PATH, HOME, TMPDIR, ...environment },
  });
  let stdout = '';
  let stderr = '';
  let told = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    const whole = stdout.lastIndexOf('\n') + 1;
    const lines = stdout.slice(told, whole).split('\n').slice(0, -1);
    told = whole;
    for (const line of lines) onLine?.(line, () => child.kill('SIGTERM'));
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${path} did not end within ${ENDS_WITHIN_MS} ms. It printed:\n${stdout}\n${stderr}`));
    }, ENDS_WITHIN_MS);
    child.once('error', reject);
    child.once('close', (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, stdout, stderr });
    });
  });
}
