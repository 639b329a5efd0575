import { bundledBytes } from './bundle.js';
import { type Row, type Spread, spread, type Table } from './figures.js';
import { measure, type Service, withSlowLink } from './processes.js';

const FLOOR = 'undici.request';

/** How much is measured: the whole takes some eleven minutes on two cores, the quick one about two. */
export interface Effort {
  readonly processes: number;
  readonly rounds: number;
  /** Part of the calls of each round. */
  readonly share: number;
  /** Contestants that are left out, for a run in less time. */
  readonly without?: readonly string[] | undefined;
}

export const FULL: Effort = { processes: 4, rounds: 16, share: 0.6 };
export const QUICK: Effort = { processes: 2, rounds: 5, share: 0.2 };

/** Prints how far a table is; it stands beside the tables, and never in them. */
function progress(step: string): void {
  process.stderr.write(`  ${step}\n`);
}

interface CpuFigures {
  readonly round: number;
  readonly cpu: number;
  readonly perSecond: number;
  readonly p99: number;
}

interface CpuScenario {
  readonly id: string;
  readonly title: string;
  readonly call: 'get' | 'post' | 'menu' | 'pages';
  readonly concurrency: number;
  readonly calls: number;
  readonly unit?: string;
}

const CPU_SCENARIOS: readonly CpuScenario[] = [
  { id: 'get', title: 'GET of an order, CPU', call: 'get', concurrency: 1, calls: 500 },
  { id: 'get-50', title: 'GET of an order, 50 in flight', call: 'get', concurrency: 50, calls: 1000 },
  { id: 'get-200', title: 'GET of an order, 200 in flight', call: 'get', concurrency: 200, calls: 1000 },
  { id: 'post', title: 'POST of a cart, CPU', call: 'post', concurrency: 1, calls: 400 },
  { id: 'pages', title: '2,000 orders in pages of 100, CPU', call: 'pages', concurrency: 1, calls: 2 },
  { id: 'menu', title: 'Menu of 150 KB, CPU', call: 'menu', concurrency: 1, calls: 20 },
];

async function cpuTable({ title, unit, ...scenario }: CpuScenario, service: Service, effort: Effort): Promise<Table> {
  const task = {
    service,
    call: scenario.call,
    concurrency: scenario.concurrency,
    rounds: effort.rounds,
    without: effort.without,
    calls: Math.max(scenario.call === 'pages' ? 1 : 5, Math.round(scenario.calls * effort.share)),
  };
  const runs: Record<string, CpuFigures[]>[] = [];
  for (let count = 0; count < effort.processes; count += 1) {
    progress(`${scenario.id}: process ${count + 1} of ${effort.processes}`);
    runs.push(await measure('cpu', task));
  }
  const names = Object.keys(runs[0] ?? {});
  const rows = names.map((name): Row => {
    // Rounds are paired: a machine that slows down slows both of a pair.
    const ratios = runs.map((run) => spread(ratiosOf(run[name] ?? [], run[FLOOR] ?? [])).median);
    const all = runs.flatMap((run) => run[name] ?? []);
    return {
      name,
      ratio: spread(ratios),
      value: spread(all.map(({ cpu }) => cpu)).median,
      unit: unit ?? 'µs',
      ...(scenario.concurrency > 1 && {
        more: {
          'calls a second': Math.round(spread(all.map(({ perSecond }) => perSecond)).median).toLocaleString('en-US'),
          p99: `${spread(all.map(({ p99 }) => p99)).median.toFixed(1)} ms`,
        },
      }),
    };
  });
  return { id: scenario.id, title, rows };
}

const ratiosOf = (own: readonly CpuFigures[], floor: readonly CpuFigures[]): number[] =>
  own.map(({ cpu, round }) => cpu / (floor[round]?.cpu ?? Number.NaN));

/** Contestants whose memory and start are measured, each in processes of its own. */
const ALONE = [FLOOR, 'undici dispatch', 'client', "client, validation: 'off'", 'stripe', 'openai', 'square'];
const BIG_YOUNG_GENERATION = ['--expose-gc', '--max-semi-space-size=512', '--min-semi-space-size=512'];

/** Bytes that one GET of a contestant allocates; `null` for one that is not installed. */
export function allocatedPerGet(service: Service, name: string): Promise<number | null> {
  return measure<number | null>('memory', { service, name, measure: 'allocated' }, BIG_YOUNG_GENERATION);
}

