import { z } from 'zod';
import {
  type Menu,
  type MenuCategory,
  type MenuItem,
  type MenuMetadata,
  type Modifier,
  type ModifierGroup,
  TENDER_RESTRICTION_LEVELS,
} from '../records/menu.js';
import { TENDER_TYPES } from '../records/payment.js';
import { MODIFIER_LEVELS } from './modifier-selection.js';
import { moneySchema } from './money.js';
import { once } from './once.js';
import { openEnum } from './open-enum.js';
import { type Fields, record } from './record.js';
import { id, timestamp } from './scalars.js';

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
