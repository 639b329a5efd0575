import type { Dispatcher, DispatchHandler, DispatchOptions } from '../../src/http/transport/dispatcher.js';
import type { Clock } from '../../src/platform/clock.js';
import type { Store } from '../../src/stores/store.js';
import type { Answer, UnkindService } from './unkind-service.js';
import type { World } from './world.js';

/** What the network does with one request. */
export interface Passage {
  /** No connection: nothing is written. */
  readonly isRefused?: boolean;
  /** Until the bytes leave: connecting, a place in the pool. */
  readonly connectMs: number;
  readonly thereMs: number;
  /** The bytes leave and do not arrive. */
  readonly isLostOnTheWay?: boolean;
  readonly backMs: number;
  readonly answer: 'arrives' | 'reset' | 'silence' | 'cut';
}

/** What a store does with one operation. */
export interface StoreFate {
  readonly thereMs: number;
  readonly backMs: number;
  readonly fails?: 'before' | 'after';
}

/** What reaches a process or leaves it: a payment or refund that is about to leave is told apart. */
export type Step = 'input' | 'output' | 'payment';

export interface Suspension {
  readonly suspendedMs: number;
  /** The machine sleeps: its monotonic clock and its timers stand still, as on Linux. */
  readonly isAsleep?: boolean;
}

/** Chance, as a process meets it. */
export interface Surroundings {
  readonly passageOf: (options: DispatchOptions) => Passage;
  readonly storeFateOf: (operation: string) => StoreFate;
  /** Asked before each thing that reaches the process, or leaves it. */
  readonly mishapAt: (what: Step) => 'dies' | Suspension | undefined;
}

const BASE_PATH = '/v1/online-ordering';

/**
 * A process: a clock, a network and a store, all of which end with it. What a dead one does has no effect, and nothing
 * reaches it; a suspended one does nothing until it goes on, and then finds all that came meanwhile.
 */
export class SimProcess {
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  /** Settles when the process dies. */
  readonly death: Promise<'died'>;
  #die: () => void = () => {};
  #isDead = false;
  #suspendedUntil = 0;
  #held: (() => void)[] = [];
  #wallAheadMs: number;
  /** How long the machine slept so far. */
  #sleptMs = 0;
  #asleepSince: number | undefined;
  readonly #world: World;
  readonly #service: UnkindService;
  readonly #surroundings: Surroundings;
  readonly name: string;

