import type { Fee, HandoffModeName } from '../../contract/index.js';
import type { LocationPricing } from '../state/state.js';
import { shareOf, usd } from './amounts.js';

/** Modes in which staff bring the order to the customer: they carry the service fee (gap FEE-4). */
const SERVED_MODES: readonly string[] = ['CURBSIDE', 'DELIVERY'];

export interface FeeBasis {
  readonly mode: HandoffModeName | null;
  /** Cents. */
  readonly subtotal: number;
  readonly pricing: LocationPricing;
}

/** Delivery, service and bag fees of a cart that has items. Without a handoff mode there are none (gap FEE-4). */
export function handoffFees({ mode, subtotal, pricing }: FeeBasis): Fee[] {
  if (mode === null) return [];
  const fees: Fee[] = [];
  if (mode === 'DELIVERY') fees.push({ type: 'DELIVERY', name: 'Delivery', amount: usd(pricing.deliveryFee) });
  if (SERVED_MODES.includes(mode)) {
    fees.push({ type: 'SERVICE', name: 'Service', amount: usd(shareOf(subtotal, pricing.serviceFeeBasisPoints)) });
  }
  if (mode !== 'KIOSK') fees.push({ type: 'BAG', name: 'Bag', amount: usd(pricing.bagFee) });
  return fees.filter((fee) => fee.amount.amount > 0);
}

/** The fee that lifts a total to the minimum of its mode, and never above it (cart rule 4, gap FEE-2). */
export function smallOrderFees(totalCents: number, minimumCents: number | null): Fee[] {
  const shortfall = (minimumCents ?? 0) - totalCents;
  return shortfall > 0 ? [{ type: 'SMALL_ORDER', name: 'Small order', amount: usd(shortfall) }] : [];
}
