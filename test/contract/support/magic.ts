import { given } from './live.js';

// The values that the mock gives a meaning. Rows that use them need the mock, and are skipped against a real service.

/** One promo code of each kind. */
export const PROMO = {
  /** Takes something off any cart of six plain items: of a real service, the one that was given. */
  get any() {
    return given('promo_code', 'TODAY15').toUpperCase();
  },
  /** 15 % off the whole cart; runs out 24 hours after the service was made. */
  percentage: 'TODAY15',
  /** 25 % off the whole cart, and at most $10. */
  capped: 'SUMMER25',
  /** $3 off the whole cart. */
  fixed: 'TAKE3',
  /** Half off some items; not applicable to a cart without them. */
  someItems: 'COFFEE50',
  /** Good for one order of the partner. */
  singleUse: 'WELCOME5',
  expired: 'WINTER10',
  alreadyUsed: 'ONCE10',
  /** Needs a cart that costs far more than one plain item. */
  minimumNotMet: 'BIG20',
  unknown: 'NOSUCHCODE',
} as const;

/** A customer with member prices, and one without. */
export const MEMBER = 'CUST-12345';
export const STRANGER = 'NOBODY-KNOWN-1';
