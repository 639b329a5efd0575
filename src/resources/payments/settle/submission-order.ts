import type { TenderType } from '../../../contract/index.js';

/**
 * Loyalty points, gift cards, then cards and wallets (interface document, "Payment rules" 2). Where it is silent: EBT
 * has a fixed balance and is refused more often than a card, so it goes before cards, whose amount can still adapt;
 * cash is taken at the counter, and comes last.
 */
const RANKS: Readonly<Record<TenderType, number>> = {
  LOYALTY_POINTS: 0,
  GIFT_CARD: 1,
  EBT: 2,
  CREDIT_CARD: 3,
  DEBIT_CARD: 3,
  DIGITAL_WALLET: 3,
  CASH: 4,
};

/** Sorts tenders for submission; those of one rank keep the order in which they were given. */
export function inSubmissionOrder<T extends { readonly method: string }>(tenders: readonly T[]): T[] {
  return [...tenders].sort((a, b) => rankOf(a.method) - rankOf(b.method));
}

function rankOf(method: string): number {
  return (RANKS as Readonly<Record<string, number>>)[method] ?? RANKS.CREDIT_CARD;
}

export function isTenderType(method: unknown): method is TenderType {
  return typeof method === 'string' && Object.hasOwn(RANKS, method);
}

export const TENDER_TYPES = Object.keys(RANKS) as readonly TenderType[];
