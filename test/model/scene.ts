import type { OnlineOrdering } from 'online-ordering-sdk';
import type { Store } from '../../src/stores/store.js';
import type { Draws } from './draws.js';
import {
  drawBehaviour,
  drawFate,
  drawMishapAt,
  drawPassage,
  drawPlan,
  drawStoreFate,
  type Plan,
  TOTAL,
} from './plan.js';
import type { Sdk } from './sdk-copies.js';
import { SimProcess, type Step, type Suspension } from './sim-process.js';
import { KIND, UnkindService } from './unkind-service.js';
import { Violation } from './violation.js';
import { World } from './world.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export interface HistoryOptions {
  readonly leftOut?: ReadonlySet<string>;
  readonly isTraced?: boolean;
}

let orders = 0;

/** Where a history happens: time, the service, a store that all share, and processes that come and go. */
export class Scene {
  readonly world: World;
  readonly draws: Draws;
  readonly plan: Plan;
  readonly service: UnkindService;
  readonly orderId: string;
  /** How each call ended. */
  readonly ends: string[] = [];
  /** From then on nothing goes wrong any more. */
  isKind = false;
  /** Whether nobody sends a payment again when its outcome is unknown. */
  isSentOnce = false;
  readonly #copies: readonly Sdk[];
  readonly #store: Store;
  readonly #processes: SimProcess[] = [];

  constructor(draws: Draws, copies: readonly Sdk[], { isTraced = false }: HistoryOptions) {
    this.draws = draws;
    this.#copies = copies;
    this.plan = drawPlan(draws);
    this.world = new World({ isTraced });
    this.service = new UnkindService(this.world, {
      fateOf: (request, isRepetition) => {
        const sending = this.isSentOnce ? 'only' : isRepetition ? 'later' : 'first';
        return this.isKind ? {} : drawFate(draws, this.plan, this.service.behaviour, { ...request, sending });
      },
      replica: () => draws.pick('replica', [0, 0.5, 1, 1]),
    });
    this.service.behaviour = drawBehaviour(draws, this.plan);
    this.world.note(JSON.stringify(this.plan, setsAsLists));
    this.world.note(JSON.stringify(this.service.behaviour));
    // Each history has an order of its own: a process remembers which orders it works on.
    orders += 1;
    this.orderId = `33333333-3333-4333-8333-${String(orders).padStart(12, '0')}`;
    this.service.openOrder(this.orderId, TOTAL);
    const trueTime = { now: () => this.world.now(), setTimer: this.world.after.bind(this.world) };
    this.#store = this.sdk.memoryStore({
      clock: { now: trueTime.now, setTimer: (run, delayMs) => trueTime.setTimer(delayMs, run) },
    });
  }

  get sdk(): Sdk {
    return this.#copies[0] as Sdk;
  }

  /** Whether another process can be started: each has a copy of the package of its own. */
  get hasCopies(): boolean {
    return this.#processes.length < this.#copies.length - 1;
  }

  /** The service changes while the history goes on. */
  changeBehaviour(): void {
    if (this.isKind) return;
    this.service.behaviour = drawBehaviour(this.draws, this.plan);
    this.world.note(`the service changes: ${JSON.stringify(this.service.behaviour)}`);
  }

  /** What is under way ends as it was drawn; what comes now goes well. */
  becomeKind(): void {
    this.isKind = true;
    this.world.note('the service is kind again');
    const { clockAheadMs, duplicates } = this.service.behaviour;
    this.service.behaviour = { ...KIND, clockAheadMs, duplicates };
  }

  start(name: string): { process: SimProcess; client: OnlineOrdering } {
    const { draws, plan } = this;
    const hasClocks = plan.troubles.has('clocks') && !this.isKind;
    const wallAheadMs = hasClocks ? draws.unusual('wall', 0.3, 0, [-HOUR, -10 * MINUTE, 4 * MINUTE, HOUR]) : 0;
    const number = this.#processes.length;
    const process: SimProcess = new SimProcess(
      `${name}.${number}`,
      this.world,
      this.service,
      {
        passageOf: ({ method }) =>
          this.isKind
            ? { connectMs: 0, thereMs: 5, backMs: 5, answer: 'arrives' }
            : drawPassage(draws, plan, method !== 'GET'),
        storeFateOf: () => (this.isKind ? { thereMs: 1, backMs: 1 } : drawStoreFate(draws, plan)),
        mishapAt: (what) => (this.isKind ? undefined : this.#mishapAt(process, what)),
      },
      { wallAheadMs },
    );
    this.#processes.push(process);
    return { process, client: this.#client(process, this.#copies[number % this.#copies.length] as Sdk) };
  }

  end(): void {
    for (const process of this.#processes) process.kill();
  }

  say(text: string): void {
    this.ends.push(text);
    this.world.note(text);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.world.after(ms, resolve);
    });
  }

  /** Lets time pass until the work has ended. */
  async awaited<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
    let isOver = false;
    const end = work.finally(() => {
      isOver = true;
    });
    end.catch(() => {});
    if (!(await this.world.run(() => isOver, limitMs))) {
      throw new Violation(`${what} did not end within ${limitMs / HOUR} h`);
    }
    return end;
  }

  /** Nothing in a history is asked wrongly, so that every error must be one that the unkind world explains. */
  refuseStrange(error: Error): void {
    if (error instanceof this.sdk.OnlineOrderingError && !ASKED_WRONGLY.has(error.name)) return;
    throw new Violation(`a call ended with ${error.name}: ${error.stack}`);
  }

  #mishapAt(process: SimProcess, what: Step): 'dies' | Suspension | undefined {
    const { draws, plan } = this;
    if (plan.troubles.has('clocks') && draws.mishap('wall.steps', 0.01)) {
      process.stepWall(draws.pick('wall.steps.by', [-2 * HOUR, -31_000, 31_000, 95_000, HOUR]));
    }
    return drawMishapAt(draws, plan, what);
  }

  #client(process: SimProcess, { OnlineOrdering: Client }: Sdk): OnlineOrdering {
    const { horizonMs, lagMs, isTold } = this.plan.horizon;
    return new Client({
      baseUrl: 'https://api.example.com/v1/online-ordering',
      clientId: '11111111-2222-4333-8444-555555555555',
      clientSecret: 'secret-of-the-partner',
      dispatcher: process.dispatcher,
      clock: process.clock,
      random: () => this.draws.number('client.random'),
      logger: SILENT,
      validation: 'off',
      store: process.storeOver(this.#store),
      ...this.plan.clientOptions,
      ...(isTold ? { payments: { horizonMs, lagMs } } : {}),
    });
  }
}

const ASKED_WRONGLY = new Set(['ConfigurationError', 'RequestValidationError']);
const nothing = (): void => {};
const SILENT = { error: nothing, warn: nothing, info: nothing, debug: nothing };

function setsAsLists(_key: string, value: unknown): unknown {
  return value instanceof Set ? [...value].join(' ') : value;
}