  constructor(
    name: string,
    world: World,
    service: UnkindService,
    surroundings: Surroundings,
    { wallAheadMs = 0 }: { wallAheadMs?: number } = {},
  ) {
    this.name = name;
    this.#world = world;
    this.#service = service;
    this.#surroundings = surroundings;
    this.#wallAheadMs = wallAheadMs;
    this.death = new Promise((resolve) => {
      this.#die = () => resolve('died');
    });
    const bootedAt = world.now() - 1e6;
    this.clock = {
      now: () => world.now() + this.#wallAheadMs,
      monotonic: () => world.now() - bootedAt - this.#slept(),
      setTimer: (callback, delayMs) => this.#setTimer(callback, delayMs),
      during: (work) => world.during(work),
    };
    this.dispatcher = { dispatch: (options, handler) => this.#dispatch(options, handler) };
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  stepWall(ms: number): void {
    this.#wallAheadMs += ms;
    this.#world.note(`${this.name}: wall clock steps by ${ms} ms`);
  }

  kill(): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.#held = [];
    this.#world.note(`${this.name}: dies`);
    this.#die();
  }

  /** Nothing of it runs for so long; what comes meanwhile is kept. */
  suspend(ms: number, isAsleep = false): void {
    if (this.#isDead || this.#isSuspended) return;
    this.#suspendedUntil = this.#world.now() + ms;
    this.#asleepSince = isAsleep ? this.#world.now() : undefined;
    this.#world.note(`${this.name}: ${isAsleep ? 'asleep' : 'suspended'} for ${ms} ms`);
    this.#world.after(ms, () => {
      this.#sleptMs = this.#slept();
      this.#asleepSince = undefined;
      if (this.#isDead) return;
      this.#world.note(`${this.name}: goes on`);
      this.#release();
    });
  }

  /** The view of a process on a store that all share. */
  storeOver(shared: Store): Store {
    const over = <T>(operation: string, run: () => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        this.#output('output', () => {
          const { thereMs, backMs, fails } = this.#surroundings.storeFateOf(operation);
          const failure = new Error('The store is out of reach');
          if (fails === 'before') {
            this.#world.note(`${this.name}: store ${operation} fails`);
            this.#world.after(thereMs + backMs, () => this.#input(() => reject(failure)));
            return;
          }
          this.#world.after(thereMs, () => {
            void run().then(
              (value) => {
                if (fails === 'after') this.#world.note(`${this.name}: store ${operation} done, and fails`);
                this.#world.after(backMs, () => this.#input(() => (fails ? reject(failure) : resolve(value))));
              },
              (error: unknown) => this.#world.after(backMs, () => this.#input(() => reject(error))),
            );
          });
        });
      });
    return {
      get: (key) => over('get', () => shared.get(key)),
      set: (key, value, options) => over('set', () => shared.set(key, value, options)),
      setIfAbsent: (key, value, options) => over('setIfAbsent', () => shared.setIfAbsent(key, value, options)),
      compareAndSet: (key, expected, value, options) =>
        over('compareAndSet', () => shared.compareAndSet(key, expected, value, options)),
      compareAndDelete: (key, expected) => over('compareAndDelete', () => shared.compareAndDelete(key, expected)),
    };
  }

  get #isSuspended(): boolean {
    return this.#world.now() < this.#suspendedUntil;
  }

  /** Something reaches the process: a timer, bytes, an answer of the store. */
  #input(run: () => void): void {
    if (this.#isDead) return;
    this.#meetFate('input');
    if (this.#isDead) return;
    if (this.#isSuspended || this.#held.length > 0) this.#held.push(run);
    else run();
  }

  /** Something leaves the process. */
  #output(what: 'output' | 'payment', run: () => void): void {
    if (this.#isDead) return;
    this.#meetFate(what);
    if (this.#isDead) return;
    if (this.#isSuspended) this.#held.push(run);
    else run();
  }

  #release(): void {
    // One after the other, each with its consequences, as an event loop does.
    const next = this.#held.shift();
    if (!next || this.#isDead) return;
    if (this.#isSuspended) {
      this.#held.unshift(next);
      return;
    }
    next();
    if (this.#held.length > 0) this.#world.after(0, () => this.#release());
  }

  /** A timer runs on the monotonic clock, which a sleep of the machine stops. */
  #setTimer(callback: () => void, delayMs: number): () => void {
    let slept = this.#slept();
    let cancel = (): void => {};
    const arm = (ms: number): void => {
      cancel = this.#world.after(ms, () => {
        const missingMs = this.#slept() - slept;
        slept += missingMs;
        if (missingMs > 0) arm(Math.max(1, missingMs));
        else this.#input(callback);
      });
    };
    arm(delayMs);
    return () => cancel();
  }

  #slept(): number {
    return this.#sleptMs + (this.#asleepSince === undefined ? 0 : this.#world.now() - this.#asleepSince);
  }

  #meetFate(what: Step): void {
    if (this.#isSuspended) return;
    const mishap = this.#surroundings.mishapAt(what);
    if (mishap === 'dies') this.kill();
    else if (mishap) this.suspend(mishap.suspendedMs, mishap.isAsleep);
  }

  #dispatch(options: DispatchOptions, handler: DispatchHandler): boolean {
    const exchange = new Exchange(handler);
    const isPayment = options.method === 'POST' && /\/(payments|refunds)$/.test(options.path);
    this.#output(isPayment ? 'payment' : 'output', () => {
      const passage = this.#surroundings.passageOf(options);
      const path = options.path.slice(BASE_PATH.length);
      const what = `${this.name}: ${options.method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '*')}`;
      const later = (ms: number, run: () => void): void => {
        this.#world.after(ms, () => this.#input(run));
      };
      if (passage.isRefused) {
        this.#world.note(`${what} no connection`);
        later(passage.connectMs, () => exchange.fail('ECONNREFUSED'));
        return;
      }
      const leave = (): void => {
        if (!exchange.start()) return;
        const sentAt = this.#world.now();
        const key = Object.entries(options.headers).find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1];
        if (options.method !== 'GET') this.#world.note(`${what} ${alias(key)} ${instrument(options.body)} leaves`);
        if (passage.isLostOnTheWay) {
          this.#world.note(`${what} is lost on the way (${passage.answer})`);
          if (passage.answer !== 'silence') later(passage.thereMs, () => exchange.fail('ECONNRESET'));
          return;
        }
        this.#world.after(passage.thereMs, () => {
          const request = { method: String(options.method), path, key, body: options.body, sentAt, sender: this.name };
          this.#service.handle(request, (answer) => {
            this.#world.note(`${what} ${alias(key)} -> ${answer.status}${shownIn(answer)} ${passage.answer}`);
            if (passage.answer === 'silence') return;
            later(passage.backMs, () => {
              if (passage.answer === 'reset') exchange.fail('ECONNRESET');
              else if (passage.answer === 'cut') exchange.cut(answer);
              else exchange.answer(answer);
            });
          });
        });
      };
      // Over a connection that is there the bytes leave in the turn of the call.
      if (passage.connectMs === 0) leave();
      else later(passage.connectMs, leave);
    });
    return true;
  }
}

