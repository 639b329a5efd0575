import type { MemberDefinition, PromoDefinition } from '../state/state.js';
import { menuId } from './build-menu.js';
import type { SampleItem } from './menu-table.js';

/** A promo code of the samples. */
export interface SamplePromoCode {
  /** Name that a cart shows beside the discount. */
  readonly name: string;
  /** Whether `value` is a share of the subtotal or an amount. */
  readonly type: PromoDefinition['type'];
  /** Basis points for PERCENTAGE, cents for FIXED. */
  readonly value: number;
  /** Cents; the discount never exceeds it. */
  readonly maximumDiscount?: number;
  /** Cents of subtotal that it takes. */
  readonly minimumSubtotal?: number;
  /** An ISO 8601 date-time, or hours after the start of the service. */
  readonly expires?: string | number;
  /** Names of the items that it applies to, as in `samples.items`; all when absent. */
  readonly items?: readonly SampleItem[];
  /** True when it serves for one order of a partner. */
  readonly singleUse?: boolean;
  /** True when that order was placed before the service was made. */
  readonly isUsed?: boolean;
  /** What happens with it, for the documentation. */
  readonly effect: string;
}

/** A customer with member prices. */
export interface SampleCustomer {
  /** Name of the loyalty programme: the `name` of its discounts in a cart. */
  readonly programme: string;
  /** Cents off per unit, by name of the item as in `samples.items`. */
  readonly unitDiscounts: Readonly<Partial<Record<SampleItem, number>>>;
  /** What happens with it, for the documentation. */
  readonly effect: string;
}

/** Values with a meaning of their own in the sample data: promo codes and customers. */
export const magic = {
  promoCodes: {
    SUMMER25: {
      name: 'Summer savings',
      type: 'PERCENTAGE',
      value: 2500,
      maximumDiscount: 1000,
      effect: '25 % off the cart, at most $10',
    },
    TAKE3: { name: '$3 off', type: 'FIXED', value: 300, effect: '$3 off the cart' },
    BIG20: {
      name: 'Big basket',
      type: 'PERCENTAGE',
      value: 2000,
      minimumSubtotal: 3000,
      effect: '20 % off from a subtotal of $30; below it MINIMUM_NOT_MET',
    },
    COFFEE50: {
      name: 'Half-price coffee',
      type: 'PERCENTAGE',
      value: 5000,
      items: ['houseCoffee', 'latte', 'cappuccino', 'icedCoffee'],
      effect: '50 % off coffee; without coffee in the cart NOT_APPLICABLE',
    },
    TODAY15: {
      name: 'Today only',
      type: 'PERCENTAGE',
      value: 1500,
      expires: 24,
      effect: '15 % off, and expired 24 hours after the service was made',
    },
    WELCOME5: {
      name: 'Welcome',
      type: 'FIXED',
      value: 500,
      singleUse: true,
      effect: '$5 off the first order of a partner with it, ALREADY_USED afterwards',
    },
    ONCE10: {
      name: 'One time only',
      type: 'PERCENTAGE',
      value: 1000,
      singleUse: true,
      isUsed: true,
      effect: 'ALREADY_USED from the start',
    },
    WINTER10: {
      name: 'Winter warmer',
      type: 'PERCENTAGE',
      value: 1000,
      expires: '2025-03-01T00:00:00.000Z',
      effect: 'EXPIRED',
    },
  } satisfies Record<string, SamplePromoCode>,
  customers: {
    'CUST-12345': {
      programme: 'QuickFuel Rewards',
      unitDiscounts: { turkeySub: 100, latte: 50, houseCoffee: 40, fountainDrink: 30 },
      effect: 'member prices: $1.00 off a turkey sub, $0.50 off a latte, and more',
    },
    'CUST-GOLD': {
      programme: 'QuickFuel Gold',
      unitDiscounts: { turkeySub: 150, italianSub: 150, latte: 100, lagerSixPack: 100 },
      effect: 'higher member prices',
    },
  } satisfies Record<string, SampleCustomer>,
} as const;

const HOUR_MS = 3_600_000;

/** The promo codes as the service keeps them. */
export function samplePromoCodes(seed: number, startMs: number): PromoDefinition[] {
  return Object.entries<SamplePromoCode>(magic.promoCodes).map(([code, row]) => ({
    code,
    name: row.name,
    type: row.type,
    value: row.value,
    ...(row.maximumDiscount !== undefined && { maximumDiscount: row.maximumDiscount }),
    ...(row.minimumSubtotal !== undefined && { minimumSubtotal: row.minimumSubtotal }),
    ...(row.expires !== undefined && { expiresAt: expiryOf(row.expires, startMs) }),
    ...(row.items && { menuItemIds: row.items.map((item) => menuId(seed, item)) }),
    ...(row.singleUse && { singleUse: true }),
    usedByOrders: new Set(row.isUsed ? [menuId(seed, `order with ${code}`)] : []),
  }));
}

/** The customers with member prices as the service keeps them. */
export function sampleMembers(seed: number): MemberDefinition[] {
  return Object.entries<SampleCustomer>(magic.customers).map(([customerId, row]) => ({
    customerId,
    programme: row.programme,
    unitDiscounts: Object.fromEntries(
      Object.entries(row.unitDiscounts).map(([item, cents]) => [menuId(seed, item), cents]),
    ),
  }));
}

function expiryOf(expires: string | number, startMs: number): string {
  return typeof expires === 'string' ? expires : new Date(startMs + expires * HOUR_MS).toISOString();
}
