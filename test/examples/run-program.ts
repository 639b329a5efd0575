import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Below the limit of a test, so that what the program printed is told. */
const ENDS_WITHIN_MS = 150_000;

export interface RunProgramOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Told each line of the standard output; `end` asks the program to end. */
  readonly onLine?: (line: string, end: () => void) => void;
}

export interface ProgramResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a TypeScript program in a process of its own, with nothing of the environment but what it is given. */
export function runProgram(
  path: string,
  { environment, args = [], onLine }: RunProgramOptions = {},
): Promise<ProgramResult> {
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', path, ...args], {
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