function alias(key: string | undefined): string {
  return key === undefined ? '' : `key ${key.slice(0, 4)}`;
}

function instrument(body: string | null): string {
  const { amount, payment_method } = JSON.parse(body || '{}') as { amount?: number; payment_method?: string };
  return `${payment_method ?? ''} ${amount ?? ''}`;
}

function shownIn({ status, body }: Answer): string {
  if (status !== 200) return '';
  const { amount_paid, balance_due, payments, status: state } = JSON.parse(body) as Record<string, unknown>;
  if (!Array.isArray(payments)) return '';
  const of = (sum: unknown): unknown => (typeof sum === 'object' && sum ? (sum as { amount: number }).amount : sum);
  return ` ${state} paid ${of(amount_paid)} due ${of(balance_due)} [${payments.map(({ status: one, amount }) => `${one} ${amount.amount}`)}]`;
}

/** One request on its way through a dispatch handler. */
class Exchange {
  readonly #handler: DispatchHandler;
  #isOver = false;
  readonly #controller = {
    abort: (reason: Error) => {
      if (this.#isOver) return;
      this.#isOver = true;
      this.#handler.onResponseError(this.#controller, reason);
    },
  };

  constructor(handler: DispatchHandler) {
    this.#handler = handler;
  }

  /** The bytes leave now, unless the client says no. */
  start(): boolean {
    if (this.#isOver) return false;
    this.#handler.onRequestStart(this.#controller, {});
    return !this.#isOver;
  }

  fail(code: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#handler.onResponseError(this.#controller, Object.assign(new Error('connection'), { code }));
  }

  cut(answer: Answer): void {
    this.#begin({ ...answer, body: answer.body.slice(0, answer.body.length / 2) });
    this.fail('ECONNRESET');
  }

  answer(answer: Answer): void {
    this.#begin(answer);
    if (this.#isOver) return;
    this.#isOver = true;
    this.#handler.onResponseEnd(this.#controller, {});
  }

  #begin({ status, headers, body }: Answer): void {
    if (this.#isOver) return;
    this.#handler.onResponseStart(this.#controller, status, { ...headers });
    if (body && !this.#isOver) this.#handler.onResponseData(this.#controller, Buffer.from(body));
  }
}
