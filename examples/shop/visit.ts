import type { Cart, Order, PriceCalculation, PriceChange, Tender } from 'online-ordering-sdk';

/** What one browser is doing. Kept in memory here; yours belongs into your database. */
export interface Visit {
  readonly pages: Set<(event: string, data: unknown) => void>;
  storeId?: string | undefined;
  cart?: Cart | undefined;
  /** The price that the page shows. */
  price?: PriceCalculation | undefined;
  /** A price that changed during the checkout, and how the customer's answer gets back to it. */
  question?: { readonly change: PriceChange; readonly answer: (answer: 'accept' | 'stop') => void } | undefined;
  order?: Order | undefined;
  /** How the order is to be paid in all. */
  tenders: Tender[];
  /** Lines of the order whose money went back, or is on its way. */
  readonly refunded: Set<string>;
}

export const newVisit = (): Visit => ({ pages: new Set(), tenders: [], refunded: new Set() });
