import type { Order } from '../../contract/index.js';

/** Cents of an amount that may come as `Money` or as whole cents (gap PAY-10); `undefined` when it is neither. */
export function centsOf(amount: unknown): number | undefined {
  const cents = typeof amount === 'object' && amount !== null && 'amount' in amount ? amount.amount : amount;
  return typeof cents === 'number' && Number.isSafeInteger(cents) ? cents : undefined;
}

/** The amounts of an order that decide what may still be charged, in cents. */
export interface OrderAmounts {
  readonly currency: string;
  readonly totalCents: number;
  readonly paidCents: number;
  /** As the service says it; payments under way are taken off already. */
  readonly balanceCents: number;
  readonly refundedCents: number;
}

/** Reads the amounts of an order, or gives `undefined` when the total, or what is paid of it, cannot be told. */
export function amountsOf(order: Order): OrderAmounts | undefined {
  const totalCents = centsOf(order.total);
  const said = { paid: centsOf(order.amount_paid), balance: centsOf(order.balance_due) };
  if (totalCents === undefined) return undefined;
  const paidCents = said.paid ?? (said.balance === undefined ? undefined : totalCents - said.balance);
  if (paidCents === undefined) return undefined;
  return {
    currency: order.total.currency ?? 'USD',
    totalCents,
    paidCents,
    balanceCents: said.balance ?? totalCents - paidCents,
    refundedCents: centsOf(order.amount_refunded) ?? 0,
  };
}
