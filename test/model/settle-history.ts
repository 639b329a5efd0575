import type { Decline, DeclineAnswer, OnlineOrdering, Settlement, SettlementFacts, Tender } from 'online-ordering-sdk';
import { type Claim, Ledger } from './ledger.js';
import { HOUR, type Scene } from './scene.js';
import type { SimProcess } from './sim-process.js';
import { Violation } from './violation.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** A call that takes longer does not end. */
const LONGEST_CALL_MS = 2 * HOUR;
const MOST_FINAL_CALLS = 12;

/** One order that is settled by several calls and processes, until the same call has come to its end. */
export class SettleHistory {
  readonly #scene: Scene;
  readonly #ledger: Ledger;
  #wrong: unknown;
  /** The last call told that the list of tenders fits the order no longer. */
  #misfit: { readonly reason: string; readonly chargedCents: number } | undefined;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#ledger = new Ledger(scene.service, scene.plan.tenders, () => scene.world.now());
  }

  async happen(): Promise<void> {
    const { draws, plan, world, service, orderId } = this.#scene;
    if (draws.mishap('behaviour.changes', 0.2)) {
      world.after(draws.whole('behaviour.changes.at', 1, 120) * SECOND, () => this.#scene.changeBehaviour());
    }
    if (plan.troubles.has('elsewhere') && draws.mishap('elsewhere', 0.5)) {
      world.after(draws.whole('elsewhere.at', 0, 60) * SECOND, () => {
        if (this.#scene.isKind) return;
        world.note('somebody pays 37 cents at the counter');
        service.payElsewhere(orderId, 37, 'CASH');
      });
    }
    const lanes = Array.from({ length: plan.lanes }, (_, lane) => this.#lane(lane));
    await this.#scene.awaited(Promise.all(lanes), 6 * HOUR, 'what the processes do');
    this.#ledger.check();
    await this.#endKindly();
  }

  /** A supervisor: calls settle, and again after an error, and starts another process when one has died. */
  async #lane(lane: number): Promise<void> {
    const { draws, plan, orderId } = this.#scene;
    const calls = draws.whole(`lane.${lane}.calls`, 1, 4);
    await this.#scene.sleep(lane === 0 ? 0 : draws.whole('lane.starts', 0, 60_000));
    if (!this.#scene.hasCopies) return;
    let { process, client } = this.#scene.start(`p${lane}`);
    for (let call = 0; call < calls; call += 1) {
      const options = this.#limits(process);
      const settle = (): Promise<Settlement> =>
        client.orders.settle(orderId, { ...options, tenders: plan.tenders, onDeclined: this.#handler(process) });
      const isTwice = plan.troubles.has('callers') && draws.chance('twice', 0.15);
      const isResumed = draws.chance('resume', 0.08);
      const [settlement] = await Promise.all([
        this.#call(process, isResumed ? () => client.orders.resume(orderId, { ...options }) : settle),
        isTwice ? this.#call(process, settle) : undefined,
      ]);
      if (settlement?.status === 'PAID' || settlement?.status === 'CANCELLED') return;
      await this.#scene.sleep(draws.pick('between', [10, SECOND, 5 * SECOND, 40 * SECOND, 200 * SECOND]));
      if (!process.isDead) continue;
      if (!this.#scene.hasCopies) return;
      ({ process, client } = this.#scene.start(`p${lane}`));
    }
  }

  #limits(process: SimProcess): { deadline?: number; signal?: AbortSignal } {
    const { draws, plan, world } = this.#scene;
    if (!plan.troubles.has('limits')) return {};
    if (draws.mishap('deadline', 0.3)) {
      return { deadline: draws.pick('deadline.ms', [SECOND, 10 * SECOND, 60 * SECOND, 200 * SECOND]) };
    }
    if (!draws.mishap('aborted', 0.3)) return {};
    const controller = new AbortController();
    world.after(draws.pick('aborted.ms', [5, 200, 2000, 30_000]), () => {
      if (!process.isDead) controller.abort();
    });
    return { signal: controller.signal };
  }

  /** One call, to its end or to the end of its process; what it says is held against the ledger. */
  async #call(process: SimProcess, call: () => Promise<Settlement>): Promise<Settlement | undefined> {
    this.#misfit = undefined;
    const caller = { name: process.name, since: this.#scene.world.now() };
    const ended = call().then(
      (settlement) => ({ settlement }),
      (error: unknown) => ({ error }),
    );
    const end = await Promise.race([ended, process.death]);
    if (this.#wrong !== undefined) throw this.#wrong;
    if (end === 'died') return undefined;
    if ('settlement' in end) {
      const { status, tenders, charged } = end.settlement;
      this.#scene.say(`${process.name}: ${status}, charged ${charged.amount}: ${shown(tenders)}`);
      const what = `the result ${status}`;
      this.#ledger.holds(claimsOf(end.settlement), { what, charged: charged.amount, caller });
      return end.settlement;
    }
    const error = end.error as Error & { settlement?: SettlementFacts; reason?: string; cause?: Error };
    const { name, settlement: facts, reason = '', cause } = error;
    this.#scene.say(`${process.name}: ${name} ${reason} (${cause?.name ?? ''}) ${facts ? shown(facts.tenders) : ''}`);
    this.#scene.refuseStrange(error);
    this.#keepsTheOrder(error);
    const what = `the facts of ${name}`;
    if (facts) this.#ledger.holds(claimsOf(facts), { what, charged: facts.charged.amount, caller });
    if (MISFITS.has(reason)) this.#misfit = { reason, chargedCents: facts?.charged.amount ?? 0 };
    return undefined;
  }

  /** Rule 10: whoever lives, and whose journal works, is not robbed of the order. */
  #keepsTheOrder(error: Error): void {
    const { troubles } = this.#scene.plan;
    if (troubles.has('suspensions') || troubles.has('store')) return;
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
      if ((cause as { reason?: string }).reason === 'lock_lost') throw new Violation('the living lost the order');
    }
  }

  #handler(process: SimProcess): (decline: Decline) => Promise<DeclineAnswer> {
    const { world } = this.#scene;
    const caller = { name: process.name, since: world.now() };
    return async ({ tender, amount, idempotencyKey: key }) => {
      if (process.isDead) return 'stop';
      const { payment_method: method } = tender;
      world.note(`${process.name}: ${method} ${amount.amount} is declined, key ${key.slice(0, 4)}`);
      const what = 'what the handler of declines is told';
      this.#told(() => this.#ledger.holds([{ key, method, cents: amount.amount, status: 'FAILED' }], { what, caller }));
      const answer = this.#answer(tender);
      this.#ledger.given(answer);
      return answer;
    };
  }

  /** What is wrong in a handler must not end as an error of the handler. */
  #told(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#wrong ??= error;
    }
  }

  #answer(tender: Tender): DeclineAnswer {
    const { draws, isKind, plan } = this.#scene;
    if (isKind || (plan.focus === 'retries' && draws.chance('decline.retry', 0.7))) return 'retry';
    const spare = (amount: number | 'remaining'): Tender => ({
      payment_method: 'CREDIT_CARD',
      payment_token: draws.pick('spare', ['spare-1', 'spare-2']),
      amount,
    });
    switch (draws.pick('decline.answer', ['retry', 'retry', 'other', 'rest', 'same', 'stop', 'cancel'] as const)) {
      case 'retry':
        return 'retry';
      case 'other':
        return spare(50);
      case 'rest':
        return spare('remaining');
      case 'same':
        return tender;
      case 'cancel':
        return draws.mishap('cancelled', 0.3) ? 'cancel_order' : 'stop';
      case 'stop':
        return 'stop';
    }
  }

  /** The service is kind, nothing fails any more: the same call comes to its end, and says what the ledger says. */
  async #endKindly(): Promise<void> {
    const { draws, world, ends } = this.#scene;
    this.#scene.becomeKind();
    await world.pass(draws.pick('final.wait', [0, 10 * SECOND, 5 * MINUTE, 5 * MINUTE, 26 * HOUR]));
    this.#ledger.check();
    const { process, client } = this.#scene.start('last');
    for (let calls = 0; calls < MOST_FINAL_CALLS; calls += 1) {
      const settlement = await this.#finalCall(process, client);
      if (settlement && settlement.status !== 'PROCESSING') return this.#agrees(settlement);
      if (this.#misfit) return this.#ledger.agreesWith(this.#misfit.chargedCents);
      // A cool-down that a process with a wrong clock has shared lasts as long as its clock is wrong.
      await world.pass(ends.at(-1)?.includes('RateLimitError') ? HOUR : 2 * MINUTE);
    }
    await this.#askAPerson(process, client);
  }

  #finalCall(process: SimProcess, client: OnlineOrdering): Promise<Settlement | undefined> {
    const { orderId, plan } = this.#scene;
    const options = { tenders: plan.tenders, onDeclined: this.#handler(process) };
    const call = this.#call(process, () => client.orders.settle(orderId, options));
    return this.#scene.awaited(call, LONGEST_CALL_MS, 'a call to a kind service');
  }

  /** What only a person can tell who has asked the service; the errors name the call. */
  async #askAPerson(process: SimProcess, client: OnlineOrdering): Promise<void> {
    const { orderId, world, ends } = this.#scene;
    const undecided = this.#ledger.undecided();
    const paid = undecided.flatMap((key) => {
      const id = this.#ledger.paymentOf(key);
      return id === undefined ? [] : [[key, id] as const];
    });
    const charged = Object.fromEntries(paid);
    const notCharged = undecided.filter((key) => !(key in charged));
    world.note(`a person tells: not charged ${notCharged.length}, charged ${paid.length}`);
    const told = this.#call(process, () => client.orders.resume(orderId, { notCharged, charged }));
    await this.#scene.awaited(told, LONGEST_CALL_MS, 'the call that tells what became of payments');
    const settlement = await this.#finalCall(process, client);
    if (this.#misfit) return this.#ledger.agreesWith(this.#misfit.chargedCents);
    if (!settlement || settlement.status === 'PROCESSING') {
      throw new Violation(`settle comes to no end: ${ends.slice(-3).join(' | ')}`);
    }
    this.#agrees(settlement);
  }

  #agrees(settlement: Settlement): void {
    this.#ledger.check();
    this.#ledger.agrees(settlement, this.#scene.service.isCancelled(this.#scene.orderId));
  }
}

/**
 * The same list cannot be paid any more, since a replacement took what remained, or since somebody paid elsewhere: an
 * end, when it says rightly what was charged.
 */
const MISFITS = new Set(['amount_exceeds_balance', 'order_cancelled', 'order_closed']);

function claimsOf({ tenders }: Pick<SettlementFacts, 'tenders'>): Claim[] {
  return tenders.map(({ idempotencyKey, payment_method, amount, status }) => ({
    key: idempotencyKey,
    method: payment_method,
    cents: amount === 'remaining' ? undefined : amount.amount,
    status,
  }));
}

function shown(tenders: SettlementFacts['tenders']): string {
  const cents = (amount: SettlementFacts['tenders'][number]['amount']) =>
    typeof amount === 'string' ? amount : amount.amount;
  return tenders
    .map(({ payment_method, status, amount, idempotencyKey }) =>
      [payment_method, cents(amount), status, idempotencyKey.slice(0, 4)].join(' '),
    )
    .join(', ');
}
