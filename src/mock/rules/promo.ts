import type { DiscountPreview } from '../../contract/index.js';
import type { Refusal } from '../refusals/refusal.js';
import { unprocessable } from '../refusals/refusal.js';
import type { PromoDefinition } from '../state/state.js';
import { decimal, sum, usd } from './amounts.js';
import { isEligible, promoDiscount, type SubtotalLine } from './discounts.js';

export type PromoRejection =
  | 'INVALID_CODE'
  | 'EXPIRED'
  | 'ALREADY_USED'
  | 'MINIMUM_NOT_MET'
  | 'NOT_APPLICABLE'
  | 'ALREADY_APPLIED';

export interface PromoCheck {
  /** `undefined` when the service knows no such code. */
  readonly promo: PromoDefinition | undefined;
  /** Priced lines of the cart, after item-level discounts. */
  readonly lines: readonly SubtotalLine[];
  /** Codes that count on the cart now. */
  readonly appliedCodes: readonly string[];
  /** A single-use code that an order of this partner has taken. */
  readonly isUsed: boolean;
  readonly nowMs: number;
}

/** Codes are compared, stored and returned in upper case. */
export function normalizeCode(code: string): string {
  return code.trim().toUpperCase();
}

/**
 * Why a code cannot be applied now; null when it can. What is wrong with the code itself comes before what is wrong
 * with the cart.
 */
export function promoRejection({ promo, lines, appliedCodes, isUsed, nowMs }: PromoCheck): PromoRejection | null {
  if (!promo) return 'INVALID_CODE';
  if (appliedCodes.includes(promo.code)) return 'ALREADY_APPLIED';
  if (isExpired(promo, nowMs)) return 'EXPIRED';
  if (isUsed) return 'ALREADY_USED';
  // Only one code may be active, so that another one stands in the way as well.
  if (appliedCodes.length > 0) return 'ALREADY_APPLIED';
  if (!meetsMinimum(promo, lines)) return 'MINIMUM_NOT_MET';
  if (!lines.some((line) => isEligible(line, promo))) return 'NOT_APPLICABLE';
  return null;
}

/** The code has expired from its instant on. */
export function isExpired(promo: PromoDefinition, nowMs: number): boolean {
  return promo.expiresAt !== undefined && nowMs >= Date.parse(promo.expiresAt);
}

export function meetsMinimum(promo: PromoDefinition, lines: readonly SubtotalLine[]): boolean {
  return sum(lines.map((line) => line.subtotal)) >= (promo.minimumSubtotal ?? 0);
}

/** What the code takes off the cart as it is; an estimate until the calculation (gap PROMO-4). */
export function previewOf(promo: PromoDefinition, lines: readonly SubtotalLine[]): Required<DiscountPreview> {
  const isForAll = promo.menuItemIds === undefined && lines.every((line) => isEligible(line, promo));
  return {
    estimated_discount: usd(promoDiscount(lines, promo).total),
    description: describe(promo),
    applicable_items: isForAll ? [] : lines.filter((line) => isEligible(line, promo)).map((line) => line.cartItemId),
  };
}

/** The rejection in words for people. */
export function rejectionMessage(reason: PromoRejection, promo: PromoDefinition | undefined): string {
  switch (reason) {
    case 'INVALID_CODE':
      return 'This promo code is not recognized.';
    case 'EXPIRED':
      return `This promo code expired on ${promo?.expiresAt?.slice(0, 10)}.`;
    case 'ALREADY_USED':
      return 'This promo code has already been used.';
    case 'MINIMUM_NOT_MET':
      return `This promo code needs a subtotal of at least ${dollars(promo?.minimumSubtotal ?? 0)}.`;
    case 'NOT_APPLICABLE':
      return 'This promo code applies to no item in the cart.';
    case 'ALREADY_APPLIED':
      return 'A promo code has already been applied to the cart.';
  }
}

const REFUSAL_MESSAGES: Readonly<Record<Exclude<PromoRejection, 'ALREADY_APPLIED'>, string>> = {
  INVALID_CODE: 'Promo code not recognized', // gap ERR-5
  EXPIRED: 'Promo code expired',
  ALREADY_USED: 'Promo code already used',
  MINIMUM_NOT_MET: 'Promo code minimum not met',
  NOT_APPLICABLE: 'Promo code not applicable',
};

/** The 422 of a code that was to be applied. A second code is no business of this table: it is a conflict (409). */
export function promoRefusal(
  reason: Exclude<PromoRejection, 'ALREADY_APPLIED'>,
  promo: PromoDefinition | undefined,
): Refusal {
  return unprocessable(REFUSAL_MESSAGES[reason], `${reason}: ${rejectionMessage(reason, promo)}`, 'code');
}

function describe(promo: PromoDefinition): string {
  const offer = promo.type === 'PERCENTAGE' ? `${trimmed(promo.value)}%` : dollars(promo.value);
  const scope = promo.menuItemIds ? 'selected items' : 'your order';
  const cap = promo.maximumDiscount === undefined ? '' : ` (up to ${dollars(promo.maximumDiscount)})`;
  return `${offer} off ${scope}${cap}`;
}

const dollars = (cents: number): string => `$${trimmed(cents)}`;

/** `10` rather than `10.00`, but `2.50`. */
const trimmed = (hundredths: number): string => decimal(hundredths).replace(/\.00$/, '');
