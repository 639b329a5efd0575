import type { AppliedPromoCode } from '../../../contract/index.js';
import type { SubtotalLine } from '../../rules/discounts.js';
import { isExpired, meetsMinimum, previewOf } from '../../rules/promo.js';
import type { CartRecord, PromoDefinition, ServiceState } from '../../state/state.js';

/** Whether a single-use code was taken by an order of this partner. */
export function isUsed(state: ServiceState, partnerId: string, promo: PromoDefinition): boolean {
  if (!promo.singleUse) return false;
  // An order that this service never saw (sample data) stands for one of every partner.
  return [...promo.usedByOrders].some((orderId) => (state.orders.get(orderId)?.partnerId ?? partnerId) === partnerId);
}

/** What has become of a code since it was applied. */
export function promoStatus(state: ServiceState, partnerId: string, code: string): 'ACTIVE' | 'EXPIRED' | 'REDEEMED' {
  const promo = state.promoCodes.get(code);
  if (!promo || isExpired(promo, state.clock.now())) return 'EXPIRED';
  return isUsed(state, partnerId, promo) ? 'REDEEMED' : 'ACTIVE';
}

/** The code that counts on the cart now; null when there is none, or it has run out, or its minimum is not met. */
export function effectivePromo(
  state: ServiceState,
  record: CartRecord,
  lines: readonly SubtotalLine[],
): PromoDefinition | null {
  const promo = state.promoCodes.get(record.cart.promo_codes[0]?.code ?? '');
  if (!promo || promoStatus(state, record.partnerId, promo.code) !== 'ACTIVE') return null;
  return meetsMinimum(promo, lines) ? promo : null;
}

/** The codes of the cart as they stand now (gap PROMO-2). Those of an order stay as checkout left them. */
export function appliedPromos(
  state: ServiceState,
  record: CartRecord,
  lines: readonly SubtotalLine[],
): AppliedPromoCode[] {
  if (record.cart.status !== 'ACTIVE') return record.cart.promo_codes;
  const effective = effectivePromo(state, record, lines);
  return record.cart.promo_codes.map(({ code, applied_at }) => {
    const status = promoStatus(state, record.partnerId, code);
    const promo = state.promoCodes.get(code);
    if (status !== 'ACTIVE' || !promo) return { code, status, applied_at };
    const { estimated_discount, description } = previewOf(promo, effective ? lines : []);
    return { code, status, discount_preview: { estimated_discount, description }, applied_at };
  });
}

/** Codes that count as applied: one that has run out makes room for another. */
export function activeCodes(state: ServiceState, record: CartRecord): string[] {
  const codes = record.cart.promo_codes.map(({ code }) => code);
  return codes.filter((code) => promoStatus(state, record.partnerId, code) === 'ACTIVE');
}
