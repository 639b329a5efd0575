import type { DayHours, InventoryStatus, Menu, WebhookEvent, WebhookEventType } from '../../contract/index.js';
import { menuChangeType } from '../rules/menu-change.js';
import { findMenuItem, menuItems } from '../rules/menu-items.js';
import { versionHash } from '../rules/version-hash.js';
import type { LocationRecord, ServiceState } from '../state/state.js';
import { timestampNow } from '../time/timestamp.js';

/** What happens at a store: each change has its event, for every partner that has the location. */
export interface StoreControls {
  readonly menu: {
    /**
     * Changes the menu of a location: `change` gets a copy, and edits it or returns another one. It gets a new
     * `version_hash` and `last_modified`, and `menu.changed` is sent. New items are in stock.
     */
    update(locationId: string, change: (menu: Menu) => unknown): Menu;
  };
  readonly stock: {
    /** Changes the availability of an item, with `stock.updated`. */
    set(locationId: string, itemId: string, status: InventoryStatus): void;
  };
  readonly hours: {
    /** Changes the opening hours of a location, with `location.hours_changed`. */
    set(locationId: string, hours: readonly DayHours[]): void;
  };
}

export function createStoreControls(state: () => ServiceState): StoreControls {
  return {
    menu: { update: (locationId, change) => updateMenu(state(), locationId, change) },
    stock: { set: (locationId, itemId, status) => setStock(state(), locationId, itemId, status) },
    hours: { set: (locationId, hours) => setHours(state(), locationId, hours) },
  };
}

function updateMenu(state: ServiceState, locationId: string, change: (menu: Menu) => unknown): Menu {
  const record = locationOf(state, locationId);
  const before = record.menu;
  const copy = structuredClone(before);
  const result = change(copy);
  // A short arrow function returns what it assigned, which is no menu.
  const after = isMenu(result) ? result : copy;
  const hash = versionHash(after);
  if (hash === before.version_hash) return structuredClone(before);

  const now = timestampNow(state.clock);
  record.menu = { ...structuredClone(after), version_hash: hash, last_modified: now };
  const ids = new Set(menuItems(record.menu).map(({ id }) => id));
  // An item that was there before without a stock record stays what it is: not available.
  const known = new Set(menuItems(before).map(({ id }) => id));
  for (const id of ids) if (!known.has(id)) record.stock.set(id, { status: 'IN_STOCK', updatedAt: now });
  for (const id of record.stock.keys()) if (!ids.has(id)) record.stock.delete(id);
  const change_type = menuChangeType(before, record.menu);
  emitToAll(state, 'menu.changed', { location_id: locationId, version_hash: hash, change_type, changed_at: now });
  return structuredClone(record.menu);
}

function setStock(state: ServiceState, locationId: string, itemId: string, status: InventoryStatus): void {
  const record = locationOf(state, locationId);
  const item = findMenuItem(record.menu, itemId);
  if (!item) throw new Error(`The menu of location ${locationId} has no item ${itemId}.`);
  const previous = record.stock.get(itemId)?.status ?? 'OUT_OF_STOCK';
  const now = timestampNow(state.clock);
  record.stock.set(itemId, { status, updatedAt: now });
  if (previous === status) return;
  const change = {
    item_id: itemId,
    name: item.name,
    previous_status: previous,
    current_status: status,
    updated_at: now,
  };
  emitToAll(state, 'stock.updated', { location_id: locationId, items: [change] });
}

function setHours(state: ServiceState, locationId: string, hours: readonly DayHours[]): void {
  const record = locationOf(state, locationId);
  const previous = record.location.business_hours ?? [];
  const current = structuredClone([...hours]);
  record.location = { ...record.location, business_hours: current };
  emitToAll(state, 'location.hours_changed', {
    location_id: locationId,
    previous_hours: previous,
    current_hours: current,
    effective_date: null,
    changed_at: timestampNow(state.clock),
  });
}

const isMenu = (value: unknown): value is Menu =>
  typeof value === 'object' && value !== null && 'categories' in value && 'location_id' in value;

function locationOf(state: ServiceState, locationId: string): LocationRecord {
  const record = state.locations.get(locationId);
  if (record) return record;
  throw new Error(
    `The service has no location ${locationId}. Its locations: ${[...state.locations.keys()].join(', ')}.`,
  );
}

type LocationEventData = Extract<WebhookEvent['data'], { location_id: string }>;

function emitToAll(state: ServiceState, type: WebhookEventType, data: LocationEventData): void {
  for (const partner of state.partners.values()) {
    if (partner.locationIds.has(data.location_id)) state.emit(partner.id, type, data);
  }
}
