import type { Menu } from '../../../contract/index.js';
import { demand } from '../../checks/check.js';
import { menuContent } from '../../checks/records.js';
import { menuChangeType } from '../../rules/menu-change.js';
import { menuItems } from '../../rules/menu-items.js';
import { versionHash } from '../../rules/version-hash.js';
import type { ServiceState } from '../../state/state.js';
import { timestampNow } from '../../time/timestamp.js';
import { availability, emitStockChanges } from './change-stock.js';
import { emitToAll, locationNamed } from './store-events.js';

/**
 * Changes the menu of a location, all of it or, when `change` throws or leaves no menu, nothing: new items are in
 * stock, and everybody who has the location is told.
 */
export function changeMenu(state: ServiceState, locationId: string, change: (menu: Menu) => unknown): Menu {
  const record = locationNamed(state, locationId);
  const before = record.menu;
  const copy = structuredClone(before);
  const result = change(copy);
  // A short arrow function returns what it assigned, which is no menu.
  const edited = structuredClone(isMenu(result) ? result : copy);
  demand('menu', edited, menuContent);
  const hash = versionHash({ location_id: before.location_id, categories: edited.categories });
  if (hash === before.version_hash) return structuredClone(before);

  const now = timestampNow(state.clock);
  const after: Menu = { ...edited, location_id: before.location_id, version_hash: hash, last_modified: now };
  const change_type = menuChangeType(before, after);
  const shown = new Map(availability(record));
  const known = new Set(menuItems(before).map(({ id }) => id));
  const ids = new Set(menuItems(after).map(({ id }) => id));

  record.menu = after;
  // An item that was there before without a stock record stays what it is: not available.
  for (const id of ids) if (!known.has(id)) record.stock.set(id, { status: 'IN_STOCK', updatedAt: now });
  for (const id of record.stock.keys()) if (!ids.has(id)) record.stock.delete(id);
  emitToAll(state, 'menu.changed', {
    location_id: before.location_id,
    version_hash: hash,
    change_type,
    changed_at: now,
  });
  // A new item had no availability that could have changed.
  for (const [id, status] of availability(record)) if (!known.has(id)) shown.set(id, status);
  emitStockChanges(state, record, shown);
  return structuredClone(record.menu);
}

const isMenu = (value: unknown): value is Menu =>
  typeof value === 'object' && value !== null && 'categories' in value && 'location_id' in value;
