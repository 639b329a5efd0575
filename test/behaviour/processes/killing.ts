import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Draws } from '../../model/draws.js';
import { type Arrived, type Behaviour, type Fate, KIND, UnkindService } from '../../model/unkind-service.js';
import { fastClock } from './fast-clock.js';

const PROGRAM = fileURLToPath(new URL('./settle-unkind.ts', import.meta.url));
const SOURCES = fileURLToPath(new URL('../../../src/index.ts', import.meta.url));
const BASE_PATH = '/v1/online-ordering';
const TOTAL = 2000;
const GIFT = 500;
/** How much faster than real time the processes and the service run: leases pass sooner, and a busy machine still keeps them. */
const SPEED = 4;
const HORIZON_MS = 8000;
const LAG_MS = 2000;
/** Real milliseconds after which a settlement must have come to its end. */
const LONGEST_MS = 60_000;

export type JournalKind = 'files' | 'store';

export interface KillingOptions {
  readonly journal: JournalKind;
  readonly seed: number;
}

/** A service, a shared store and a disk, for real processes that are killed and stopped. */
export class Killing {
  readonly #options: KillingOptions;
  readonly #draws: Draws;
  readonly #epoch = Date.now();
  readonly #service: UnkindService;
  readonly #behaviour: Behaviour;
  readonly #records = new Map<string, string>();
  #servers: Server[] = [];
  #directory = '';
  #url = '';
  #storeUrl = '';
  #orders = 0;

  constructor(options: KillingOptions) {
    this.#options = options;
    this.#draws = new Draws(options.seed);
    const clock = fastClock(SPEED, this.#epoch);
    this.#service = new UnkindService(
      { now: () => clock.now(), after: (ms, run) => clock.setTimer(run, ms) },
      { fateOf: (request) => this.#fateOf(request), replica: () => this.#draws.number('replica') },
    );
    this.#behaviour = {
      ...KIND,
      keysInFlight: 'run_twice',
      overpayment: 'accept',
      keysShown: false,
      readLagMs: LAG_MS * 0.5,
    };
    this.#service.behaviour = this.#behaviour;
  }

