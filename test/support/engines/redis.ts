import { accessSync, constants } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from './free-port.js';
import { GuardedProcess } from './guarded-process.js';

/** A real Redis (or Valkey) server on the loopback interface, without anything on disk. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Stops the process where it stands: connections stay open, and nobody answers. */
  freeze(): void;
  thaw(): void;
  /** Ends it at once, as a machine that loses its power. What a `durable` one has confirmed is kept for `start`. */
  kill(): Promise<void>;
  /** Starts it again on its port. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface RedisOptions {
  /** The port of the server to follow. */
  readonly replicaOf?: number;
  /** A server of a cluster; the slots are given out afterwards. */
  readonly cluster?: boolean;
  /** Writes each change to its append-only file before it confirms it. */
  readonly durable?: boolean;
  /** The port to listen on, for a server that comes back. @defaultValue a free one */
  readonly port?: number;
}

/** The server's program on this machine. */
export function redisProgram(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = ['redis-server', 'valkey-server'].flatMap((name) => folders.map((folder) => join(folder, name)));
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  const command = redisProgram();
  if (command === undefined) throw new Error('There is no redis-server on this machine.');
  const port = options.port ?? (await freePort());
  const folder = await mkdtemp(join(tmpdir(), 'redis-'));
  const appendOnly = options.durable ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no'];
  const start = (): Promise<GuardedProcess> =>
    GuardedProcess.start({
      command,
      args: [
        ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
        ...['--save', '', '--daemonize', 'no', '--repl-diskless-sync-delay', '0'],
        ...appendOnly,
        ...(options.replicaOf === undefined ? [] : ['--replicaof', '127.0.0.1', String(options.replicaOf)]),
        ...(options.cluster ? ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000'] : []),
      ],
      folder,
      endSignal: 'SIGTERM',
      readyLine: /Ready to accept connections/,
    });
  let server = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    freeze: () => server.signal('SIGSTOP'),
    thaw: () => server.signal('SIGCONT'),
    kill: () => server.end({ signal: 'SIGKILL', keepFolder: options.durable === true }),
    start: async () => {
      server = await start();
    },
    stop: () => server.end(),
  };
}
