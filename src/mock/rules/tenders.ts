import type { MenuItem, PaymentMethod } from '../../contract/index.js';
import { unprocessable } from '../refusals/refusal.js';

/** The tenders of the interface document ("Payment"). */
export const TENDERS = [
  'CREDIT_CARD',
  'DEBIT_CARD',
  'CASH',
  'GIFT_CARD',
  'LOYALTY_POINTS',
  'DIGITAL_WALLET',
  'EBT',
] as const;

export const isTender = (name: string): boolean => TENDERS.some((tender) => tender === name);

type TenderRestriction = Pick<MenuItem, 'tender_restriction_level' | 'allowed_tenders'>;

/**
 * The tenders that every restricted item of a cart accepts (cart rule 7); null when nothing restricts them, and an
 * empty list when no single tender suits all. The service publishes the restriction and does not enforce it yet.
 */
export function acceptedTenders(items: readonly TenderRestriction[]): PaymentMethod[] | null {
  const lists = items.map(allowedOf).filter((list) => list !== null);
  if (lists.length === 0) return null;
  return lists.reduce((accepted, list) => accepted.filter((tender) => list.includes(tender)));
}

/** Refuses items that accept no common tender: per-item tenders are not supported (cart rule 7, planned). */
export function checkCommonTender(items: readonly MenuItem[], field: string): void {
  if (acceptedTenders(items)?.length !== 0) return;
  const names = items.map(({ name }) => `"${name}"`).join(', ');
  throw unprocessable('Invalid tender for item', `No tender is accepted by all of ${names}.`, field);
}

/** Null where an item takes everything: no restriction, no list, or a tender that is not known yet. */
function allowedOf(item: TenderRestriction): PaymentMethod[] | null {
  if (item.tender_restriction_level !== 'RESTRICTED' || item.allowed_tenders === null) return null;
  return item.allowed_tenders.every(isTender) ? item.allowed_tenders : null;
}
