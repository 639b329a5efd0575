import type { DiscountLineItem, PriceCalculation, PriceLineItem } from '../../contract/index.js';

export type ChangeReasonName =
  | 'PROMO_EXPIRED'
  | 'DISCOUNT_CHANGED'
  | 'FEE_CHANGED'
  | 'ITEM_PRICE_CHANGED'
  | 'ITEM_UNAVAILABLE';

export interface PriceChange {
  /** The prices that the partner saw last. */
  readonly before: PriceCalculation;
  readonly now: PriceCalculation;
  /** Whether the code on the cart has run out. */
  readonly promoExpired: boolean;
  /** Whether a line of the cart cannot be bought any more. */
  readonly itemUnavailable: boolean;
}

/** Why a total is no longer the expected one (cart rule 6), found by comparing two calculations part by part. */
export function changeReasons({ before, now, promoExpired, itemUnavailable }: PriceChange): ChangeReasonName[] {
  const common = commonLines(before, now);
  const promoLost = promoExpired && hasPromo(before) && !hasPromo(now);
  const cartDiscountChanged = !promoLost && discountsText(before.discounts) !== discountsText(now.discounts);
  const itemDiscountChanged = common.some(([old, current]) => {
    return discountsText(old.discounts) !== discountsText(current.discounts);
  });
  const itemPriceChanged = common.some(([old, current]) => unitPrice(old) !== unitPrice(current));

  const reasons: [ChangeReasonName, boolean][] = [
    ['PROMO_EXPIRED', promoLost],
    ['DISCOUNT_CHANGED', cartDiscountChanged || itemDiscountChanged],
    ['FEE_CHANGED', feesText(before) !== feesText(now)],
    ['ITEM_PRICE_CHANGED', itemPriceChanged],
    ['ITEM_UNAVAILABLE', itemUnavailable],
  ];
  return reasons.filter(([, holds]) => holds).map(([reason]) => reason);
}

function commonLines(before: PriceCalculation, now: PriceCalculation): [PriceLineItem, PriceLineItem][] {
  const current = new Map(now.line_items.map((line) => [line.cart_item_id, line]));
  return before.line_items.flatMap((old): [PriceLineItem, PriceLineItem][] => {
    const line = current.get(old.cart_item_id);
    return line ? [[old, line]] : [];
  });
}

const hasPromo = (calculation: PriceCalculation): boolean =>
  calculation.discounts.some((discount) => discount.source === 'PROMO_CODE');

const unitPrice = (line: PriceLineItem): number => line.base_price.amount + line.modifier_total.amount;

const discountsText = (discounts: readonly DiscountLineItem[] = []): string =>
  JSON.stringify(discounts.map(({ type, value, amount, source }) => [source, type, value, amount.amount]));

const feesText = (calculation: PriceCalculation): string =>
  JSON.stringify(calculation.fees.map((fee) => [fee.type, fee.amount.amount]));
