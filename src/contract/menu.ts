import { z } from 'zod';
import { MODIFIER_LEVELS } from './modifier-selection.js';
import { type Money, moneySchema } from './money.js';
import { once } from './once.js';
import { type Open, openEnum } from './open-enum.js';
import { type PaymentMethod, TENDER_TYPES } from './payment.js';
import { type Fields, record } from './record.js';
import { id, timestamp } from './scalars.js';

/**
 * What tells whether a menu has changed, without the menu (gap MENU-1).
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
  categories: MenuCategory[];
}

/** A section of the menu (gap MENU-2). */
export interface MenuCategory {
  /** UUID. */
  id: string;
  name: string;
  description?: string | null;
  /** Place among the categories, lowest first. */
  sort_order: number;
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
  name: string;
  description: string;
  /** Price of one unit without modifiers. */
  base_price: Money;
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
  name: string;
  /** Fewest selections; 0 makes the group optional. */
  min_selections: number;
  /** Most selections; quantities count (gap MENU-6). */
  max_selections: number;
  /** True when one modifier may be chosen more than once. */
  allows_duplicates: boolean;
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

/** Schema of {@link MenuMetadata}. */
export const menuMetadataSchema = once(() => record<MenuMetadata>(metadataShape()));

/** Schema of {@link Menu}. */
export const menuSchema = once(() => record<Menu>({ ...metadataShape(), categories: z.array(menuCategorySchema()) }));

function metadataShape(): Fields<MenuMetadata> {
  return { location_id: id(), last_modified: timestamp(), version_hash: z.string().min(1) };
}

/** Schema of {@link MenuCategory}. */
export const menuCategorySchema = once(() =>
  record<MenuCategory>({
    id: id(),
    name: z.string(),
    description: z.string().nullish(),
    sort_order: z.int(),
    items: z.array(menuItemSchema()),
  }),
);

/** Schema of {@link MenuItem}. */
export const menuItemSchema = once(() =>
  record<MenuItem>({
    id: id(),
    name: z.string(),
    description: z.string(),
    base_price: moneySchema(),
    available: z.boolean(),
    age_verification_required: z.boolean(),
    minimum_age: z.int().nullable(),
    max_allowed_quantity: z.int().nullable(),
    tender_restriction_level: openEnum(TENDER_RESTRICTION_LEVELS).nullable(),
    allowed_tenders: z.array(openEnum(TENDER_TYPES)).nullable(),
    non_discountable: z.boolean().optional(),
    daily_sales_start_time: z.string().nullable(),
    daily_sales_end_time: z.string().nullable(),
    modifier_groups: z.array(modifierGroupSchema()).optional(),
  }),
);

/** Schema of {@link ModifierGroup}. */
export const modifierGroupSchema = once((): z.ZodType<ModifierGroup> => groupAtLevel(1));

/** Levels beyond the allowed ones are kept unchecked: hostile nesting ends no process with a stack overflow. */
function groupAtLevel(level: number): z.ZodType<ModifierGroup> {
  return record<ModifierGroup>({
    id: id(),
    name: z.string(),
    min_selections: z.int(),
    max_selections: z.int(),
    allows_duplicates: z.boolean(),
    modifiers: z.array(modifierAtLevel(level)),
  });
}

function modifierAtLevel(level: number): z.ZodType<Modifier> {
  return record<Modifier>({
    id: id(),
    name: z.string(),
    price: moneySchema(),
    available: z.boolean().optional(),
    is_default: z.boolean().optional(),
    modifier_groups: z.array(level < MODIFIER_LEVELS ? groupAtLevel(level + 1) : z.custom<ModifierGroup>()).optional(),
  });
}
