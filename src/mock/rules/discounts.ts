import type { DiscountLineItem } from '../../contract/index.js';
import { derivedId } from '../seed/derived-id.js';
import type { MemberDefinition, PromoDefinition } from '../state/state.js';
import { decimal, shareOf, spread, sum, usd } from './amounts.js';

/** What discounts need to know of a line. */
export interface DiscountableLine {
  readonly cartItemId: string;
  readonly menuItemId: string;
  readonly nonDiscountable: boolean;
}

/** The member price of a line as an item-level discount of each unit; never more than the unit costs. */
export function memberDiscounts(
  line: DiscountableLine,
  unitCents: number,
  member: MemberDefinition | null,
): DiscountLineItem[] {
  const offered = member?.unitDiscounts[line.menuItemId] ?? 0;
  const cents = line.nonDiscountable ? 0 : Math.min(offered, unitCents);
  if (!member || cents <= 0) return [];
  return [
    {
      id: derivedId('member-price', member.customerId, line.cartItemId),
      name: member.programme,
      type: 'FIXED',
      value: decimal(offered),
      amount: usd(cents),
      source: 'AUTOMATIC',
      application_scope: 'PRE_TAX',
    },
  ];
}

export interface SubtotalLine extends DiscountableLine {
  /** Cents, after item-level discounts. */
  readonly subtotal: number;
}

export interface CartDiscount {
  readonly discounts: DiscountLineItem[];
  /** Cents off the cart. */
  readonly total: number;
  /** The part of each line in `total`, in the order of the lines: what leaves its tax basis (gap DISC-3). */
  readonly shares: readonly number[];
}

/** The discount of the promo code on the cart; none when no line that it applies to costs anything. */
export function promoDiscount(lines: readonly SubtotalLine[], promo: PromoDefinition | null): CartDiscount {
  const weights = lines.map((line) => (promo && isEligible(line, promo) ? line.subtotal : 0));
  const total = promo ? discountCents(promo, sum(weights)) : 0;
  if (!promo || total === 0) return { discounts: [], total: 0, shares: weights.map(() => 0) };

  const discount: DiscountLineItem = {
    id: derivedId('promo-code', promo.code),
    name: promo.name,
    type: promo.type,
    value: decimal(promo.value),
    amount: usd(total),
    source: 'PROMO_CODE',
    application_scope: 'PRE_TAX',
  };
  return { discounts: [discount], total, shares: spread(total, weights) };
}

/** Whether a promo code may take something off a line. */
export function isEligible(line: DiscountableLine, promo: PromoDefinition): boolean {
  return !line.nonDiscountable && (promo.menuItemIds?.includes(line.menuItemId) ?? true);
}

function discountCents(promo: PromoDefinition, eligibleCents: number): number {
  const offered = promo.type === 'PERCENTAGE' ? shareOf(eligibleCents, promo.value) : promo.value;
  return Math.min(offered, promo.maximumDiscount ?? offered, eligibleCents);
}
