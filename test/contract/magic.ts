// The values that the mock gives a meaning (docs/testing.md). A real service names its own in the environment.

const named = (variable: string, magic: string): string => process.env[variable] ?? magic;

/** One promo code of each kind. */
export const PROMO = {
  /** Takes a share off the whole cart. */
  percentage: named('ONLINE_ORDERING_PROMO_PERCENTAGE', 'TODAY15'),
  /** Takes a share off the whole cart, and at most a fixed amount. */
  capped: named('ONLINE_ORDERING_PROMO_CAPPED', 'SUMMER25'),
  /** Takes an amount off the whole cart. */
  fixed: named('ONLINE_ORDERING_PROMO_FIXED', 'TAKE3'),
  expired: named('ONLINE_ORDERING_PROMO_EXPIRED', 'WINTER10'),
  alreadyUsed: named('ONLINE_ORDERING_PROMO_USED', 'ONCE10'),
  /** Needs a cart that costs far more than one plain item. */
  minimumNotMet: named('ONLINE_ORDERING_PROMO_MINIMUM', 'BIG20'),
  /** Is for items that a cart of one plain item does not hold. */
  notApplicable: named('ONLINE_ORDERING_PROMO_NOT_APPLICABLE', 'COFFEE50'),
  /** Is good for one order of the partner. */
  singleUse: named('ONLINE_ORDERING_PROMO_SINGLE_USE', 'WELCOME5'),
  unknown: 'NOSUCHCODE',
} as const;

/** A customer with member prices, and one without. */
export const MEMBER = named('ONLINE_ORDERING_MEMBER_ID', 'CUST-12345');
export const STRANGER = 'NOBODY-KNOWN-1';
