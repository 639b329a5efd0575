/**
 * The payments of a service that does what the interface document says, and no more: a success is remembered under its
 * key for 24 hours, an error is not. Everything else is a switch. It shares no code with the SDK and none with the mock.
 */

/** Where the interface document promises nothing. The first value of each list is the kind one. */
export interface Behaviour {
  /** What a request does while another one with its key is executed. */
  keysInFlight: 'wait' | 'conflict' | 'run_twice';
  overpayment: 'refuse' | 'accept';
  /** A payment whose key is being executed, or was and is not remembered: executed as well, or declined. */
  duplicates: 'execute' | 'decline';
  /** A reading shows the order as it was up to so long ago. */
  readLagMs: number;
  /** The lists of payments and refunds lag behind the sums by up to this. */
  listLagMs: number;
  /** The sums lag behind the lists by up to this. */
  sumsLagMs: number;
  /** Whether records carry the idempotency key. */
  keysShown: boolean;
  /** Name of the method in the record, where it differs from what was sent. */
  methodShown: string | undefined;
  /** What the record shows above what was sent, in cents. */
  amountShownAboveBy: number;
  /** Whether a decline leaves a FAILED record. */
  declinesShown: boolean;
  /** Whether a payment that is completed leaves a FAILED record with its key in front. */
  failedInFront: boolean;
  refundsListed: boolean;
  dateHeader: boolean;
  /** How far the service's clock is ahead of true time. */
  clockAheadMs: number;
  /** Whether `balance_due` takes off what is under way. */
  balanceCountsPending: boolean;
  /** Sums as whole cents in place of Money. */
  sumsAsCents: boolean;
}

export const KIND: Readonly<Behaviour> = {
  keysInFlight: 'wait',
  overpayment: 'refuse',
  duplicates: 'execute',
  readLagMs: 0,
  listLagMs: 0,
  sumsLagMs: 0,
  keysShown: true,
  methodShown: undefined,
  amountShownAboveBy: 0,
  declinesShown: true,
  failedInFront: false,
  refundsListed: true,
  dateHeader: true,
  clockAheadMs: 0,
  balanceCountsPending: true,
  sumsAsCents: false,
};

/** What becomes of one request that reached the service. */
export interface Fate {
  /** Refused before anything else is looked at. */
  refusedWith?: 401 | 429 | 503;
  /** Of a 429. */
  retryAfterSeconds?: number;
  /** How long it is executed until the money moves, or does not. */
  executesMs?: number;
  outcome?: 'completed' | 'declined' | 'pending_completed' | 'pending_failed' | 'error';
  /** How long a payment is PENDING. */
  pendingMs?: number;
  /** A failure of the service itself: the money moved, the answer is a 500, and nothing is remembered under the key. */
  errorAfter?: boolean;
  /** A FAILED record is left behind, by an `error` or before a refund that goes well. */
  leavesFailedRecord?: boolean;
  /** A gateway answers so long after the arrival, in place of the service, which goes on. */
  gatewayAfterMs?: number;
  /** The record has another status than those known. */
  statusShown?: string;
}

export interface Arrived {
  readonly method: string;
  /** Below the base path. */
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string | null;
  /** When its bytes left the sender. */
  readonly sentAt: number;
  /** Name of the process, where it is known. */
  readonly sender?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Scheduler {
  now(): number;
  after(ms: number, run: () => void): unknown;
}

/** Money that moved. */
export interface Movement {
  readonly kind: 'charge' | 'refund';
  /** Id of the order. */
  readonly order: string;
  readonly key: string;
  readonly cents: number;
  /** What the record shows. */
  readonly shownCents: number;
  readonly method: string;
  readonly instrument: string;
  readonly sentAt: number;
  readonly sender: string | undefined;
  readonly at: number;
  readonly recordId: string;
}

interface Status {
  readonly at: number;
  readonly status: string;
}

interface Payment {
  readonly id: string;
  readonly key: string | undefined;
  readonly method: string;
  readonly instrument: string;
  readonly cents: number;
  readonly createdAt: number;
  readonly history: Status[];
  readonly failure: string | null;
  readonly shown: Pick<Behaviour, 'keysShown' | 'methodShown' | 'amountShownAboveBy' | 'clockAheadMs'>;
}

interface RefundOf {
  readonly id: string;
  readonly key: string;
  readonly cents: number;
  readonly at: number;
  readonly status: string;
}

interface OrderState {
  readonly id: string;
  readonly total: number;
  readonly createdAt: number;
  readonly payments: Payment[];
  readonly refunds: RefundOf[];
  cancelledAt: number | undefined;
  cancelKey: string | undefined;
}

const KEY_LIFE_MS = 24 * 60 * 60_000;
/** Of payments whose money did not move, or went back before it was taken. */
const NOT_PAID = new Set(['', 'PENDING', 'AUTHORIZED', 'FAILED', 'VOIDED']);

export class UnkindService {
  behaviour: Behaviour = { ...KIND };
  readonly ledger: Movement[] = [];
  readonly requests: (Arrived & { readonly arrivedAt: number })[] = [];
  readonly #orders = new Map<string, OrderState>();
  readonly #remembered = new Map<string, { body: string | null; answer: Answer; at: number }>();
  readonly #running = new Map<string, { waiting: (() => void)[]; count: number }>();
  readonly #time: Scheduler;
  /** Keys of which a request was begun. */
  readonly #begun = new Set<string>();
  readonly #fateOf: (request: Arrived, isRepetition: boolean) => Fate;
  /** From 0 to 1: which replica a reading comes from. */
  readonly #replica: () => number;
  #ids = 0;

