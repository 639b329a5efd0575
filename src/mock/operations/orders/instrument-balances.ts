import type { Payment } from '../../../contract/index.js';
import { INSTRUMENTS } from '../../samples/instruments.js';
import type { ServiceState } from '../../state/state.js';

/** Gift cards and loyalty accounts with a balance: payments take from it, voids and refunds give back. */
export function instrumentBalances(state: ServiceState) {
  const { giftCardBalances, instrumentOf } = state.payments;
  const left = (instrument: string): number | undefined =>
    giftCardBalances.get(instrument) ?? INSTRUMENTS[instrument]?.balance;
  const change = (paymentId: string, cents: number): void => {
    const instrument = instrumentOf.get(paymentId);
    const balance = instrument === undefined ? undefined : left(instrument);
    if (balance !== undefined) giftCardBalances.set(instrument!, balance + cents);
  };
  return {
    /** Cents left; `undefined` when the instrument has no limit. */
    left,
    take(payment: Payment, instrument: string | undefined): void {
      if (instrument === undefined) return;
      instrumentOf.set(payment.id, instrument);
      change(payment.id, -payment.amount.amount);
    },
    giveBack: (payment: Payment, cents: number): void => change(payment.id, cents),
  };
}