async function allocatedTable(service: Service): Promise<Table> {
  const values: [string, number][] = [];
  for (const name of ALONE) {
    progress(`allocated: ${name}`);
    const bytes = await allocatedPerGet(service, name);
    if (bytes !== null) values.push([name, bytes]);
  }
  const floor = values.find(([name]) => name === FLOOR)?.[1] ?? Number.NaN;
  const rows = values.map(([name, value]) => ({ name, ratio: exactly(value / floor), value, unit: 'bytes' }));
  return { id: 'allocated', title: 'Bytes allocated per GET', rows };
}

const exactly = (value: number): Spread => ({ median: value, min: value, max: value });

async function residentTable(service: Service, { processes }: Effort): Promise<Table> {
  const residentOf = async (name: string): Promise<number | undefined> => {
    const runs: number[] = [];
    for (let count = 0; count < Math.min(2, processes); count += 1) {
      const bytes = await measure<number | null>('memory', { service, name, measure: 'resident' });
      if (bytes === null) return undefined;
      runs.push(bytes / 1024 / 1024);
    }
    return spread(runs).median;
  };
  const empty = (await residentOf('empty')) ?? 0;
  const rows: Row[] = [];
  for (const name of ALONE) {
    progress(`resident: ${name}`);
    const resident = await residentOf(name);
    if (resident !== undefined) rows.push({ name, value: resident - empty, unit: 'MB' });
  }
  return { id: 'resident', title: 'Resident memory over an empty Node after 20,000 GETs', rows };
}

interface StartFigures {
  readonly wallMs: number;
  readonly userMs: number;
  readonly cpuMs: number;
}

/** Fresh processes take turns, so that all of them see the same machine; the empty one is taken off. */
async function startTable(until: 'import' | 'first_response', service: Service, effort: Effort): Promise<Table> {
  const names = ['empty', FLOOR, 'client', 'stripe', 'openai', 'square'];
  const runs = new Map<string, StartFigures[]>(names.map((name) => [name, []]));
  const rounds = effort.processes * 2 + 1;
  for (let round = 0; round < rounds; round += 1) {
    progress(`${until}: round ${round + 1} of ${rounds}`);
    for (const name of names) {
      const figures = await measure<StartFigures | null>('start', { service, name, until });
      if (figures) runs.get(name)?.push(figures);
    }
  }
  const medianOf = (name: string, field: keyof StartFigures): number =>
    spread((runs.get(name) ?? []).map((figures) => figures[field])).median;
  const overEmpty = (name: string, field: keyof StartFigures): number =>
    medianOf(name, field) - medianOf('empty', field);
  const measured = names.slice(1).filter((name) => (runs.get(name) ?? []).length > 0);
  return {
    id: until,
    title: until === 'import' ? 'Import, over an empty Node' : 'First response, over an empty Node',
    rows: measured.map((name) => ({
      name,
      value: overEmpty(name, until === 'import' ? 'userMs' : 'wallMs'),
      unit: until === 'import' ? 'ms user CPU' : 'ms wall',
      more: { CPU: `${overEmpty(name, 'cpuMs').toFixed(0)} ms`, wall: `${overEmpty(name, 'wallMs').toFixed(0)} ms` },
    })),
  };
}

async function webhookTable(kilobytes: number, effort: Effort): Promise<Table> {
  const runs: Record<string, { cpu: number; ratio: number }[]>[] = [];
  for (let count = 0; count < effort.processes; count += 1) {
    runs.push(await measure('webhook', { bytes: kilobytes * 1024, rounds: effort.rounds * 10 }));
  }
  const rows = Object.keys(runs[0] ?? {}).map((name): Row => {
    const own = runs.map((run) => run[name] ?? []);
    return {
      name,
      ratio: spread(own.map((run) => spread(run.map(({ ratio }) => ratio)).median)),
      value: spread(own.flat().map(({ cpu }) => cpu)).median,
      unit: 'µs',
    };
  });
  return {
    id: `webhook-${kilobytes}k`,
    title: `A webhook of ${kilobytes} KB verified, beside doing it by hand`,
    rows,
  };
}

