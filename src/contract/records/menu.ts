import type { Money } from './money.js';
import type { Open } from './open-enum.js';
import type { PaymentMethod } from './payment.js';

/**
 * What shows whether a menu has changed, without the menu (gap MENU-1).
 *
 * @see Interface document, "Menus"
 */
export interface MenuMetadata {
  /** UUID of the location. */
  location_id: string;
  /** ISO 8601 date-time in UTC. */
  last_modified: string;
  /** Opaque; another value means another menu. */
  version_hash: string;
}

/**
 * The menu of a location; it can exceed 100 KB. Fetch it again only when `version_hash` has changed.
 *
 * @see Interface document, "MenuItem" (menu structure) and "Menus"; gap MENU-1
 */
export interface Menu extends MenuMetadata {
  /** The sections of the menu. */
  categories: MenuCategory[];
}

/** A section of the menu (gap MENU-2). */
export interface MenuCategory {
  /** UUID. */
  id: string;
  /** Text to show to the customer. */
  name: string;
  /** Text to show to the customer; null or absent when there is none. */
  description?: string | null;
  /** Place among the categories, lowest first. */
  sort_order: number;
  /** What can be ordered in this section. */
  items: MenuItem[];
}

/** The known values of {@link TenderRestrictionLevel}. */
export const TENDER_RESTRICTION_LEVELS = ['NONE', 'RESTRICTED'] as const;

/** Whether an item accepts certain tenders only. Enforcement is planned and not yet active. */
export type TenderRestrictionLevel = Open<(typeof TENDER_RESTRICTION_LEVELS)[number]>;

/**
 * Something that can be ordered.
 *
 * @see Interface document, "MenuItem"
 */
export interface MenuItem {
  /** UUID; the `menu_item_id` of a cart item. */
  id: string;
  /** Text to show to the customer. */
  name: string;
  /** Text to show to the customer. */
  description: string;
  /** Price of one unit without modifiers. */
  base_price: Money;
  /** False when the store does not sell it at present. */
  available: boolean;
  /** True when the buyer's age is checked at handoff. Never blocks the order. */
  age_verification_required: boolean;
  /** Years; null when there is no age limit. */
  minimum_age: number | null;
  /** Most units of this item in a cart, over all its lines; null means no limit. */
  max_allowed_quantity: number | null;
  /** Null is treated as `NONE`. */
  tender_restriction_level: TenderRestrictionLevel | null;
  /** Tenders that a restricted item accepts; null means all. Unknown values are to be treated as unrestricted. */
  allowed_tenders: PaymentMethod[] | null;
  /** True keeps every discount off the item. @defaultValue false */
  non_discountable?: boolean;
  /** `HH:MM`, 24-hour, local time of the location: sold from then on. Null means no start. */
  daily_sales_start_time: string | null;
  /** `HH:MM`, 24-hour, local time of the location: sold until then. Null means no end. */
  daily_sales_end_time: string | null;
  /** Groups to choose modifiers from; absent or empty when there are none (gap MENU-3). */
  modifier_groups?: ModifierGroup[];
}

/**
 * A group of modifiers to choose from (gap MENU-4).
 *
 * @see Interface document, "MenuItem" (menu structure)
 */
export interface ModifierGroup {
  /** UUID; the `modifier_group_id` of a selection. */
  id: string;
  /** Text to show to the customer. */
  name: string;
  /** Fewest selections; 0 makes the group optional. */
  min_selections: number;
  /** Most selections; quantities count (gap MENU-6). */
  max_selections: number;
  /** True when one modifier may be chosen more than once. */
  allows_duplicates: boolean;
  /** What can be chosen. */
  modifiers: Modifier[];
}

/**
 * One choice in a group (gap MENU-5).
 *
 * @see Interface document, "MenuItem" (menu structure)
 */
export interface Modifier {
  /** UUID; the `modifier_id` of a selection. */
  id: string;
  /** Text to show to the customer. */
  name: string;
  /** Added to the price of one unit. */
  price: Money;
  /** Absent means true. */
  available?: boolean;
  /** True when it should be chosen beforehand. Absent means false. */
  is_default?: boolean;
  /** Groups of this modifier, at most 3 levels in all; absent or empty when there are none. */
  modifier_groups?: ModifierGroup[];
}
