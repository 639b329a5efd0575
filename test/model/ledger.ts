import type { DeclineAnswer, Settlement, Tender } from 'online-ordering-sdk';
import { TOTAL } from './plan.js';
import { instrumentOf, type Movement, type UnkindService } from './unkind-service.js';
import { Violation } from './violation.js';

/** What a result, an error or a handler is told of one tender. */
export interface Claim {
  readonly key: string;
  readonly method: string;
  /** `undefined` while it is not fixed. */
  readonly cents: number | undefined;
  readonly status: string;
}

/** Who says it, and when the call began. */
export interface Caller {
  readonly name: string;
  readonly since: number;
}

/** The money that moved at the service, and what may be said of it. */
export class Ledger {
  readonly #service: UnkindService;
  readonly #now: () => number;
  /** How often each instrument was given, replacements included. */
  readonly #given = new Map<string, number>();
  #askedCents: number;
  #last: readonly Claim[] = [];

  constructor(service: UnkindService, tenders: readonly Tender[], now: () => number) {
    this.#service = service;
    this.#now = now;
    const hasRest = tenders.some(({ amount }) => amount === 'remaining');
    this.#askedCents = hasRest ? TOTAL : tenders.reduce((sum, { amount }) => sum + Number(amount), 0);
    for (const tender of tenders) this.#give(tender);
  }

  given(answer: DeclineAnswer): void {
    if (typeof answer !== 'object') return;
    if (answer.amount === 'remaining') this.#askedCents = TOTAL;
    this.#give(answer);
  }

  #give(tender: Tender): void {
    const instrument = instrumentOf(tender);
    this.#given.set(instrument, (this.#given.get(instrument) ?? 0) + 1);
  }

  get #charges(): readonly Movement[] {
    return this.#service.ledger.filter(({ kind }) => kind === 'charge');
  }

  /** Never more than was asked, never twice under one key, never more often than given. */
  check(): void {
    const charges = this.#charges;
    const sum = charges.reduce((total, { cents }) => total + cents, 0);
    if (sum > this.#askedCents) throw new Violation(`${sum} were charged, and ${this.#askedCents} were asked`);
    for (const { key, instrument } of charges) {
      if (charges.filter((other) => other.key === key).length > 1)
        throw new Violation(`${instrument} was charged twice under one key`);
      const times = charges.filter((other) => other.instrument === instrument).length;
      const given = this.#given.get(instrument) ?? 0;
      if (times > given) throw new Violation(`${instrument} was charged ${times} times, and given ${given} times`);
    }
  }

  /**
   * What is said now must not deny money that a request sent before now takes: one that the process sent itself, or
   * that any process sent before the call began. Identical tenders may stand for each other, so that they are counted.
   */
  holds(claims: readonly Claim[], { what, charged, caller }: { what: string; charged?: number; caller: Caller }): void {
    this.#last = claims;
    const now = this.#now();
    const isWhole = charged !== undefined;
    this.#later.push(() => {
      const sent = this.#charges.filter(
        ({ sentAt, sender }) => sentAt < caller.since || (sentAt < now && sender === caller.name),
      );
      for (const { method, cents } of sent) {
        const own = sent.filter((charge) => charge.method === method && charge.cents === cents);
        const keys = new Set(own.map(({ key }) => key));
        const said = claims.filter((claim) => keys.has(claim.key) || own.some((charge) => isOf(claim, charge)));
        const denied = said.filter(({ status }) => status === 'FAILED' || status === 'UNSENT');
        if (isWhole && said.length - denied.length < own.length) {
          throw new Violation(`${what} leaves out or denies ${cents} that ${method} paid`);
        }
        if (!isWhole && keys.has(denied[0]?.key ?? ''))
          throw new Violation(`${what} denies ${cents} that ${method} paid`);
      }
      const done = claims.filter(({ status }) => status === 'COMPLETED');
      const moved = this.#charges.filter(({ at }) => at <= now);
      for (const claim of done) {
        const known = moved.filter((charge) => isOf(claim, charge));
        const said = done.filter((other) => other.method === claim.method && other.cents === claim.cents);
        if (said.length <= known.length || moved.some(({ key }) => key === claim.key)) continue;
        throw new Violation(`${what} says that ${claim.method} paid ${claim.cents}, and it did not`);
      }
      const taken = moved.reduce((sum, { shownCents }) => sum + shownCents, 0);
      if (charged !== undefined && charged > taken)
        throw new Violation(`${what} says ${charged} were charged, and ${taken} were`);
    });
    this.#later.at(-1)?.();
    this.check();
  }

  /** Money may come later from a request that was sent before: what was said is looked at again in the end. */
  readonly #later: (() => void)[] = [];

  /** What is said in the end to have been charged is what the ledger says. */
  agreesWith(said: number): void {
    for (const check of this.#later) check();
    const charges = this.#charges;
    const sum = charges.reduce((total, { cents }) => total + cents, 0);
    const shown = charges.reduce((total, { shownCents }) => total + shownCents, 0);
    if (said < sum || said > shown) throw new Violation(`the last result says ${said} were charged, and ${sum} were`);
  }

  /** The last word of a settlement is the ledger. */
  agrees(settlement: Settlement, isCancelled: boolean): void {
    this.agreesWith(settlement.charged.amount);
    if (isCancelled !== (settlement.status === 'CANCELLED'))
      throw new Violation(`the last result is ${settlement.status}`);
    const paid = settlement.order.amount_paid.amount ?? (settlement.order.amount_paid as unknown as number);
    const expected = isCancelled ? 'CANCELLED' : paid >= TOTAL ? 'PAID' : paid > 0 ? 'PARTIALLY_PAID' : 'UNPAID';
    if (settlement.status !== expected)
      throw new Violation(`the last result is ${settlement.status}, the order is ${expected}`);
  }

  /** Keys of tenders that the last result or error left open. */
  undecided(): readonly string[] {
    return this.#last.filter(({ status }) => status === 'UNKNOWN' || status === 'PROCESSING').map(({ key }) => key);
  }

  paymentOf(key: string): string | undefined {
    return this.#charges.find((charge) => charge.key === key)?.recordId;
  }
}

function isOf({ method, cents }: Claim, charge: Movement): boolean {
  return charge.method === method && (charge.cents === cents || charge.shownCents === cents);
}
