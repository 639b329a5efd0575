import type { Payment } from '../../contract/index.js';
import { isUnderWay } from './transitions.js';

/** Payment rule 2; cash is paid at the counter, whenever that is. */
const RANKS: Readonly<Record<string, number>> = {
  LOYALTY_POINTS: 1,
  GIFT_CARD: 2,
  EBT: 3,
  DIGITAL_WALLET: 3,
  CREDIT_CARD: 3,
  DEBIT_CARD: 3,
};

/** A payment that was taken although its tender comes after `method`; undefined when the order is kept. */
export function takenTooEarly(method: string, payments: readonly Payment[]): Payment | undefined {
  const rank = RANKS[method];
  if (rank === undefined) return undefined;
  return payments.find(
    ({ payment_method, status }) =>
      (status === 'COMPLETED' || isUnderWay(status)) && (RANKS[payment_method] ?? 0) > rank,
  );
}
