// The values that the mock gives a meaning (docs/testing.md). A real service names its own in the environment.

const named = (variable: string, magic: string): string => process.env[variable] ?? magic;

/** One promo code of each kind. */
export const PROMO = {
  /** Takes a share off the whole cart. */
  percentage: named('ONLINE_ORDERING_PROMO_PERCENTAGE', 'SAVE10'),
  /** Takes an amount off the whole cart. */
  fixed: named('ONLINE_ORDERING_PROMO_FIXED', 'TAKE2'),
  expired: named('ONLINE_ORDERING_PROMO_EXPIRED', 'EXPIRED'),
  alreadyUsed: named('ONLINE_ORDERING_PROMO_USED', 'USED'),
  /** Needs a cart that costs far more than one plain item. */
  minimumNotMet: named('ONLINE_ORDERING_PROMO_MINIMUM', 'BIG50'),
  /** Is for items that a cart of one plain item does not hold. */
  notApplicable: named('ONLINE_ORDERING_PROMO_NOT_APPLICABLE', 'COFFEE'),
  unknown: 'NOSUCHCODE',
} as const;

/** A customer with member prices, and one without. */
export const MEMBER = named('ONLINE_ORDERING_MEMBER_ID', 'MEMBER-1');
export const STRANGER = 'NOBODY-KNOWN-1';
