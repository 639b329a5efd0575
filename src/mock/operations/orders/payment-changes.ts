import type { Payment } from '../../../contract/index.js';
import { mayFollow, PAYMENT_TRANSITIONS } from '../../rules/transitions.js';
import { INSTRUMENTS } from '../../samples/instruments.js';
import type { OrderRecord, PaymentState, ServiceState } from '../../state/state.js';
import { timestampNow } from '../../time/timestamp.js';
import { instrumentBalances } from './instrument-balances.js';
import { recordMovement } from './ledger.js';
import { changeOrder } from './order-changes.js';

type Settlement = NonNullable<PaymentState['settlement']>;

export interface Verdict {
  /** Reason of the decline; `undefined` when the payment is accepted. */
  readonly declines?: string;
  /** How it settles; `undefined` completes it at once. */
  readonly settlement?: Settlement;
}

/** A payment as it was asked for. */
export interface AskedPayment {
  readonly method: string;
  readonly cents: number;
  readonly instrument: string | undefined;
  readonly idempotencyKey: string | null;
}

/** What becomes of a payment: what a test asked for first, then what its instrument stands for. Uses up a decline. */
export function verdictOn(state: ServiceState, asked: AskedPayment): Verdict {
  const { declines, settlement } = state.payments;
  const index = declines.findIndex(({ method }) => method === asked.method || method === '*');
  if (index !== -1) return { declines: declines.splice(index, 1)[0]!.reason };

  const behaviour = asked.instrument === undefined ? undefined : INSTRUMENTS[asked.instrument];
  if (behaviour?.declines) return { declines: behaviour.declines };
  if (isBeyondBalance(state, asked)) return { declines: 'insufficient_funds' };
  if (behaviour?.settlesAfterMs === undefined) return settlement ? { settlement } : {};
  return { settlement: { afterMs: behaviour.settlesAfterMs, outcome: behaviour.outcome ?? 'COMPLETED' } };
}

/** Whether the gift card or loyalty account has less left than the payment takes. */
export function isBeyondBalance(state: ServiceState, { instrument, cents }: AskedPayment): boolean {
  const left = instrument === undefined ? undefined : instrumentBalances(state).left(instrument);
  return left !== undefined && cents > left;
}

/** Leaves a FAILED record; no money moves (gap PAY-7). */
export function declinePayment(state: ServiceState, record: OrderRecord, asked: AskedPayment, reason: string): void {
  const payment = failedPayment(state, record, asked, reason);
  changeOrder(state, record, (order) => order.payments.push(payment));
}

/** Takes the money, now or as `settlement` says, and leaves the record. */
export function acceptPayment(
  state: ServiceState,
  record: OrderRecord,
  asked: AskedPayment,
  settlement: Settlement | undefined,
): Payment {
  const { failedPayments } = state.behaviour.current.records;
  const failed = Array.from({ length: failedPayments }, () =>
    failedPayment(state, record, asked, 'processor_unavailable'),
  );
  const payment = newPayment(state, record, asked);
  const accepted = { payment, idempotencyKey: asked.idempotencyKey };
  instrumentBalances(state).take(payment, asked.instrument);
  changeOrder(state, record, (order) => {
    order.payments.push(...failed, payment);
    if (!settlement) complete(state, accepted);
  });
  if (settlement) {
    record.underWay.set(payment.id, { sinceMs: state.clock.now(), ...settlement });
    schedule(state, record, accepted);
  }
  return payment;
}

/** Goes on with the payments that were under way when the service was kept. */
export function resumePayments(state: ServiceState, record: OrderRecord): void {
  for (const payment of record.order.payments) {
    if (!record.underWay.has(payment.id)) continue;
    schedule(state, record, { payment, idempotencyKey: record.keys.get(payment.id) ?? null });
  }
}

function newPayment(
  state: ServiceState,
  record: OrderRecord,
  { method, cents, idempotencyKey }: AskedPayment,
): Payment {
  const { id: orderId, total } = record.order;
  const now = timestampNow(state.clock);
  const id = state.nextId();
  if (idempotencyKey !== null) record.keys.set(id, idempotencyKey);
  return {
    id,
    order_id: orderId,
    payment_method: method,
    amount: { amount: cents, currency: total.currency },
    status: 'PENDING',
    amount_refunded: { amount: 0, currency: total.currency },
    failure_reason: null,
    created_at: now,
    updated_at: now,
  };
}

function failedPayment(state: ServiceState, record: OrderRecord, asked: AskedPayment, reason: string): Payment {
  return { ...newPayment(state, record, asked), status: 'FAILED', failure_reason: reason };
}

interface AcceptedPayment {
  readonly payment: Payment;
  readonly idempotencyKey: string | null;
}

function complete(state: ServiceState, { payment, idempotencyKey }: AcceptedPayment): void {
  payment.status = 'COMPLETED';
  charge(state, payment, idempotencyKey);
}

function charge(state: ServiceState, payment: Payment, idempotencyKey: string | null): void {
  const cents = payment.amount.amount;
  recordMovement(state, { kind: 'charge', orderId: payment.order_id!, payment, cents, idempotencyKey });
}

/** PENDING → AUTHORIZED → CAPTURED → COMPLETED in three steps of the same length, or FAILED in place of CAPTURED. */
function schedule(state: ServiceState, record: OrderRecord, accepted: AcceptedPayment): void {
  const { sinceMs, afterMs, outcome } = record.underWay.get(accepted.payment.id)!;
  const passedMs = state.clock.now() - sinceMs;
  const at = (delayMs: number, status: Payment['status']): void => {
    state.clock.setTimer(() => moveOn(state, record, accepted, status), Math.max(0, delayMs - passedMs));
  };
  at(Math.floor(afterMs / 3), 'AUTHORIZED');
  if (outcome === 'COMPLETED') at(Math.floor((afterMs * 2) / 3), 'CAPTURED');
  at(afterMs, outcome);
}

function moveOn(state: ServiceState, record: OrderRecord, accepted: AcceptedPayment, status: Payment['status']): void {
  const { payment, idempotencyKey } = accepted;
  // A cancel may have voided it in the meantime.
  if (!mayFollow(PAYMENT_TRANSITIONS, payment.status, status)) return;
  if (status === 'CAPTURED') charge(state, payment, idempotencyKey);
  if (status === 'FAILED') instrumentBalances(state).giveBack(payment, payment.amount.amount);
  if (status === 'FAILED' || status === 'COMPLETED') record.underWay.delete(payment.id);
  changeOrder(state, record, () => {
    payment.status = status;
    if (status === 'FAILED') payment.failure_reason = 'card_declined';
    payment.updated_at = timestampNow(state.clock);
  });
}
