import type { InventoryStatus, MenuItem, StockUpdatedData } from '../../../contract/index.js';
import { findMenuItem, menuItems } from '../../rules/menu-items.js';
import type { LocationRecord, ServiceState } from '../../state/state.js';
import { timestampNow } from '../../time/timestamp.js';
import { emitToAll, locationNamed } from './store-events.js';

type StockChange = StockUpdatedData['items'][number];

/** Changes the availability of items; one event carries all that are another one now. */
export function changeStock(
  state: ServiceState,
  locationId: string,
  statuses: Readonly<Record<string, InventoryStatus>>,
): void {
  const record = locationNamed(state, locationId);
  const items = Object.entries(statuses).map(([itemId, status]) => {
    const item = findMenuItem(record.menu, itemId.toLowerCase());
    if (!item) throw new Error(`The menu of location ${locationId} has no item ${itemId}.`);
    return { item, status };
  });
  const before = availability(record);
  const now = timestampNow(state.clock);
  for (const { item, status } of items) record.stock.set(item.id, { status, updatedAt: now });
  emitStockChanges(state, record, before);
}

/** The availability of every item, as the inventory shows it (gap INV-1). */
export function availability({ menu, stock }: LocationRecord): ReadonlyMap<string, InventoryStatus> {
  return new Map(
    menuItems(menu).flatMap((item): [string, InventoryStatus][] => {
      const status = availabilityOf(item, stock.get(item.id)?.status);
      return status === undefined ? [] : [[item.id, status]];
    }),
  );
}

/** A disabled item is out of stock, whatever is on the shelf; one without a stock record is not listed. */
export function availabilityOf(item: MenuItem, status: InventoryStatus | undefined): InventoryStatus | undefined {
  return status !== undefined && !item.available ? 'OUT_OF_STOCK' : status;
}

/** Emits which items have become available or not since `before`; of items that left the menu, `menu.updated` says so. */
export function emitStockChanges(
  state: ServiceState,
  record: LocationRecord,
  before: ReadonlyMap<string, InventoryStatus>,
): void {
  const now = timestampNow(state.clock);
  const after = availability(record);
  const items = menuItems(record.menu).flatMap((item): StockChange[] => {
    const current = after.get(item.id);
    const previous = before.get(item.id) ?? 'OUT_OF_STOCK';
    if (current === undefined || current === previous) return [];
    return [{ item_id: item.id, name: item.name, previous_status: previous, current_status: current, updated_at: now }];
  });
  if (items.length === 0) return;
  for (const { item_id } of items) {
    const entry = record.stock.get(item_id);
    if (entry) record.stock.set(item_id, { ...entry, updatedAt: now });
  }
  emitToAll(state, 'stock.updated', { location_id: record.location.id, items });
}
