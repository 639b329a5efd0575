import type { Order } from '../../../contract/index.js';
import { PaymentStateError } from '../../../errors/payment.js';
import { isTransient } from '../../is-transient.js';
import { pollUntil } from '../../orders/polling.js';
import { amountsOf, type OrderAmounts } from '../amounts.js';
import { chargedCents } from '../journal/journal-runs.js';
import type { PaymentEntry } from '../journal/record.js';
import { standingOf } from '../matching.js';
import { chargeableCents, isUpToDate, plannedCents } from './tender-amount.js';
import { readOrder, type Work } from './work.js';

/** An order whose amounts are readable. */
export interface ReadOrder {
  readonly order: Order;
  readonly amounts: OrderAmounts;
}

export async function readAmounts(work: Work): Promise<ReadOrder> {
  const order = await readOrder(work);
  const amounts = amountsOf(order);
  if (amounts) return { order, amounts };
  throw new PaymentStateError(
    `Order ${work.orderId} shows no amounts that can be read (total, amount_paid, balance_due), so that nothing can be charged safely.`,
    { orderId: work.orderId, reason: 'amounts_unreadable' },
  );
}

/**
 * Reads the order until another payment may be sent: it shows all that was charged, and no payment is under way, one
 * that somebody else made included (interface document, "Payment rules" 3).
 *
 * @returns `undefined` when a payment is still under way after `polling.maxWaitMs`.
 */
export async function readyOrder(work: Work): Promise<ReadOrder | undefined> {
  const { context, polling, limit } = work;
  let lags = false;
  const ready = await pollUntil({
    clock: context.clock,
    polling,
    signal: limit.signal,
    read: async () => {
      const read = await readAmounts(work);
      if (isClosed(read.order)) return read;
      lags = !isUpToDate(read.amounts, work.book.record);
      return lags || hasPaymentUnderWay(read.order) ? undefined : read;
    },
  });
  if (!ready && lags) throw amountPaidDiffers(work);
  return ready;
}

/** Reads the order until it shows all that was charged: the last check of a settlement. */
export async function settledOrder(work: Work): Promise<ReadOrder> {
  const { context, polling, limit, order } = work;
  const amounts = order && amountsOf(order);
  // The answer of a cancel is final, and a reading right after it may lag behind.
  if (amounts && order.status === 'CANCELLED') return { order, amounts };

  const read = async (): Promise<ReadOrder | undefined> => {
    try {
      const read = await readAmounts(work);
      return read.order.status === 'CANCELLED' || isUpToDate(read.amounts, work.book.record) ? read : undefined;
    } catch (error) {
      if (isTransient(error)) return undefined;
      throw error;
    }
  };
  const settled = await pollUntil({ clock: context.clock, polling, signal: limit.signal, read });
  if (settled) return settled;
  const last = await readAmounts(work);
  if (isUpToDate(last.amounts, work.book.record)) return last;
  throw amountPaidDiffers(work);
}

/** An order that takes no payment any more. */
export function isClosed({ status }: Order): boolean {
  return status === 'CANCELLED' || status === 'FAILED' || status === 'VOIDED';
}

function hasPaymentUnderWay(order: Order): boolean {
  return (order.payments ?? []).some((payment) => standingOf(payment) === 'under_way');
}

/** Refuses tenders that cannot pay this order, before one of them is sent. */
export function checkAgainstOrder(work: Work, { order, amounts }: ReadOrder, entries: readonly PaymentEntry[]): void {
  const { orderId, book } = work;
  const balanceCents = chargeableCents(amounts, book.record);
  const sumCents = plannedCents(entries);
  if (sumCents > balanceCents) throw amountExceedsBalance(orderId, { sumCents, balanceCents });

  const mode = order.handoff_mode ?? order.handoff?.mode;
  if (mode === 'DELIVERY' && entries.some(({ method }) => method === 'CASH')) {
    throw new PaymentStateError(
      `Order ${orderId} is a delivery, and a delivery cannot be paid in cash. Nothing was sent. Use another tender.`,
      { orderId, reason: 'cash_for_delivery' },
    );
  }
}

export function amountExceedsBalance(
  orderId: string,
  { sumCents, balanceCents }: { sumCents: number; balanceCents: number },
): PaymentStateError {
  return new PaymentStateError(
    `The tenders still to be sent for order ${orderId} come to ${sumCents} cents, and its balance is ${balanceCents} cents. ` +
      "None of them was sent. Lower an amount, or let one tender pay 'remaining'.",
    { orderId, reason: 'amount_exceeds_balance' },
  );
}

function amountPaidDiffers(work: Work): PaymentStateError {
  return new PaymentStateError(
    `Payments of order ${work.orderId} were answered with success over ${chargedCents(work.book.record)} cents in all, ` +
      'and the order shows less as paid. Nothing more was sent. Compare the payments of the order with the journal ' +
      '(settlement.tenders holds the keys), and ask the service before anything else is charged.',
    { orderId: work.orderId, reason: 'amount_paid_differs' },
  );
}