  async start(): Promise<void> {
    this.#directory = await mkdtemp(join(tmpdir(), 'killing-'));
    await build({
      entryPoints: [PROGRAM],
      outfile: join(this.#directory, 'settle.cjs'),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      alias: { 'online-ordering-sdk': SOURCES },
      logLevel: 'error',
    });
    this.#url = `${await this.#listen((request, response) => this.#serve(request, response))}${BASE_PATH}`;
    this.#storeUrl = await this.#listen((request, response) => this.#keep(request, response));
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Pays one order with a process that is killed, and others after it; tells what is wrong, or nothing. */
  async killOnce(): Promise<string | undefined> {
    const orderId = this.#newOrder();
    let ending = '';
    for (let kills = this.#draws.whole('kills', 1, 2); kills > 0 && ending !== 'PAID'; kills -= 1) {
      const child = this.#spawn(orderId);
      const timer = setTimeout(() => child.process.kill('SIGKILL'), this.#killAfterMs());
      ending = await child.ended;
      clearTimeout(timer);
    }
    return this.#finish(orderId);
  }

  /** Pays one order with a process that is stopped while another one takes over, and then goes on. */
  async stopOnce(): Promise<string | undefined> {
    const orderId = this.#newOrder();
    const stopped = this.#spawn(orderId);
    await pause(this.#killAfterMs());
    stopped.process.kill('SIGSTOP');
    const other = this.#spawn(orderId);
    await Promise.race([other.ended, pause(this.#draws.whole('stopped', 1000, 12_000))]);
    stopped.process.kill('SIGCONT');
    await Promise.all([stopped.ended, other.ended]);
    return this.#finish(orderId);
  }

  /** The same call until it has an end, as a supervisor makes it. */
  async #finish(orderId: string): Promise<string | undefined> {
    const endings: string[] = [];
    for (let calls = 0; calls < 5 && endings.at(-1) !== 'PAID'; calls += 1) {
      endings.push(await this.#spawn(orderId).ended);
    }
    // What still runs at the service has its end, too.
    await pause(HORIZON_MS / SPEED);
    const charges = this.#service.ledger.filter(({ order }) => order === orderId).map(({ cents }) => cents);
    if (endings.at(-1) === 'PAID' && String(charges) === String([GIFT, TOTAL - GIFT])) return undefined;
    return `order ${orderId}: charged ${charges.join(', ') || 'nothing'} of ${TOTAL}; ended ${endings.join(' | ')}`;
  }

  #newOrder(): string {
    this.#orders += 1;
    const orderId = `33333333-3333-4333-8333-${String(this.#orders).padStart(12, '0')}`;
    this.#service.openOrder(orderId, TOTAL);
    return orderId;
  }

  /** While it starts, reads, pays, looks, or waits for the horizon. */
  #killAfterMs(): number {
    return this.#draws.chance('kill.late', 0.3)
      ? this.#draws.whole('kill.after.late', 800, 3000)
      : this.#draws.whole('kill.after', 150, 900);
  }

  #fateOf({ method }: Arrived): Fate {
    const draws = this.#draws;
    if (method === 'GET') return draws.chance('read.fails', 0.05) ? { refusedWith: 503 } : {};
    // Time for a busy machine to carry a request to the service.
    const longest = HORIZON_MS - LAG_MS - 2500;
    return {
      executesMs: draws.chance('late', 0.5)
        ? draws.whole('late.by', 2000, longest)
        : draws.whole('executes', 300, 3000),
      errorAfter: draws.chance('errorAfter', 0.2),
      ...(draws.chance('errorBefore', 0.1) ? { outcome: 'error' as const } : {}),
      ...(draws.chance('gateway', 0.15) ? { gatewayAfterMs: 400 } : {}),
    };
  }

  #spawn(orderId: string): { process: ChildProcess; ended: Promise<string> } {
    const child = spawn(process.execPath, [join(this.#directory, 'settle.cjs')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ONLINE_ORDERING_BASE_URL: this.#url,
        ONLINE_ORDERING_CLIENT_ID: '11111111-2222-4333-8444-555555555555',
        ONLINE_ORDERING_CLIENT_SECRET: 'secret-of-the-partner',
        ORDER_ID: orderId,
        JOURNAL: this.#options.journal === 'files' ? join(this.#directory, 'journal') : this.#storeUrl,
        SPEED: String(SPEED),
        EPOCH: String(this.#epoch),
        HORIZON_MS: String(HORIZON_MS),
        LAG_MS: String(LAG_MS),
      },
    });
    let output = '';
    const take = (bytes: Buffer): void => {
      output += bytes;
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    const overdue = setTimeout(() => {
      output += 'did not end';
      child.kill('SIGKILL');
    }, LONGEST_MS);
    const ended = new Promise<string>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', () => {
        clearTimeout(overdue);
        resolve(output.trim());
      });
    });
    return { process: child, ended };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sentAt = this.#epoch + (Date.now() - this.#epoch) * SPEED;
    const body = await textOf(request);
    const key = request.headers['idempotency-key'];
    const arrived: Arrived = {
      method: request.method ?? 'GET',
      path: (request.url ?? '').slice(BASE_PATH.length),
      key: typeof key === 'string' ? key : undefined,
      body: body || null,
      sentAt,
    };
    this.#service.handle(arrived, (answer) => {
      if (this.#draws.chance('reset', 0.05)) return void response.destroy();
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  }

  /** Compare-and-set over HTTP, by one thread: atomic. */
  async #keep(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { read, write, expected, next } = JSON.parse(await textOf(request)) as Record<string, string | undefined>;
    let value: unknown = null;
    if (read !== undefined) value = this.#records.get(read) ?? null;
    else if (write !== undefined && next !== undefined) {
      value = this.#records.get(write) === expected;
      if (value === true) this.#records.set(write, next);
    }
    response.end(JSON.stringify({ value }));
  }

  async #listen(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<string> {
    const server = createServer((request, response) => {
      handle(request, response).catch(() => response.destroy());
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
}

/** Several at a time; the first complaint of each goes into the list. */
export async function inLanes(
  times: number,
  lanes: number,
  one: () => Promise<string | undefined>,
  onDone: (done: number) => void = () => {},
): Promise<string[]> {
  const complaints: string[] = [];
  let started = 0;
  let done = 0;
  const lane = async (): Promise<void> => {
    while (started < times) {
      started += 1;
      const complaint = await one();
      if (complaint !== undefined) complaints.push(complaint);
      done += 1;
      onDone(done);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return complaints;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}
