import type { Payment } from '../../contract/index.js';
import { INSTRUMENTS } from '../samples/instruments.js';
import type { OrderRecord, PaymentState, ServiceState } from '../state/state.js';
import { mayFollow, PAYMENT_TRANSITIONS } from '../state/transitions.js';
import { timestampNow } from '../time/timestamp.js';
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

/** What becomes of a payment: what a test asked for first, then what its instrument stands for. Uses up a decline. */
export function verdictOn(state: ServiceState, payment: Payment, instrument: string | undefined): Verdict {
  const { declines, settlement } = state.payments;
  const index = declines.findIndex(({ method }) => method === payment.payment_method || method === '*');
  if (index !== -1) return { declines: declines.splice(index, 1)[0]!.reason };

  const behaviour = instrument === undefined ? undefined : INSTRUMENTS[instrument];
  if (behaviour?.declines) return { declines: behaviour.declines };
  const left = instrument === undefined ? undefined : instrumentBalances(state).left(instrument);
  if (left !== undefined && payment.amount.amount > left) return { declines: 'insufficient_funds' };
  if (behaviour?.settlesAfterMs === undefined) return settlement ? { settlement } : {};
  return { settlement: { afterMs: behaviour.settlesAfterMs, outcome: behaviour.outcome ?? 'COMPLETED' } };
}

/** Leaves a FAILED record; no money moves (gap PAY-7). */
export function declinePayment(state: ServiceState, record: OrderRecord, payment: Payment, reason: string): void {
  payment.status = 'FAILED';
  payment.failure_reason = reason;
  changeOrder(state, record, (order) => order.payments.push(payment));
}

export interface AcceptedPayment {
  readonly payment: Payment;
  readonly instrument: string | undefined;
  readonly idempotencyKey: string | null;
  readonly settlement?: Settlement;
}

export function acceptPayment(state: ServiceState, record: OrderRecord, accepted: AcceptedPayment): void {
  const { payment, settlement } = accepted;
  instrumentBalances(state).take(payment, accepted.instrument);
  changeOrder(state, record, (order) => {
    order.payments.push(payment);
    if (!settlement) complete(state, accepted);
  });
  if (settlement) schedule(state, record, accepted, settlement);
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
function schedule(
  state: ServiceState,
  record: OrderRecord,
  accepted: AcceptedPayment,
  { afterMs, outcome }: Settlement,
): void {
  const { payment } = accepted;
  record.settlesAt.set(payment.id, state.clock.now() + afterMs);
  const at = (delayMs: number, status: Payment['status']): void => {
    state.clock.setTimer(() => moveOn(state, record, accepted, status), delayMs);
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
  if (status === 'FAILED') {
    payment.failure_reason = 'card_declined';
    instrumentBalances(state).giveBack(payment, payment.amount.amount);
  }
  if (status === 'FAILED' || status === 'COMPLETED') record.settlesAt.delete(payment.id);
  changeOrder(state, record, () => {
    payment.status = status;
    payment.updated_at = timestampNow(state.clock);
  });
}
