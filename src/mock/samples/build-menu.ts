import type { Menu, MenuItem, Modifier, ModifierGroup } from '../../contract/index.js';
import { usd } from '../rules/amounts.js';
import { versionHash } from '../rules/version-hash.js';
import { derivedId } from '../seed/derived-id.js';
import { type GroupRow, type ItemRow, keyOf, type ModifierRow } from './menu-rows.js';
import { categoryRows } from './menu-table.js';

/** The UUID of anything on the sample menu, by its path: `turkeySub.bread.italianHerb`. The same at every location. */
export function menuId(seed: number, path: string): string {
  return derivedId(seed, 'menu', path);
}

/** The sample menu of a location, from the tables. */
export function buildMenu(seed: number, locationId: string, lastModified: string): Menu {
  const categories = categoryRows.map((row, index) => ({
    id: menuId(seed, `category.${keyOf(row.name)}`),
    name: row.name,
    description: row.description,
    sort_order: index + 1,
    items: Object.entries(row.items).map(([key, item]) => buildItem(seed, key, item)),
  }));
  const content = { location_id: locationId, categories };
  return { location_id: locationId, last_modified: lastModified, version_hash: versionHash(content), categories };
}

function buildItem(seed: number, key: string, row: ItemRow): MenuItem {
  return {
    id: menuId(seed, key),
    name: row.name,
    description: row.description,
    base_price: usd(row.cents),
    available: row.available ?? true,
    age_verification_required: row.minimumAge !== undefined,
    minimum_age: row.minimumAge ?? null,
    max_allowed_quantity: row.maximum ?? null,
    tender_restriction_level: row.tenders ? 'RESTRICTED' : 'NONE',
    allowed_tenders: row.tenders ? [...row.tenders] : null,
    non_discountable: row.nonDiscountable ?? false,
    daily_sales_start_time: row.sold?.[0] ?? null,
    daily_sales_end_time: row.sold?.[1] ?? null,
    modifier_groups: (row.groups ?? []).map((group) => buildGroup(seed, key, group)),
  };
}

function buildGroup(seed: number, parent: string, row: GroupRow): ModifierGroup {
  const path = `${parent}.${keyOf(row.name)}`;
  return {
    id: menuId(seed, path),
    name: row.name,
    min_selections: row.min,
    max_selections: row.max,
    allows_duplicates: row.duplicates,
    modifiers: row.modifiers.map((modifier, index) => buildModifier(seed, path, modifier, row.min > index)),
  };
}

function buildModifier(seed: number, parent: string, row: ModifierRow, isDefault: boolean): Modifier {
  const path = `${parent}.${keyOf(row.name)}`;
  return {
    id: menuId(seed, path),
    name: row.name,
    price: usd(row.cents),
    available: true,
    is_default: isDefault,
    modifier_groups: row.groups.map((group) => buildGroup(seed, path, group)),
  };
}