/** HTTP/2 beside HTTP/1.1, which is its floor. */
async function http2Table(service: Service, { rounds, share }: Effort): Promise<Table> {
  const rows: Row[] = [];
  for (const concurrency of [1, 50]) {
    const task = { service, rounds, calls: Math.round(400 * share), concurrency };
    const runs = await measure<Record<string, { cpu: number; perSecond: number }[]>>('http2', task);
    for (const [name, own] of Object.entries(runs)) {
      const ratios = own.map(({ cpu }, round) => cpu / (runs['HTTP/1.1']?.[round]?.cpu ?? Number.NaN));
      rows.push({
        name: `${name}, ${concurrency} in flight`,
        ratio: exactly(spread(ratios).median),
        value: spread(own.map(({ cpu }) => cpu)).median,
        unit: 'µs',
        more: {
          'calls a second': Math.round(spread(own.map(({ perSecond }) => perSecond)).median).toLocaleString('en-US'),
        },
      });
    }
  }
  return { id: 'http2', title: 'GET of an order over TLS, HTTP/2 beside HTTP/1.1, CPU', rows };
}

async function heapTable(service: Service, { share }: Effort): Promise<Table> {
  const calls = share < FULL.share ? 40_000 : 200_000;
  const rows: Row[] = [];
  for (const signal of [false, true]) {
    progress(`heap: ${signal ? 'with' : 'without'} a signal`);
    const { grownKb, heapMb } = await measure<{ grownKb: number; heapMb: number }>('heap', { service, calls, signal }, [
      '--expose-gc',
    ]);
    const name = signal ? 'client, with one signal for all calls' : 'client';
    rows.push({ name, value: grownKb, unit: 'KB', more: { heap: `${heapMb.toFixed(1)} MB` } });
  }
  return {
    id: 'heap',
    title: `Growth of the heap over ${calls.toLocaleString('en-US')} GETs, after the first tenth`,
    rows,
  };
}

async function linkTable(service: Service, port: number, { processes }: Effort): Promise<Table> {
  const figures = await withSlowLink(service, port, (slow) =>
    measure<Record<string, number>>('link', { service: slow, rounds: processes }),
  );
  const rows = Object.entries(figures).map(([name, value]) => ({ name, value, unit: 'ms' }));
  return { id: 'link', title: 'Wall time over a link of 10 Mbit/s and 40 ms', rows };
}

async function bundleTable(): Promise<Table> {
  const rows: Row[] = [];
  for (const name of ['client', 'stripe', 'openai', 'square']) {
    const bytes = await bundledBytes(name);
    if (bytes !== undefined) rows.push({ name, value: bytes / 1000, unit: 'KB' });
  }
  return { id: 'bundle', title: 'A bundle with a client, minified and gzipped, without undici and zod', rows };
}

async function late401Table(service: Service): Promise<Table> {
  const { wallMs, tokens } = await measure<{ wallMs: number; tokens: number }>('late-401', { service });
  const row = { name: 'client', value: wallMs, unit: 'ms', more: { 'token requests': String(tokens) } };
  return { id: 'late-401', title: 'Twenty calls refused at once with 401', rows: [row] };
}

/** A settlement of three tenders beside its seven requests sent one by one, which are its floor. */
async function settleTable({ rounds, share }: Effort): Promise<Table> {
  const floor = 'the same requests by the client';
  const task = { rounds: Math.round(rounds * 10 * share) };
  const runs = await measure<Record<string, number[]>>('settle', task);
  const rows = Object.entries(runs).map(([name, own]): Row => {
    const beyond = own.map((ms, round) => ms - (runs[floor]?.[round] ?? Number.NaN));
    return {
      name,
      ratio: exactly(spread(own.map((ms, round) => ms / (runs[floor]?.[round] ?? Number.NaN))).median),
      value: spread(own).median,
      unit: 'ms',
      more: { 'beyond them': `${spread(beyond).median.toFixed(2)} ms` },
    };
  });
  return { id: 'settle', title: 'Three tenders settled, CPU, beside the same requests', rows };
}

/** All tables, each made when it is asked for. */
export function tables(service: Service, port: number, effort: Effort): ReadonlyMap<string, () => Promise<Table>> {
  return new Map<string, () => Promise<Table>>([
    ...CPU_SCENARIOS.map((scenario) => [scenario.id, () => cpuTable(scenario, service, effort)] as const),
    ['allocated', () => allocatedTable(service)],
    ['resident', () => residentTable(service, effort)],
    ['import', () => startTable('import', service, effort)],
    ['first_response', () => startTable('first_response', service, effort)],
    ['webhook-1k', () => webhookTable(1, effort)],
    ['webhook-20k', () => webhookTable(20, effort)],
    ['link', () => linkTable(service, port, effort)],
    ['settle', () => settleTable(effort)],
    ['bundle', () => bundleTable()],
    ['late-401', () => late401Table(service)],
    ['http2', () => http2Table(service, effort)],
    ['heap', () => heapTable(service, effort)],
  ]);
}
