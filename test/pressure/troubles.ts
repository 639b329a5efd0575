import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { inProcessService } from './in-process.js';
import {
  type Behaviour,
  type Service,
  type StoreProcess,
  startService,
  startSilentStore,
  startStore,
} from './processes.js';
import type { Subject, SubjectMaker } from './subjects.js';

/** What became of the calls of one trouble. */
export interface Figures {
  readonly ok: number;
  readonly failed: number;
  /** Milliseconds of calls that went through: the middle one, and the slowest. */
  readonly p50: number;
  readonly slowest: number;
  /** Of the failed ones, by name. */
  readonly errors: Readonly<Record<string, number>>;
  readonly requests?: number;
  readonly tokenRequests?: number;
  readonly refused?: number;
  readonly seconds: number;
  readonly note?: string;
}

export interface Trouble {
  readonly title: string;
  /** False where openai-node has nothing like it: no token to lose, no store to share. */
  readonly isShared: boolean;
  run(make: SubjectMaker): Promise<Figures>;
  /** What must hold for this package; the first that does not is told. */
  readonly limits: readonly { readonly says: string; holds(figures: Figures): boolean }[];
}

const noFailure = { says: 'every call goes through', holds: ({ failed }: Figures) => failed === 0 };

class Calls {
  readonly #startedAt = performance.now();
  readonly #times: number[] = [];
  readonly #errors: Record<string, number> = {};
  #failed = 0;

  async add(call: () => Promise<unknown>): Promise<void> {
    const startedAt = performance.now();
    try {
      await call();
      this.#times.push(performance.now() - startedAt);
    } catch (error) {
      this.#failed += 1;
      const { name } = error as Error;
      const shown = name === 'Error' ? (error as Error).constructor.name : name;
      this.#errors[shown] = (this.#errors[shown] ?? 0) + 1;
    }
  }

  /** So many a second, for so long; resolves when all have ended. */
  async steadily(perSecond: number, seconds: number, call: () => Promise<unknown>): Promise<void> {
    const all: Promise<void>[] = [];
    const startedAt = performance.now();
    for (let index = 0; index < perSecond * seconds; index += 1) {
      const dueMs = startedAt + (index * 1000) / perSecond - performance.now();
      if (dueMs > 0) await delay(dueMs);
      all.push(this.add(call));
    }
    await Promise.all(all);
  }

