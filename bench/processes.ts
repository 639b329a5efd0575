import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Where the service listens, and the ids that its records have. */
export interface Service {
  readonly origin: string;
  /** The same over TLS, for HTTP/1.1 and HTTP/2. */
  readonly tlsOrigin: string;
  readonly orderId: string;
  readonly locationId: string;
}

const pathOf = (name: string): string => fileURLToPath(new URL(`./processes/${name}.mjs`, import.meta.url));
const run = promisify(execFile);

/** Runs one measuring process to its end, and gives back what it printed. */
export async function measure<T>(name: string, task: object, nodeOptions: readonly string[] = []): Promise<T> {
  const { stdout } = await run(process.execPath, [...nodeOptions, pathOf(name), JSON.stringify(task)], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as T;
}

/** Starts a process that serves, and reads its first line. */
async function start(name: string, args: readonly string[]): Promise<{ child: ChildProcess; told: unknown }> {
  const child = spawn(process.execPath, [pathOf(name), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, told: JSON.parse(line) };
}

/** The service in a process of its own, while `work` runs. */
export async function withService<T>(work: (service: Service, port: number) => Promise<T>): Promise<T> {
  const { child, told } = await start('server', []);
  const { port, tlsPort, ...ids } = told as { port: number; tlsPort: number; orderId: string; locationId: string };
  try {
    return await work({ origin: `http://127.0.0.1:${port}`, tlsOrigin: `https://localhost:${tlsPort}`, ...ids }, port);
  } finally {
    child.kill();
  }
}

/** The same service behind a link of 10 Mbit/s and 40 ms. */
export async function withSlowLink<T>(service: Service, port: number, work: (slow: Service) => Promise<T>): Promise<T> {
  const { child, told } = await start('slow-link', [String(port)]);
  try {
    return await work({ ...service, origin: `http://127.0.0.1:${(told as { port: number }).port}` });
  } finally {
    child.kill();
  }
}
