import type { OnlineOrdering, Order, Tender } from 'online-ordering-sdk';
import type { MockService } from 'online-ordering-sdk/mock';
import type { PaymentJournal } from '../../src/resources/payments/journal/journal.js';
import { paymentRules } from '../../src/resources/payments/overrides.js';
import type { SettleContext } from '../../src/resources/payments/settle/context.js';
import type { Decline, DeclineAnswer } from '../../src/resources/payments/settle/decline.js';
import { settle } from '../../src/resources/payments/settle/settle.js';

const PAYMENTS = 'POST /orders/{order_id}/payments';

/** What goes wrong with one payment request. */
export type Mishap =
  | 'none'
  | 'declined'
  | 'declined_answer_lost'
  | 'reset_before'
  | 'reset_after'
  | 'error_before'
  | 'error_after'
  | 'rate_limited'
  | 'slow'
  | 'fails_later';

/** Where a process dies: at which of its steps, counted over writes of the journal and payment requests. */
export interface Plan {
  readonly tenders: readonly Tender[];
  /** What the handler answers to declines, by the tender's instrument. */
  readonly answers: ReadonlyMap<string, DeclineAnswer>;
  readonly mishaps: readonly Mishap[];
  /** Steps after which a process dies, one process each. */
  readonly crashes: readonly number[];
  /** How many readings lag behind each payment request. */
  readonly lags: readonly number[];
}

/** The process is gone: whatever it does from now on does not happen. */
export class Crash extends Error {}

/** What went out for each key: instrument and cents. */
export interface SentTender {
  readonly instrument: string;
  readonly cents: number;
}

/** One store of journals, and the processes that work over it, one after the other. */
export class Simulation {
  readonly sent = new Map<string, SentTender>();
  /** True when the process that settled last has died. */
  hasDied = false;
  readonly #service: MockService;
  readonly #client: OnlineOrdering;
  readonly #records = new Map<string, string>();
  readonly #plan: Plan;
  readonly #mishaps: Mishap[];
  readonly #crashes: number[];
  readonly #lags: number[];
  #stale: { order: Order; readings: number } | undefined;

  constructor(service: MockService, client: OnlineOrdering, plan: Plan) {
    this.#service = service;
    this.#client = client;
    this.#plan = plan;
    this.#mishaps = [...plan.mishaps];
    this.#crashes = [...plan.crashes];
    this.#lags = [...plan.lags];
  }

  /** Lets a process settle the order: to its end, or to its crash. */
  settle(orderId: string): ReturnType<typeof settle> {
    let stepsLeft = this.#crashes.shift() ?? Number.POSITIVE_INFINITY;
    this.hasDied = false;
    const step = (): void => {
      stepsLeft -= 1;
      if (stepsLeft > 0) return;
      this.hasDied = true;
      throw new Crash('The process died.');
    };
    const onDeclined = ({ tender }: Decline): DeclineAnswer => this.#plan.answers.get(instrumentOf(tender)) ?? 'stop';
    const polling = { initialDelayMs: 2000, maxDelayMs: 30_000, maxWaitMs: 60_000 };
    return settle(this.#context(step), orderId, { tenders: this.#plan.tenders, onDeclined, polling });
  }

  #context(step: () => void): SettleContext {
    const { orders } = this.#client;
    const clock = this.#service.clock;
    return {
      clock,
      random: () => 0.5,
      rules: paymentRules(),
      origin: null,
      maxRetries: 3,
      maxWait: 300_000,
      journal: this.#journal(step),
      newKey: () => crypto.randomUUID(),
      digests: {
        newSalt: () => 'salt',
        // Key derivation is tested by itself, and would take a minute here.
        forRecord: async () => ({
          of: async (tender) => ({
            digest: instrumentOf(tender),
            ofBody: async (body) => JSON.stringify(body),
            matches: async (digest) => (digest === instrumentOf(tender) ? 'same' : 'other_tender'),
            matchesBody: async (digest, body) => (digest === JSON.stringify(body) ? 'same' : 'other_tender'),
          }),
        }),
      },
      leaseMs: 30_000,
      api: {
        read: async (orderId) => {
          step();
          return { order: await this.#read(orderId), serverNowMs: clock.now() };
        },
        pay: async (orderId, body, { idempotencyKey }) => {
          step();
          this.#stale = { order: await orders.retrieve(orderId), readings: this.#lags.shift() ?? 0 };
          this.#cause(this.#mishaps.shift() ?? 'none');
          this.sent.set(idempotencyKey, { instrument: instrumentOf(body), cents: body.amount });
          const payment = await orders.payments.create(orderId, body, { idempotencyKey }).finally(() => {
            this.#service.payments.settleAfter(0);
          });
          step();
          return payment;
        },
        cancel: async (orderId, { idempotencyKey }) => {
          step();
          const order = await orders.cancel(orderId, {}, { idempotencyKey });
          step();
          return order;
        },
      },
    };
  }

  /** The order as it is, or as it was before the last payment. */
  async #read(orderId: string): Promise<Order> {
    if (!this.#stale || this.#stale.readings === 0) return this.#client.orders.retrieve(orderId);
    this.#stale.readings -= 1;
    return this.#stale.order;
  }

  /** A process dies before a write, or after it. */
  #journal(step: () => void): PaymentJournal {
    return {
      read: async (orderId) => this.#records.get(orderId),
      write: async (orderId, expected, next) => {
        step();
        if (this.#records.get(orderId) !== expected) return false;
        this.#records.set(orderId, next);
        step();
        return true;
      },
    };
  }

  #cause(mishap: Mishap): void {
    const { faults, payments } = this.#service;
    switch (mishap) {
      case 'declined':
        return payments.declineNext('*');
      case 'declined_answer_lost':
        payments.declineNext('*');
        return faults.next(PAYMENTS, { after: 'commit', fail: 'socket_reset' });
      case 'reset_before':
        return faults.next(PAYMENTS, { fail: 'socket_reset' });
      case 'reset_after':
        return faults.next(PAYMENTS, { after: 'commit', fail: 'socket_reset' });
      case 'error_before':
        return faults.next(PAYMENTS, { status: 500 });
      case 'error_after':
        return faults.next(PAYMENTS, { after: 'commit', status: 500 });
      case 'rate_limited':
        return faults.next(PAYMENTS, { status: 429, retryAfterSeconds: 1 });
      case 'slow':
        return payments.settleAfter('9s');
      case 'fails_later':
        return payments.settleAfter('9s', { outcome: 'FAILED' });
      case 'none':
    }
  }
}

export function instrumentOf(body: object): string {
  const { payment_token, gift_card_number, loyalty_account_id } = body as Record<string, string>;
  return payment_token ?? gift_card_number ?? loyalty_account_id ?? 'cash';
}
