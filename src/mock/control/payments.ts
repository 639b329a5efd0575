import type { TenderType } from '../../contract/index.js';
import type { ServiceState } from '../state/state.js';
import { type Duration, milliseconds } from '../time/duration.js';

export interface PaymentControl {
  /** Declines the next payment by a method, or by any (`'*'`), with 422; called twice, the next two. */
  declineNext(method: TenderType | '*', options?: { readonly reason?: string }): void;
  /**
   * From now on payments take time: PENDING, AUTHORIZED and CAPTURED, each a third of `duration` on the service's
   * clock, then `outcome`. `settleAfter(0)` lets them complete at once again.
   */
  settleAfter(duration: Duration, options?: { readonly outcome?: 'COMPLETED' | 'FAILED' }): void;
}

export function createPaymentControl(state: () => ServiceState): PaymentControl {
  return {
    declineNext(method, { reason = 'card_declined' } = {}) {
      state().payments.declines.push({ method, reason });
    },
    settleAfter(duration, { outcome = 'COMPLETED' } = {}) {
      const afterMs = milliseconds(duration);
      state().payments.settlement = afterMs === 0 && outcome === 'COMPLETED' ? undefined : { afterMs, outcome };
    },
  };
}
