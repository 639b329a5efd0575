import { PaymentStateError, type PaymentStateReason } from '../../../errors/payment.js';
import type { PaymentEntry } from '../journal/record.js';

/** Why a settlement goes no further: the facts of a `PaymentStateError`, and how to go on. */
export interface Refusal {
  readonly orderId: string;
  readonly reason: PaymentStateReason;
  readonly message: string;
}

export function refusalError({ orderId, reason, message }: Refusal): PaymentStateError {
  return new PaymentStateError(message, { orderId, reason });
}

/** Ends a run whose entry cannot be decided now; it never leaves this folder. */
export class LeftUnknown extends Error {
  readonly key: string;
  readonly why: string;

  constructor(key: string, why: string) {
    super(why);
    this.key = key;
    this.why = why;
  }
}

/** One place for every way in which order, journal and tenders do not fit together. */
export const refusals = {
  amountsUnreadable: (orderId: string): Refusal => ({
    orderId,
    reason: 'amounts_unreadable',
    message: `Order ${orderId} shows no amounts that can be read (total, amount_paid, balance_due), so that nothing can be charged safely.`,
  }),

  anotherOrder: (orderId: string): Refusal => ({
    orderId,
    reason: 'journal_of_another_order',
    message:
      `The payment journal holds a record of an order ${orderId} that was created at another time: another order had the same id ` +
      '(a test service that was started anew, for example). Nothing was sent. Give a journal of its own, or move that record away.',
  }),

  currencyDiffers: (orderId: string, given: string, currency: string): Refusal => ({
    orderId,
    reason: 'currency_differs',
    message: `A tender is given in ${given}, and order ${orderId} is in ${currency}. Nothing was sent. Give its amount in ${currency}.`,
  }),

  amountExceedsBalance: (orderId: string, sumCents: number, balanceCents: number): Refusal => ({
    orderId,
    reason: 'amount_exceeds_balance',
    message:
      `The tenders still to be sent for order ${orderId} come to ${sumCents} cents, and its balance is ${balanceCents} cents. ` +
      "None of them was sent. Lower an amount, or let one tender pay 'remaining'.",
  }),

  cashForDelivery: (orderId: string): Refusal => ({
    orderId,
    reason: 'cash_for_delivery',
    message: `Order ${orderId} is a delivery, and a delivery cannot be paid in cash. Nothing was sent. Use another tender.`,
  }),

  orderClosed: (orderId: string, status: string): Refusal => ({
    orderId,
    reason: status === 'CANCELLED' ? 'order_cancelled' : 'order_closed',
    message: `Order ${orderId} has the status ${status}, and takes no payment. Nothing was sent. Check out a cart again.`,
  }),

  amountPaidDiffers: (orderId: string, chargedCents: number): Refusal => ({
    orderId,
    reason: 'amount_paid_differs',
    message:
      `Payments of order ${orderId} succeeded over ${chargedCents} cents in all, ` +
      'and the order shows less as paid. Nothing more was sent. Compare the payments of the order with the journal ' +
      '(settlement.tenders holds the keys), and ask the service before anything else is charged.',
  }),

  raisedAmount: (orderId: string, charged: PaymentEntry): Refusal => ({
    orderId,
    reason: 'tender_differs',
    message:
      `A ${charged.method} of order ${orderId} was charged ${charged.chargedCents} cents already, and is listed with another amount. ` +
      'The list says how the order is to be paid in all: list that payment with its amount, and what is to be charged ' +
      'besides as a further tender. Nothing was sent.',
  }),

  tenderDiffers: (orderId: string, entry: PaymentEntry): Refusal => ({
    orderId,
    reason: 'tender_differs',
    message:
      `A payment of order ${orderId} (${entry.method}, ${entry.cents} cents, key ${entry.key}) was sent, and its ` +
      'outcome is not known; none of the tenders given is that one, with the same instrument and amount. Nothing was sent. ' +
      'Pass that tender again, and settle goes on with its key; or call client.orders.resume(orderId, { journal }) ' +
      'without tenders until the payment is decided, and pay what is left with another tender then. ' +
      `${waysOut(entry.key)}`,
  }),

  bodyDiffers: (orderId: string, entry: PaymentEntry): Refusal => ({
    orderId,
    reason: 'body_differs',
    message:
      `The payment request of order ${orderId} with the key ${entry.key} is no longer the one that was sent: ` +
      'payments.toRequest gives another body for the same tender. Nothing was sent. Restore it, or call ' +
      'client.orders.resume(orderId, { journal }) without tenders until the payment is decided.',
  }),

  tooManyReplacements: (orderId: string, most: number): Refusal => ({
    orderId,
    reason: 'too_many_replacements',
    message:
      `onDeclined has replaced ${most} tenders of order ${orderId}, and every one was declined. Nothing more was sent. ` +
      "Answer 'stop', and call settle with other tenders.",
  }),

  tooSlow: (orderId: string): Refusal => ({
    orderId,
    reason: 'journal_unavailable',
    message:
      `The journal of order ${orderId} is so slow that no payment could leave within its lease. Nothing was sent. ` +
      'Look at its store or disk, and call again.',
  }),

  notUndecided: (orderId: string, key: string): Refusal => ({
    orderId,
    reason: 'not_undecided',
    message:
      `The journal of order ${orderId} has no undecided payment with the key ${key}. Nothing was changed. ` +
      'client.orders.resume(orderId, { journal }) lists keys and states.',
  }),

  stillDecidable: (orderId: string, key: string, inMs: number): Refusal => ({
    orderId,
    reason: 'still_decidable',
    message:
      `The payment with the key ${key} of order ${orderId} may still be executed, or come into sight, for another ` +
      `${Math.ceil(inMs / 1000)} s. Call again after that, or call settle with the tenders that were sent. Nothing was changed.`,
  }),

  shownUnderWay: (orderId: string, key: string): Refusal => ({
    orderId,
    reason: 'still_decidable',
    message:
      `The order ${orderId} shows the payment with the key ${key}, and it is under way: call settle or resume until it ends. ` +
      'Nothing was changed.',
  }),

  claimedTwice: (orderId: string, paymentId: string): Refusal => ({
    orderId,
    reason: 'not_undecided',
    message: `The payment ${paymentId} of order ${orderId} belongs to another tender of the journal. Nothing was changed.`,
  }),
} as const;

/** The calls that decide a payment that decides itself no longer (docs/payments.md, "A crash"). */
export function waysOut(key: string): string {
  return (
    'When you know from the service what became of it, tell the journal: client.orders.resume(orderId, { journal, ' +
    `notCharged: ['${key}'] }) or { charged: { '${key}': paymentId } }.`
  );
}
