import type { Open } from './open-enum.js';

/** The known values of {@link InventoryStatus}. */
export const INVENTORY_STATUSES = ['IN_STOCK', 'LOW_STOCK', 'OUT_OF_STOCK'] as const;

/** Availability of an item: `LOW_STOCK` can still be ordered, `OUT_OF_STOCK` cannot (gap INV-1). */
export type InventoryStatus = Open<(typeof INVENTORY_STATUSES)[number]>;

/**
 * Availability of one menu item at a location. An item that the inventory does not list is not available there.
 *
 * @see Interface document, "Authentication and locations"; gap INV-1 for the names of the fields
 */
export interface InventoryItem {
  /** UUID of the menu item. */
  item_id: string;
  /** Name of the menu item. */
  name: string;
  /** Whether it can be ordered now. */
  availability_status: InventoryStatus;
  /** ISO 8601 date-time in UTC. */
  updated_at: string;
}
