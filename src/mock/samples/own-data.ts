import type { InventoryStatus, Location, MenuCategory } from '../../contract/index.js';
import {
  type Check,
  listOf,
  matching,
  objectOf,
  oneOf,
  optional,
  text,
  trueOrFalse,
  valuesOf,
  wholeNumber,
} from '../checks/check.js';
import { cents, LOCATION_FIELDS, menuContent, uuid } from '../checks/records.js';
import { menuItems } from '../rules/menu-items.js';
import { versionHash } from '../rules/version-hash.js';
import type { LocationPricing, LocationRecord, MemberDefinition, PromoDefinition } from '../state/state.js';
import type { Samples } from './index.js';

/** Own stores and customers in place of the samples: each kind that is given replaces that of the samples. */
export interface OwnData {
  /** Stores with their menus, in place of the three samples. */
  readonly locations?: readonly OwnLocation[] | undefined;
  /** Promo codes, in place of those of the samples. */
  readonly promoCodes?: readonly OwnPromoCode[] | undefined;
  /** Customers with member prices, in place of those of the samples. */
  readonly members?: readonly MemberDefinition[] | undefined;
  /** Cents on gift cards and loyalty accounts, by number. They come beside those of the samples. */
  readonly giftCards?: Readonly<Record<string, number>> | undefined;
}

/** A location as the interface document has it, with its menu. */
export interface OwnLocation extends Location {
  /** Its menu, category by category; the mock gives it `version_hash` and `last_modified`. */
  readonly menu: {
    /** Categories in the order in which they are shown (interface document, "Menu"). */
    readonly categories: MenuCategory[];
  };
  /** Availability by item id. @defaultValue IN_STOCK */
  readonly stock?: Readonly<Record<string, 'IN_STOCK' | 'LOW_STOCK' | 'OUT_OF_STOCK'>> | undefined;
  /** Rates and fees. @defaultValue none */
  readonly pricing?: Partial<OwnPricing> | undefined;
  /** Whether KIOSK orders skip two states once they are paid. @defaultValue false */
  readonly autoAcceptsKiosk?: boolean | undefined;
}

/** A location's tax and fees. */
export interface OwnPricing {
  /** Basis points: 825 is 8.25 %. */
  readonly taxBasisPoints: number;
  /** Cents. */
  readonly deliveryFee: number;
  /** Share of the subtotal in basis points. */
  readonly serviceFeeBasisPoints: number;
  /** Cents. */
  readonly bagFee: number;
}

/** A promo code of your own. */
export type OwnPromoCode = Omit<PromoDefinition, 'usedByOrders'>;

const basisPoints = optional(wholeNumber(0, 'basis points from 0 to 10000; 825 is 8.25 %', 10_000));

const OWN_LOCATION = objectOf(
  {
    id: uuid,
    ...LOCATION_FIELDS,
    menu: menuContent,
    stock: optional(valuesOf(oneOf('IN_STOCK', 'LOW_STOCK', 'OUT_OF_STOCK'), 'an object of statuses by item id')),
    pricing: optional(
      objectOf({
        taxBasisPoints: basisPoints,
        deliveryFee: optional(cents),
        serviceFeeBasisPoints: basisPoints,
        bagFee: optional(cents),
      }),
    ),
    autoAcceptsKiosk: optional(trueOrFalse),
  },
  { open: true },
);

/** What {@link OwnData} must be. */
export const OWN_DATA = objectOf({
  locations: optional(listOf(OWN_LOCATION)),
  promoCodes: optional(
    listOf(
      objectOf({
        code: matching('a code in upper case', /^[A-Z0-9_-]+$/),
        name: text,
        type: oneOf('PERCENTAGE', 'FIXED'),
        value: wholeNumber(1, 'basis points for PERCENTAGE, cents for FIXED, from 1 on'),
        maximumDiscount: optional(cents),
        minimumSubtotal: optional(cents),
        expiresAt: optional(matching('an ISO 8601 date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(Z|[+-]\d{2}:\d{2})$/)),
        menuItemIds: optional(listOf(uuid)),
        singleUse: optional(trueOrFalse),
      }),
    ),
  ),
  members: optional(
    listOf(objectOf({ customerId: text, programme: text, unitDiscounts: valuesOf(cents, 'cents by item id') })),
  ),
  giftCards: optional(valuesOf(cents, 'cents by number')),
}) as unknown as Check<OwnData>;

/** The samples, with what is given in the place of its kind. `updatedAt` is an ISO 8601 date-time. */
export function withOwnData(samples: Samples, data: OwnData | undefined, updatedAt: string): Samples {
  if (data === undefined) return samples;
  const { locations, promoCodes, members } = structuredClone({ ...data });
  return {
    ...samples,
    ...(locations && { locations: locations.map((own) => locationRecord(own, updatedAt)) }),
    ...(promoCodes && { promoCodes: promoCodes.map((promo) => ({ ...promo, usedByOrders: new Set<string>() })) }),
    ...(members && { members }),
  };
}

function locationRecord(own: OwnLocation, updatedAt: string): LocationRecord {
  const { menu, stock = {}, pricing = {}, autoAcceptsKiosk = false, ...location } = own;
  const id = location.id.toLowerCase();
  const content = { location_id: id, categories: menu.categories };
  const full = { ...content, version_hash: versionHash(content), last_modified: updatedAt };
  return {
    location: { ...location, id },
    menu: full,
    stock: new Map(
      menuItems(full).map((item): [string, { status: InventoryStatus; updatedAt: string }] => [
        item.id,
        { status: stock[item.id] ?? 'IN_STOCK', updatedAt },
      ]),
    ),
    pricing: pricingOf(pricing),
    autoAcceptsKiosk,
    active: true,
  };
}

function pricingOf({
  taxBasisPoints = 0,
  deliveryFee = 0,
  serviceFeeBasisPoints = 0,
  bagFee = 0,
}: Partial<OwnPricing>): LocationPricing {
  return { taxBasisPoints: { default: taxBasisPoints }, deliveryFee, serviceFeeBasisPoints, bagFee };
}
