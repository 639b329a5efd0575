import { randomUUID } from 'node:crypto';
import type { Cart, Order, PriceCalculation, PriceChange, Tender } from 'online-ordering-sdk';

/** What one browser is doing. Kept in memory here; yours belongs into your database. */
export interface Visit {
  readonly pages: Set<(event: string, data: unknown) => void>;
  storeId?: string | undefined;
  cart?: Cart | undefined;
  /** The cart is being made. */
  opening?: Promise<Cart> | undefined;
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

/** The visits of all browsers; beyond so many, the one that was quiet longest and has no open page is forgotten. */
export class Visits {
  readonly #most: number;
  /** The one that was last at work stands last. */
  readonly #visits = new Map<string, Visit>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The visit of this id, or a new one with an id of its own: a browser does not choose it. */
  enter(id: string | undefined): { readonly id: string; readonly visit: Visit } {
    const known = id === undefined ? undefined : this.#visits.get(id);
    const entered = known && id !== undefined ? { id, visit: known } : { id: randomUUID(), visit: newVisit() };
    this.#visits.delete(entered.id);
    this.#visits.set(entered.id, entered.visit);
    if (this.#visits.size > this.#most) this.#forgetOne(entered.id);
    return entered;
  }

  all(): Visit[] {
    return [...this.#visits.values()];
  }

  #forgetOne(entered: string): void {
    const others = [...this.#visits].filter(([id]) => id !== entered);
    const [quiet] = others.find(([, { pages }]) => pages.size === 0) ?? others[0]!;
    this.#visits.delete(quiet);
  }
}

const newVisit = (): Visit => ({ pages: new Set(), tenders: [], refunded: new Set() });
