import type { OnlineOrdering, OutcomeUnknownError, Payment, Refund, Resolution } from 'online-ordering-sdk';
import { HOUR, type Scene } from './scene.js';
import type { SimProcess } from './sim-process.js';
import type { Movement } from './unkind-service.js';
import { Violation } from './violation.js';

const SECOND = 1000;
const LONGEST_CALL_MS = 2 * HOUR;

/** What is known of one payment or refund that was sent alone. */
interface Single {
  readonly kind: 'charge' | 'refund';
  readonly cents: number;
  key: string;
  said: 'applied' | 'under_way' | 'not_applied' | 'unknown';
}

/** Payments and refunds that are sent one by one, each of which is resolved until it is known. */
export class SinglesHistory {
  readonly #scene: Scene;
  readonly #singles: Single[] = [];

  constructor(scene: Scene) {
    this.#scene = scene;
    scene.isSentOnce = true;
  }

  async happen(): Promise<void> {
    const work = this.#oneByOne();
    await this.#scene.awaited(work, 60 * HOUR, 'payments and refunds one by one');
    // What was said is true when everything has ended.
    await this.#scene.world.pass(10 * 60 * SECOND);
    this.#check();
  }

  async #oneByOne(): Promise<void> {
    const { draws } = this.#scene;
    let { process, client } = this.#scene.start('p');
    const times = draws.whole('singles.times', 1, 4);
    let deaths = 0;
    for (let index = 0; index < times; index += 1) {
      const single: Single = {
        kind: index > 0 && draws.chance('single.refund', 0.5) ? 'refund' : 'charge',
        // What a dead process knew of identical payments is lost with it (docs/payments.md, "A payment that looks the same").
        cents: draws.pick('single.cents', [100, 100, 150, 400]) + deaths,
        key: '',
        said: 'unknown',
      };
      this.#singles.push(single);
      await this.#send(single, process, client);
      if (process.isDead) {
        if (!this.#scene.hasCopies) return;
        deaths += 1;
        ({ process, client } = this.#scene.start('p'));
      }
      await this.#scene.sleep(draws.pick('single.pause', [10, 5 * SECOND, 120 * SECOND]));
    }
  }

  async #send(single: Single, process: SimProcess, client: OnlineOrdering): Promise<void> {
    const { orderId, draws } = this.#scene;
    single.key = `${hex(draws, 8)}-${hex(draws, 4)}-4${hex(draws, 3)}-8${hex(draws, 3)}-${hex(draws, 12)}`;
    const options = { idempotencyKey: single.key };
    const error = await this.#ended<Payment | Refund>(process, `${single.kind} ${single.cents}`, () =>
      single.kind === 'charge'
        ? client.orders.payments.create(
            orderId,
            { payment_method: 'CREDIT_CARD', payment_token: `card-${single.cents}`, amount: single.cents },
            options,
          )
        : client.orders.refunds.create(orderId, { amount: single.cents }, options),
    );
    if (error === 'died') return;
    if (!(error instanceof Error)) {
      single.said = error.status === 'COMPLETED' ? 'applied' : 'under_way';
      return;
    }
    if (isUnknown(error)) return this.#resolve(single, process, error);
    const { outcome } = error as Error & { outcome?: string };
    if (outcome === 'refused' || outcome === 'not_sent') single.said = 'not_applied';
  }

  async #resolve(single: Single, process: SimProcess, error: OutcomeUnknownError): Promise<void> {
    const { draws } = this.#scene;
    for (let times = 0; times < 14; times += 1) {
      if (times === 8) this.#scene.becomeKind();
      const resolve = (): Promise<Resolution> =>
        error.resolve(draws.chance('resolve.deadline', 0.2) && !this.#scene.isKind ? { deadline: 20 * SECOND } : {});
      const [end] = await Promise.all([
        this.#ended<Resolution>(process, 'resolve', resolve),
        draws.chance('resolve.twice', 0.3) ? this.#ended<Resolution>(process, 'resolve too', resolve) : undefined,
      ]);
      if (end === 'died') return;
      if (end instanceof Error) throw new Violation(`resolve() rejects with ${end.stack}`);
      if (end.outcome !== 'unknown') {
        if (end.outcome === 'not_applied') this.#isNotDenied(single);
        single.said = end.outcome === 'applied' && end.record.status !== 'COMPLETED' ? 'under_way' : end.outcome;
        return;
      }
      await this.#scene.sleep(draws.pick('resolve.pause', [10, 2 * SECOND, 30 * SECOND, 120 * SECOND]));
    }
  }

  /** A definite "it was not executed" must hold for every request that was sent before. */
  #isNotDenied(single: Single): void {
    const { world, service } = this.#scene;
    const now = world.now();
    world.after(HOUR, () => {
      const denied = service.ledger.find(({ key, sentAt }) => key === single.key && sentAt < now);
      if (denied) this.#denied = `${single.kind} ${single.cents} was told as not applied, and it moved`;
    });
  }

  #denied: string | undefined;

  async #ended<T>(process: SimProcess, what: string, call: () => PromiseLike<T>): Promise<T | Error | 'died'> {
    const ended = Promise.resolve(call()).then(
      (value) => ({ value }),
      (error: unknown) => ({ error: error as Error }),
    );
    const limit = this.#scene.sleep(LONGEST_CALL_MS).then(() => 'late' as const);
    const end = await Promise.race([ended, process.death, limit]);
    if (end === 'died') return 'died';
    if (end === 'late') throw new Violation(`${what} did not end within ${LONGEST_CALL_MS / HOUR} h`);
    if ('value' in end) {
      const { outcome, status } = end.value as { outcome?: string; status?: string };
      this.#scene.say(`${process.name}: ${what}: ${outcome ?? status}`);
      return end.value;
    }
    this.#scene.say(`${process.name}: ${what}: ${end.error.name} ${end.error.message.slice(0, 80)}`);
    this.#scene.refuseStrange(end.error);
    return end.error;
  }

  #check(): void {
    if (this.#denied !== undefined) throw new Violation(this.#denied);
    const { ledger } = this.#scene.service;
    for (const single of this.#singles) {
      const moved = ledger.filter(({ key, kind }) => key === single.key && kind === single.kind);
      const what = `${single.kind} of ${single.cents}`;
      if (moved.length > 1) throw new Violation(`a ${what} was executed ${moved.length} times under one key`);
      if (single.said === 'not_applied' && moved.length > 0) {
        throw new Violation(`a ${what} was told as not applied, and it moved`);
      }
      if (single.said === 'applied' && moved.length === 0 && !this.#hasTwin(single, ledger)) {
        throw new Violation(`a ${what} was told as applied, and it did not move`);
      }
    }
  }

  /** A record that shows no key may stand for another single of the same amount. */
  #hasTwin(single: Single, ledger: readonly Movement[]): boolean {
    const alike = this.#singles.filter(({ kind, cents }) => kind === single.kind && cents === single.cents);
    const moved = ledger.filter(({ kind, cents }) => kind === single.kind && cents === single.cents);
    const said = alike.filter((one) => one.said === 'applied');
    return alike.length > 1 && said.length <= moved.length;
  }
}

function isUnknown(error: Error): error is OutcomeUnknownError {
  return error.name === 'OutcomeUnknownError';
}

function hex(draws: { whole(name: string, from: number, to: number): number }, digits: number): string {
  return Array.from({ length: digits }, () => draws.whole('key', 0, 15).toString(16)).join('');
}
