import { OnlineOrdering, type OnlineOrderingOptions, type Store } from 'online-ordering-sdk';
import { loadContract } from '../../src/http/contract/load-contract.js';
import { memoryStore } from '../../src/stores/memory.js';
import { type Passage, SimProcess, type StoreFate } from '../model/sim-process.js';
import { type Behaviour, type Fate, KIND, type Movement, UnkindService } from '../model/unkind-service.js';
import { World } from '../model/world.js';

// Loaded before the first test: a world without real time cannot wait for the file system.
await loadContract();

let orders = 0;
const HOUR = 3_600_000;

export interface UnkindShopOptions {
  readonly behaviour?: Partial<Behaviour>;
  /** What becomes of the writes, one after the other; those that follow are executed. */
  readonly fates?: readonly Fate[];
  /** What becomes of readings, by how many there were before. */
  readonly readings?: (index: number) => Fate;
  readonly total?: number;
}

export interface ProcessOptions extends Partial<OnlineOrderingOptions> {
  readonly name?: string;
  readonly passages?: readonly Partial<Passage>[];
  readonly storeFate?: (operation: string) => Partial<StoreFate>;
  readonly wallAheadMs?: number;
  /** The package as this process has loaded it. */
  readonly sdk?: { readonly OnlineOrdering: typeof OnlineOrdering };
}

/** A service that does what the interface document says and no more, one order, and time that only tests move. */
export class UnkindShop {
  readonly world = new World();
  readonly service: UnkindService;
  readonly store: Store;
  readonly orderId: string;
  readonly #fates: Fate[];
  #readings = 0;

  constructor({ behaviour, fates = [], readings = () => ({}), total = 2000 }: UnkindShopOptions = {}) {
    this.#fates = [...fates];
    this.service = new UnkindService(this.world, {
      fateOf: ({ method }) => {
        if (method !== 'GET') return this.#fates.shift() ?? {};
        this.#readings += 1;
        return readings(this.#readings - 1);
      },
    });
    this.service.behaviour = { ...KIND, ...behaviour };
    // Each shop has an order of its own: a process remembers which orders it works on.
    orders += 1;
    this.orderId = `33333333-3333-4333-8333-${String(orders).padStart(12, 'a')}`;
    this.service.openOrder(this.orderId, total);
    this.store = memoryStore({
      clock: { now: () => this.world.now(), setTimer: (run, ms) => this.world.after(ms, run) },
    });
  }

  process(options: ProcessOptions = {}): { process: SimProcess; client: OnlineOrdering; store: Store } {
    const { name = 'p', passages = [], storeFate = () => ({}), wallAheadMs = 0, sdk, ...clientOptions } = options;
    const left = [...passages];
    const process = new SimProcess(
      name,
      this.world,
      this.service,
      {
        passageOf: ({ method, path }) => {
          const usual: Passage = { connectMs: 1, thereMs: 5, backMs: 5, answer: 'arrives' };
          return method === 'GET' || path.endsWith('/auth/token') ? usual : { ...usual, ...left.shift() };
        },
        storeFateOf: (operation) => ({ thereMs: 1, backMs: 1, ...storeFate(operation) }),
        mishapAt: () => undefined,
      },
      { wallAheadMs },
    );
    const store = process.storeOver(this.store);
    const Client = sdk?.OnlineOrdering ?? OnlineOrdering;
    const client = new Client({
      baseUrl: 'https://api.example.com/v1/online-ordering',
      clientId: '11111111-2222-4333-8444-555555555555',
      clientSecret: 'secret-of-the-partner',
      dispatcher: process.dispatcher,
      clock: process.clock,
      random: () => 0,
      logger: SILENT,
      store,
      ...clientOptions,
    });
    return { process, client, store };
  }

  client(options: ProcessOptions = {}): OnlineOrdering {
    return this.process(options).client;
  }

  /** Lets time pass until the work has ended; fails when it does not within so much time. */
  async ended<T>(work: Promise<T>, limitMs = 2 * HOUR): Promise<T> {
    let isOver = false;
    const end = work.finally(() => {
      isOver = true;
    });
    end.catch(() => {});
    const isEnded = await this.world.run(() => isOver, limitMs);
    if (!isEnded) throw new Error(`The call did not end within ${limitMs / 1000} s.`);
    return end;
  }

  /** What the work rejects with. */
  async rejection<E = Error & { reason?: string }>(work: Promise<unknown>, limitMs?: number): Promise<E> {
    const end = await this.ended(
      work.then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      ),
      limitMs,
    );
    if ('error' in end) return end.error as E;
    throw new Error(`expected a rejection, got ${JSON.stringify(end.value).slice(0, 300)}`);
  }

  pass(ms: number): Promise<void> {
    return this.world.pass(ms);
  }

  /** Seconds since the beginning. */
  get seconds(): number {
    return (this.world.now() - Date.UTC(2026, 0, 31, 10)) / 1000;
  }

  /** What was charged, when everything that is still under way at the service has ended, too. */
  async chargesInTheEnd(): Promise<readonly number[]> {
    await this.pass(10 * 60_000);
    return this.#cents('charge');
  }

  async refundsInTheEnd(): Promise<readonly number[]> {
    await this.pass(10 * 60_000);
    return this.#cents('refund');
  }

  /** Instrument of each payment request that reached the service; empty for a refund. */
  get writes(): readonly string[] {
    return this.service.requests
      .filter(({ method, path }) => method === 'POST' && path !== '/auth/token')
      .map(({ body }) => String((JSON.parse(body ?? '{}') as { payment_token?: string }).payment_token ?? ''));
  }

  #cents(kind: Movement['kind']): number[] {
    return this.service.ledger.filter((movement) => movement.kind === kind).map(({ cents }) => cents);
  }
}

export const card = <Amount extends number | 'remaining'>(amount: Amount, payment_token = 'card-1') =>
  ({ payment_method: 'CREDIT_CARD', payment_token, amount }) as const;
export const gift = <Amount extends number | 'remaining'>(amount: Amount, gift_card_number = 'gift-1') =>
  ({ payment_method: 'GIFT_CARD', gift_card_number, amount }) as const;

const nothing = (): void => {};
const SILENT = { error: nothing, warn: nothing, info: nothing, debug: nothing };
