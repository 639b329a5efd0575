import type { TenderType } from '../../contract/index.js';
import { demand, objectOf, oneOf, optional, text } from '../checks/check.js';
import { TENDERS } from '../rules/tenders.js';
import type { ServiceState } from '../state/state.js';
import { type Duration, milliseconds } from '../time/duration.js';

/** What becomes of payments. */
export interface PaymentControl {
  /** Declines the next payment by a method, or by any (`'*'`), with 422; called twice, the next two. */
  declineNext(method: TenderType | '*', options?: { readonly reason?: string | undefined }): void;
  /**
   * From now on payments take time: PENDING, AUTHORIZED and CAPTURED, each a third of `duration` on the service's
   * clock, then `outcome`. `settleAfter(0)` lets them complete at once again.
   */
  settleAfter(duration: Duration, options?: { readonly outcome?: 'COMPLETED' | 'FAILED' | undefined }): void;
}

const METHOD = oneOf<TenderType | '*'>(...TENDERS, '*');

const DECLINE = objectOf<{ readonly reason?: string | undefined }>({ reason: optional(text) }, { called: 'option' });

const SETTLEMENT = objectOf<{ readonly outcome?: 'COMPLETED' | 'FAILED' | undefined }>(
  { outcome: optional(oneOf('COMPLETED', 'FAILED')) },
  { called: 'option' },
);

export function createPaymentControl(state: () => ServiceState): PaymentControl {
  return {
    declineNext(method, options = {}) {
      demand('declineNext', method, METHOD);
      const { reason = 'card_declined' } = demand('declineNext', options, DECLINE);
      state().payments.declines.push({ method, reason });
    },
    settleAfter(duration, options = {}) {
      const { outcome = 'COMPLETED' } = demand('settleAfter', options, SETTLEMENT);
      const afterMs = milliseconds(duration);
      state().payments.settlement = afterMs === 0 && outcome === 'COMPLETED' ? undefined : { afterMs, outcome };
    },
  };
}
