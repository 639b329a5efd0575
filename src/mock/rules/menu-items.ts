import type { Menu, MenuItem } from '../../contract/index.js';

/** Every item of a menu once, in the order of its categories. */
export function menuItems(menu: Menu): MenuItem[] {
  const byId = new Map<string, MenuItem>();
  for (const category of menu.categories) {
    for (const item of category.items) if (!byId.has(item.id)) byId.set(item.id, item);
  }
  return [...byId.values()];
}

export function findMenuItem(menu: Menu, menuItemId: string): MenuItem | undefined {
  for (const category of menu.categories) {
    const item = category.items.find(({ id }) => id === menuItemId);
    if (item) return item;
  }
  return undefined;
}