  constructor(
    time: Scheduler,
    options: { fateOf?: (request: Arrived, isRepetition: boolean) => Fate; replica?: () => number } = {},
  ) {
    this.#time = time;
    this.#fateOf = options.fateOf ?? (() => ({}));
    this.#replica = options.replica ?? (() => 1);
  }

  openOrder(id: string, total: number): void {
    this.#orders.set(id, {
      id,
      total,
      createdAt: this.#time.now(),
      payments: [],
      refunds: [],
      cancelledAt: undefined,
      cancelKey: undefined,
    });
  }

  isCancelled(orderId: string): boolean {
    return this.#orders.get(orderId)?.cancelledAt !== undefined;
  }

  /** Money of somebody else, who pays at the counter. */
  payElsewhere(orderId: string, cents: number, method: string): void {
    const order = this.#orders.get(orderId);
    if (!order || order.cancelledAt !== undefined || cents > this.#balance(order)) return;
    this.#record(order, { key: undefined, method, instrument: 'elsewhere', cents }, 'COMPLETED');
  }

  /** Changes the status of a payment at the service itself: a chargeback, a void at the counter. */
  changeStatus(orderId: string, index: number, status: string): void {
    const payment = this.#orders.get(orderId)?.payments[index];
    payment?.history.push({ at: this.#time.now(), status });
  }

  /** The order shows no payment any more. */
  forgetPayments(orderId: string): void {
    this.#orders.get(orderId)?.payments.splice(0);
  }

  handle(request: Arrived, reply: (answer: Answer) => void): void {
    this.requests.push({ ...request, arrivedAt: this.#time.now() });
    const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      reply(this.#answer(status, body, headers));
    if (request.path === '/auth/token') {
      return answer(200, { access_token: `token-${this.requests.length}`, token_type: 'BEARER', expires_in: 86_400 });
    }
    const [, , orderId = '', action] = request.path.split('?')[0]?.split('/') ?? [];
    const fate = this.#fateOf(request, this.#begun.has(request.key ?? ''));
    if (fate.refusedWith === 429) {
      return answer(429, envelope('RATE_LIMIT_ERROR', 'Too many requests'), {
        'retry-after': String(fate.retryAfterSeconds ?? 1),
      });
    }
    if (fate.refusedWith === 401) return answer(401, envelope('AUTHENTICATION_ERROR', 'The token is not valid'));
    if (fate.refusedWith === 503) return reply(page(503));
    const order = this.#orders.get(orderId.toLowerCase());
    if (!order) return answer(404, envelope('NOT_FOUND_ERROR', 'No such order'));
    if (request.method === 'GET') return answer(200, this.view(order.id));

    if (request.key !== undefined) this.#begun.add(request.key);
    let isAnswered = false;
    const once = (one: Answer): void => {
      if (isAnswered) return;
      isAnswered = true;
      reply(one);
    };
    if (fate.gatewayAfterMs !== undefined) this.#time.after(fate.gatewayAfterMs, () => once(page(504)));
    this.#keyed(
      request,
      (finish) => {
        this.#time.after(fate.executesMs ?? 0, () => {
          const { status, body, isRemembered } = this.#execute(order, action ?? '', request, fate);
          const made = this.#answer(status, body);
          if (isRemembered) {
            this.#remembered.set(request.key ?? '', { body: request.body, answer: made, at: this.#time.now() });
          }
          once(made);
          finish();
        });
      },
      once,
    );
  }

  /** The order as a reading shows it now. */
  view(orderId: string): Record<string, unknown> {
    const order = this.#orders.get(orderId) as OrderState;
    const { readLagMs, listLagMs, sumsLagMs, sumsAsCents, balanceCountsPending, refundsListed } = this.behaviour;
    const now = this.#time.now();
    const lag = readLagMs * this.#replica();
    const listAt = now - lag - listLagMs;
    const sumsAt = now - lag - sumsLagMs;
    const standing = (at: number, isOf: (status: string) => boolean): number =>
      sum(order.payments.filter((payment) => isOf(statusAt(payment, at) ?? '')));
    const isCancelled = order.cancelledAt !== undefined && order.cancelledAt <= now - lag;
    const paid = standing(sumsAt, (status) => !NOT_PAID.has(status));
    const pending = standing(sumsAt, (status) => status === 'PENDING' || status === 'AUTHORIZED');
    const refunded = sum(order.refunds.filter(({ at, status }) => at <= sumsAt && status === 'COMPLETED'));
    const money = (amount: number): unknown => (sumsAsCents ? amount : { amount, currency: 'USD' });
    const balance = order.total - paid - (balanceCountsPending ? pending : 0);
    const createdAt = new Date(order.createdAt).toISOString();
    return {
      id: order.id,
      location_id: '22222222-2222-4222-8222-222222222222',
      customer_id: null,
      status: isCancelled ? 'CANCELLED' : paid >= order.total ? 'CONFIRMED' : 'PENDING',
      payment_status:
        pending > 0 ? 'PROCESSING' : paid >= order.total ? 'PAID' : paid > 0 ? 'PARTIALLY_PAID' : 'UNPAID',
      fulfillment_status: isCancelled ? 'CANCELLED' : 'PENDING',
      handoff: { mode: 'PICKUP' },
      handoff_mode: 'PICKUP',
      items: [],
      subtotal: { amount: order.total, currency: 'USD' },
      total_tax: { amount: 0, currency: 'USD' },
      total_discount: { amount: 0, currency: 'USD' },
      total: { amount: order.total, currency: 'USD' },
      amount_paid: money(paid),
      amount_refunded: money(isCancelled ? paid : refunded),
      balance_due: money(isCancelled ? 0 : Math.max(0, balance)),
      payments: order.payments
        .filter(({ createdAt: at }) => at <= listAt)
        .map((payment) => this.#shownPayment(order, payment, listAt)),
      refunds: refundsListed
        ? order.refunds
            .filter(({ at }) => at <= listAt)
            .map(({ id, cents, at, status }) => this.#shownRefund(order, { id, cents, at, status }))
        : [],
      created_at: createdAt,
      updated_at: createdAt,
    };
  }

  /** Rule 2 of the idempotency rules, and what the document leaves open about keys in flight. */
  #keyed(request: Arrived, run: (finish: () => void) => void, reply: (answer: Answer) => void): void {
    const { key } = request;
    if (key === undefined) {
      reply(this.#answer(400, envelope('INVALID_REQUEST_ERROR', 'Idempotency-Key is required')));
      return;
    }
    const remembered = this.#remembered.get(key);
    if (remembered && this.#time.now() - remembered.at < KEY_LIFE_MS) {
      reply(
        remembered.body === request.body
          ? remembered.answer
          : this.#answer(409, envelope('CONFLICT_ERROR', 'The key was used with another body')),
      );
      return;
    }
    const running = this.#running.get(key);
    if (running && this.behaviour.keysInFlight === 'conflict') {
      reply(this.#answer(409, envelope('CONFLICT_ERROR', 'A request with this key is in progress')));
      return;
    }
    if (running && this.behaviour.keysInFlight === 'wait') {
      running.waiting.push(() => this.#keyed(request, run, reply));
      return;
    }
    if (running && this.behaviour.duplicates === 'decline') {
      reply(this.#answer(422, envelope('INVALID_REQUEST_ERROR', 'Payment declined')));
      return;
    }
    const mine = running ?? { waiting: [], count: 0 };
    mine.count += 1;
    this.#running.set(key, mine);
    run(() => {
      mine.count -= 1;
      if (mine.count > 0) return;
      this.#running.delete(key);
      for (const next of mine.waiting) next();
    });
  }

  #execute(
    order: OrderState,
    action: string,
    request: Arrived,
    fate: Fate,
  ): { status: number; body: unknown; isRemembered: boolean } {
    const refused = (status: number, message: string, field: string | null = null) => ({
      status,
      body: envelope(status === 422 ? 'INVALID_REQUEST_ERROR' : 'CONFLICT_ERROR', message, field),
      isRemembered: false,
    });
    const failed = { status: 500, body: envelope('INTERNAL_ERROR', 'Something failed'), isRemembered: false };
    const key = request.key ?? '';
    const body = JSON.parse(request.body ?? '{}') as Record<string, unknown>;
    if (action === 'cancel') {
      if (fate.outcome === 'error') return failed;
      if (order.cancelledAt !== undefined && order.cancelKey !== key) return refused(409, 'Already cancelled');
      if (order.cancelledAt === undefined) this.#cancel(order, key);
      return fate.errorAfter ? failed : { status: 200, body: this.#fresh(order), isRemembered: true };
    }
    if (order.cancelledAt !== undefined) return refused(409, 'The order is cancelled');
    const cents = Number(body.amount);
    if (action === 'refunds') return this.#refund(order, { key, cents, fate, refused, failed, request });

    const sent = { key, method: String(body.payment_method), instrument: instrumentOf(body), cents };
    if (fate.outcome === 'error') {
      if (fate.leavesFailedRecord) this.#record(order, sent, 'FAILED');
      return failed;
    }
    if (fate.outcome === 'declined') {
      if (this.behaviour.declinesShown) this.#record(order, sent, 'FAILED');
      return refused(422, 'Payment declined');
    }
    if (this.behaviour.overpayment === 'refuse' && cents > this.#balance(order)) {
      return refused(422, 'The amount exceeds the balance due', 'amount');
    }
    const now = this.#time.now();
    const isDuplicate = order.payments.some(
      (payment) => payment.key === key && !isFailed(statusAt(payment, now) ?? ''),
    );
    if (isDuplicate && this.behaviour.duplicates === 'decline') return refused(422, 'Payment declined');
    const isPending = fate.outcome === 'pending_completed' || fate.outcome === 'pending_failed';
    if (this.behaviour.failedInFront && !isPending) this.#record(order, sent, 'FAILED');
    const payment = this.#record(order, sent, isPending ? 'PENDING' : (fate.statusShown ?? 'COMPLETED'));
    const charge = (): void => {
      const shownCents = cents + payment.shown.amountShownAboveBy;
      const { sentAt, sender } = request;
      this.ledger.push({
        kind: 'charge',
        order: order.id,
        ...sent,
        shownCents,
        sentAt,
        sender,
        at: this.#time.now(),
        recordId: payment.id,
      });
    };
    if (isPending) {
      this.#time.after(fate.pendingMs ?? 0, () => {
        if (order.cancelledAt !== undefined) return;
        const isCompleted = fate.outcome === 'pending_completed';
        payment.history.push({ at: this.#time.now(), status: isCompleted ? 'COMPLETED' : 'FAILED' });
        if (isCompleted) charge();
      });
    } else charge();
    if (fate.errorAfter) return failed;
    return { status: 201, body: this.#shownPayment(order, payment, this.#time.now()), isRemembered: true };
  }

  #refund(
    order: OrderState,
    options: {
      key: string;
      cents: number;
      fate: Fate;
      request: Arrived;
      refused: (status: number, message: string) => { status: number; body: unknown; isRemembered: boolean };
      failed: { status: number; body: unknown; isRemembered: boolean };
    },
  ): { status: number; body: unknown; isRemembered: boolean } {
    const { key, cents, fate, request, refused, failed } = options;
    const { sentAt, sender } = request;
    const at = this.#time.now();
    this.#ids += 1;
    const refund = { id: uuid(this.#ids), key, cents, at };
    if (fate.leavesFailedRecord) {
      this.#ids += 1;
      order.refunds.push({ ...refund, id: uuid(this.#ids), status: 'FAILED' });
    }
    if (fate.outcome === 'error') return failed;
    if (fate.outcome === 'declined') return refused(422, 'The refund is not possible');
    const paid = sum(order.payments.filter((payment) => !NOT_PAID.has(statusAt(payment, at) ?? '')));
    const refunded = sum(order.refunds.filter(({ status }) => status === 'COMPLETED'));
    if (cents > paid - refunded) return refused(422, 'The amount exceeds what was paid');
    order.refunds.push({ ...refund, status: 'COMPLETED' });
    this.ledger.push({
      kind: 'refund',
      order: order.id,
      key,
      cents,
      shownCents: cents,
      method: '',
      instrument: '',
      sentAt,
      sender,
      at,
      recordId: refund.id,
    });
    if (fate.errorAfter) return failed;
    return { status: 201, body: this.#shownRefund(order, { ...refund, status: 'COMPLETED' }), isRemembered: true };
  }

  #cancel(order: OrderState, key: string): void {
    const at = this.#time.now();
    order.cancelledAt = at;
    order.cancelKey = key;
    for (const payment of order.payments) {
      const status = statusAt(payment, at);
      if (status === 'COMPLETED') payment.history.push({ at, status: 'REFUNDED' });
      else if (status === 'PENDING') payment.history.push({ at, status: 'VOIDED' });
    }
  }

  #record(
    order: OrderState,
    sent: { key: string | undefined; method: string; instrument: string; cents: number },
    status: string,
  ): Payment {
    this.#ids += 1;
    const at = this.#time.now();
    const { keysShown, methodShown, amountShownAboveBy, clockAheadMs } = this.behaviour;
    const payment: Payment = {
      ...sent,
      id: uuid(this.#ids),
      createdAt: at,
      history: [{ at, status }],
      failure: status === 'FAILED' ? 'card_declined' : null,
      shown: { keysShown, methodShown, amountShownAboveBy, clockAheadMs },
    };
    order.payments.push(payment);
    return payment;
  }

  #balance(order: OrderState): number {
    const now = this.#time.now();
    return order.total - sum(order.payments.filter((payment) => !isFailed(statusAt(payment, now) ?? '')));
  }

  #fresh(order: OrderState): Record<string, unknown> {
    const { behaviour } = this;
    this.behaviour = { ...behaviour, readLagMs: 0, listLagMs: 0, sumsLagMs: 0 };
    const view = this.view(order.id);
    this.behaviour = behaviour;
    return view;
  }

  #shownPayment(order: OrderState, payment: Payment, at: number): Record<string, unknown> {
    const { keysShown, methodShown, amountShownAboveBy, clockAheadMs } = payment.shown;
    const createdAt = new Date(payment.createdAt + clockAheadMs).toISOString();
    return {
      id: payment.id,
      order_id: order.id,
      payment_method: methodShown ?? payment.method,
      amount: { amount: payment.cents + amountShownAboveBy, currency: 'USD' },
      status: statusAt(payment, at) ?? 'PENDING',
      failure_reason: payment.failure,
      ...(keysShown && payment.key !== undefined ? { idempotency_key: payment.key } : {}),
      created_at: createdAt,
      updated_at: createdAt,
    };
  }

  #shownRefund(order: OrderState, { id, cents, at, status }: Omit<RefundOf, 'key'>): Record<string, unknown> {
    return {
      id,
      order_id: order.id,
      amount: { amount: cents, currency: 'USD' },
      status,
      created_at: new Date(at + this.behaviour.clockAheadMs).toISOString(),
    };
  }

  #answer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
    const date = new Date(this.#time.now() + this.behaviour.clockAheadMs).toUTCString();
    return {
      status,
      headers: { 'content-type': 'application/json', ...(this.behaviour.dateHeader ? { date } : {}), ...headers },
      body: JSON.stringify(body),
    };
  }
}

/** What a gateway in front of the service answers when it gives up: no envelope. */
function page(status: number): Answer {
  return {
    status,
    headers: { 'content-type': 'text/html' },
    body: `<html><body>${status} from a gateway</body></html>`,
  };
}

function envelope(code: string, message: string, field: string | null = null): unknown {
  return { error: { code, message, detail: null, request_id: '99999999-9999-4999-8999-999999999999', field } };
}

export function instrumentOf(body: object): string {
  const { payment_token, gift_card_number, loyalty_account_id } = body as Record<string, string | undefined>;
  return payment_token ?? gift_card_number ?? loyalty_account_id ?? 'cash';
}

function statusAt({ history }: Payment, at: number): string | undefined {
  return history.findLast((one) => one.at <= at)?.status;
}

function isFailed(status: string): boolean {
  return status === 'FAILED' || status === 'VOIDED';
}

function sum(all: readonly { readonly cents: number }[]): number {
  return all.reduce((total, { cents }) => total + cents, 0);
}

function uuid(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}
