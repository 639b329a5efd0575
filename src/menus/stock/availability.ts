import type { InventoryItem, InventoryStatus, MenuItem } from '../../contract/index.js';
import { givenOptions, givenParts } from '../model/given.js';
import { byId } from '../model/menu-fields.js';
import { type MenuIndex, type MenuOrIndex, toIndex } from '../model/menu-index.js';
import type { InventoryClient, MenuCallOptions, MenuClient } from './menu-client.js';

/** Most items per page of the inventory ("Limits"). */
const LARGEST_PAGE = 500;

/** What of a menu can be ordered at a location, its stock included. */
export interface Availability {
  /** Id of the location whose menu and stock were read. */
  readonly locationId: string;
  /** Every item of the menu, in its order. */
  readonly items: readonly ItemAvailability[];
  /** The item with this id, in constant time; `undefined` when the menu has none. */
  item(menuItemId: string): ItemAvailability | undefined;
}

/** An item of a location, and whether its store has it. */
export interface ItemAvailability {
  /** The item as the menu has it. */
  readonly item: MenuItem;
  /** Whether it can be ordered now as far as menu and stock say; sale hours are another question. */
  readonly available: boolean;
  /** What the inventory says; `null` when it does not return the item. */
  readonly status: InventoryStatus | null;
  /** Why the item cannot be ordered; `null` when it can. Sale hours are another question: `isOnSale`. */
  readonly reason: 'disabled_on_menu' | 'not_in_inventory' | 'out_of_stock' | null;
}

export interface AvailabilityOptions extends MenuCallOptions {
  /** A menu at hand, so that only the inventory is fetched. */
  menu?: MenuOrIndex | undefined;
}

/**
 * Joins the menu and the inventory of a location: what can be ordered there now.
 *
 * An item that the inventory does not return is not available, and neither is one that is `OUT_OF_STOCK` or that the menu
 * disables; `LOW_STOCK` and states to come can be ordered. Reads the inventory in pages of 500, beside the menu.
 *
 * @throws {ConfigurationError} The client cannot read menus and inventories, or the option `menu` is none.
 * @throws What the client throws when one of the two cannot be read.
 * @see Interface document, "Authentication and locations"; docs/interface-gaps.md, INV-1
 */
export async function availability(
  client: MenuClient & InventoryClient,
  locationId: string,
  options: AvailabilityOptions = {},
): Promise<Availability> {
  givenParts('The client', client, [['menus.retrieve', 'locations.listInventory'], 'an OnlineOrdering']);
  givenOptions('availability', options, '{ menu }');
  const call = options.signal ? { signal: options.signal } : {};
  const [menu, inventory] = await Promise.all([
    options.menu ?? client.menus.retrieve(locationId, call),
    readInventory(client, locationId, call),
  ]);
  return joinAvailability(locationId, toIndex(menu), inventory);
}

/** Every item that the inventory of a location returns, by menu item id. */
export async function readInventory(
  client: InventoryClient,
  locationId: string,
  call: MenuCallOptions,
): Promise<ReadonlyMap<string, InventoryItem>> {
  const inventory = new Map<string, InventoryItem>();
  for await (const entry of client.locations.listInventory(locationId, { limit: LARGEST_PAGE }, call)) {
    inventory.set(entry.item_id, entry);
  }
  return inventory;
}

export function joinAvailability(
  locationId: string,
  index: MenuIndex,
  inventory: ReadonlyMap<string, Pick<InventoryItem, 'availability_status'>>,
): Availability {
  const byItem = new Map<string, ItemAvailability>();
  for (const { id, raw } of index.items) {
    const entry = byId(inventory, id);
    const status = entry?.availability_status ?? null;
    const reason = reasonOf(raw, status, entry !== undefined);
    byItem.set(id, { item: raw, available: reason === null, status, reason });
  }
  return { locationId, items: [...byItem.values()], item: (menuItemId) => byId(byItem, menuItemId) };
}

function reasonOf(item: MenuItem, status: InventoryStatus | null, listed: boolean): ItemAvailability['reason'] {
  if (item.available === false) return 'disabled_on_menu';
  if (!listed) return 'not_in_inventory';
  return status === 'OUT_OF_STOCK' ? 'out_of_stock' : null;
}