  async atOnce(count: number, call: () => Promise<unknown>): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.add(call)));
  }

  figures(more: Partial<Figures> = {}): Figures {
    const times = this.#times.sort((a, b) => a - b);
    return {
      ok: times.length,
      failed: this.#failed,
      p50: Math.round(times[Math.floor(times.length / 2)] ?? 0),
      slowest: Math.round(times.at(-1) ?? 0),
      errors: this.#errors,
      seconds: Math.round((performance.now() - this.#startedAt) / 100) / 10,
      ...more,
    };
  }
}

/** Runs one trouble against a service of its own, and counts what that has seen. */
async function under(
  make: SubjectMaker,
  behaviour: Behaviour,
  work: (subject: Subject, service: Service, calls: Calls) => Promise<string | undefined>,
): Promise<Figures> {
  const service = await startService(behaviour);
  const subject = make(service);
  try {
    const calls = new Calls();
    const note = await work(subject, service, calls);
    const { requests, tokenRequests, refused } = await service.counts();
    return calls.figures({ requests, tokenRequests, refused, ...(note === undefined ? {} : { note }) });
  } finally {
    await Promise.race([subject.close(), delay(3000)]);
    service.stop();
  }
}

async function withFrozenStore(make: SubjectMaker, start: () => Promise<StoreProcess>): Promise<Figures> {
  const store = await start();
  try {
    return await under(
      (target) => make(target, { store: store.store }),
      { latencyMs: 2 },
      async (subject, _service, calls) => {
        store.freeze();
        await calls.atOnce(20, () => subject.get());
        await calls.atOnce(20, () => subject.get({ timeout: 500, maxRetries: 0 }));
        store.thaw();
        await calls.atOnce(20, () => subject.get());
        return undefined;
      },
    );
  } finally {
    store.stop();
  }
}

/** Runs `work` while `Date.now` is off by `stepMs` from its middle on. */
async function withStep(stepMs: number, work: (step: () => void) => Promise<void>): Promise<void> {
  const real = Date.now;
  try {
    await work(() => {
      Date.now = () => real() + stepMs;
    });
  } finally {
    Date.now = real;
  }
}

export const troubles: readonly Trouble[] = [
  {
    title: '1,000 calls at once',
    isShared: true,
    run: (make) =>
      under(make, { latencyMs: 20 }, async (subject, _service, calls) => {
        await calls.atOnce(1000, () => subject.get());
        return undefined;
      }),
    limits: [noFailure, { says: 'nothing is sent twice', holds: ({ requests }) => requests === 1000 }],
  },
  {
    title: '60 calls a second against 40, for 6 s',
    isShared: true,
    run: (make) =>
      under(make, { latencyMs: 10, limit: { count: 40, windowMs: 1000 } }, async (subject, _service, calls) => {
        await calls.steadily(60, 6, () => subject.get());
        return undefined;
      }),
    limits: [
      { says: 'nine calls of ten go through', holds: ({ ok }) => ok >= 324 },
      { says: 'less than a quarter is refused', holds: ({ refused = 0 }) => refused < 90 },
    ],
  },
  {
    title: 'a cool-down that ends with 500 waiting, against 20 a second',
    isShared: true,
    run: (make) =>
      under(make, { latencyMs: 5, refuseAll: 1 }, async (subject, service, calls) => {
        await subject.get({ maxRetries: 0 }).catch(() => {});
        await service.set({ refuseAll: null, limit: { count: 20, windowMs: 1000 } });
        await calls.atOnce(500, () => subject.get());
        return undefined;
      }),
    limits: [noFailure, { says: 'less than a tenth is refused', holds: ({ refused = 0 }) => refused < 50 }],
  },
  {
    title: 'the token endpoint down for 3 s, 50 calls a second',
    isShared: false,
    run: (make) =>
      under(make, { latencyMs: 2, tokenDown: true }, async (subject, service, calls) => {
        void delay(3000).then(() => service.set({ tokenDown: false }));
        await calls.steadily(50, 6, () => subject.get());
        return undefined;
      }),
    limits: [
      { says: 'calls go through once it is up', holds: ({ ok }) => ok >= 100 },
      { says: 'few token requests', holds: ({ tokenRequests = 0 }) => tokenRequests <= 60 },
    ],
  },
  {
    title: 'one endpoint that answers 401 (10/s) beside a good one (40/s), for 5 s; the token endpoint goes down',
    isShared: true,
    run: (make) =>
      under(make, { latencyMs: 2, unauthorized: '/orders' }, async (subject, service, calls) => {
        await subject.get();
        await service.set({ tokenDown: true });
        const refused = new Calls();
        await Promise.all([
          calls.steadily(40, 5, () => subject.get()),
          refused.steadily(10, 5, () => subject.getOrder({ timeout: 2000, maxRetries: 1 })),
        ]);
        return `of the bad one ${refused.figures().failed} failed`;
      }),
    limits: [
      noFailure,
      { says: 'the good calls are not slowed down', holds: ({ p50 }) => p50 < 100 },
      { says: 'few token requests', holds: ({ tokenRequests = 0 }) => tokenRequests <= 40 },
    ],
  },
  {
    title: 'a store whose process is stopped (SIGSTOP), then goes on',
    isShared: false,
    run: (make) => withFrozenStore(make, startStore),
    limits: [noFailure, { says: 'no call waits longer than 4 s', holds: ({ slowest }) => slowest < 4000 }],
  },
  {
    title: 'a store that accepts connections and never answers',
    isShared: false,
    run: (make) => withFrozenStore(make, startSilentStore),
    limits: [noFailure, { says: 'no call waits longer than 4 s', holds: ({ slowest }) => slowest < 4000 }],
  },
  {
    title: 'the wall clock steps by a minute and an hour, both ways, under calls with a time-out of 800 ms',
    isShared: true,
    run: (make) =>
      under(make, { stall: false }, async (subject, service, calls) => {
        await calls.add(() => subject.get());
        await service.set({ stall: true });
        const late: number[] = [];
        for (const minutes of [-60, -1, 1, 60]) {
          await withStep(minutes * 60_000, async (step) => {
            const startedAt = performance.now();
            const call = subject.get({ timeout: 800, maxRetries: 0 }).catch(() => {});
            await delay(300);
            step();
            await Promise.race([call, delay(5000)]);
            late.push(Math.round(performance.now() - startedAt));
          });
        }
        return `ended after ${late.join(', ')} ms`;
      }),
    limits: [
      {
        says: 'every time-out comes after 0.8 s',
        holds: ({ note = '' }) => (note.match(/\d+/g) ?? []).every((ms) => Number(ms) >= 790 && Number(ms) < 2500),
      },
    ],
  },
  {
    title: '300 payments while the service closes idle sockets',
    isShared: true,
    run: (make) =>
      under(make, { keepAliveMs: 15 }, async (subject, _service, calls) => {
        for (let payment = 0; payment < 300; payment += 1) {
          await calls.add(() => subject.pay());
          await delay(13 + (payment % 5));
        }
        return undefined;
      }),
    limits: [noFailure, { says: 'each payment is sent once', holds: ({ requests }) => requests === 300 }],
  },
  {
    title: '200,000 calls with one signal (openai-node: 5,000), 50 at a time, in this process',
    isShared: true,
    run: withOneSignal,
    limits: [
      noFailure,
      { says: 'all 200,000 are made', holds: ({ ok }) => ok === 200_000 },
      { says: 'no listener is left', holds: ({ note = '' }) => note.startsWith('0 listeners') },
    ],
  },
];

const CALLS_WITH_ONE_SIGNAL = 200_000;
/** Of a peer that leaves a listener for each call, so that each costs more than the one before. */
const CALLS_OF_PEER = 5000;
const WARM_UP_CALLS = 1000;
const LONGEST_WITH_ONE_SIGNAL_MS = 90_000;

async function withOneSignal(make: SubjectMaker): Promise<Figures> {
  const service = inProcessService();
  const subject = make(service);
  const { signal } = new AbortController();
  const listeners = countListeners(signal);
  const calls = new Calls();
  const stopAt = performance.now() + LONGEST_WITH_ONE_SIGNAL_MS;
  const worker = async (): Promise<void> => {
    while (left > 0 && performance.now() < stopAt) {
      left -= 1;
      await calls.add(() => subject.get({ signal }));
    }
  };
  let left = WARM_UP_CALLS;
  await Promise.all(Array.from({ length: 50 }, worker));
  const before = heapMegabytes();
  left = (subject.name === 'openai-node' ? CALLS_OF_PEER : CALLS_WITH_ONE_SIGNAL) - WARM_UP_CALLS;
  await Promise.all(Array.from({ length: 50 }, worker));
  const grown = (heapMegabytes() - before).toFixed(1);
  await subject.close();
  const { requests, tokenRequests, refused } = service.counts();
  const missing = left > 0 ? `, ${left} calls not made in ${LONGEST_WITH_ONE_SIGNAL_MS / 1000} s` : '';
  const note = `${listeners()} listeners left, heap ${grown.startsWith('-') ? '' : '+'}${grown} MB${missing}`;
  return calls.figures({ requests, tokenRequests, refused, note });
}

function countListeners(signal: AbortSignal): () => number {
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    listeners += 1;
    add(...given);
  };
  signal.removeEventListener = (...given: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...given);
  };
  return () => listeners;
}

/** What is alive after a collection; a figure with garbage in it says nothing about a leak. */
function heapMegabytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
