import type { Menu, MenuChangeType } from '../../contract/index.js';
import { menuItems } from './menu-items.js';

/** One word for what changed between two menus; more than one kind of change is a FULL_UPDATE (gap EVT-6). */
export function menuChangeType(before: Menu, after: Menu): MenuChangeType {
  const old = itemTexts(before);
  const now = itemTexts(after);
  const kinds: MenuChangeType[] = [];
  if ([...now.keys()].some((id) => !old.has(id))) kinds.push('ITEMS_ADDED');
  if ([...old.keys()].some((id) => !now.has(id))) kinds.push('ITEMS_REMOVED');
  if ([...now].some(([id, text]) => old.has(id) && old.get(id) !== text)) kinds.push('ITEMS_MODIFIED');
  if (categoryText(before) !== categoryText(after)) kinds.push('CATEGORIES_CHANGED');
  return kinds.length === 1 ? kinds[0]! : 'FULL_UPDATE';
}

const itemTexts = (menu: Menu): Map<string, string> =>
  new Map(menuItems(menu).map((item) => [item.id, JSON.stringify(item)]));

const categoryText = (menu: Menu): string => JSON.stringify(menu.categories.map(({ items, ...category }) => category));
