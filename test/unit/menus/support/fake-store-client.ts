import type { InventoryItem, Location, Menu } from '../../../../src/contract/index.js';
import type { WatchClient } from '../../../../src/menus/index.js';

/** What a test changes about the service. */
export interface FakeService {
  menus: Map<string, Menu>;
  inventory: InventoryItem[];
  location: Partial<Location>;
  /** Every call so far, as `metadata store-1`. */
  calls: string[];
  /** When set, every call waits for it, and fails with what it throws. */
  gate: (() => Promise<void>) | undefined;
  client: WatchClient;
}

/** A client over values in memory, with the calls that the module makes of a real one. */
export function fakeService(menus: Record<string, Menu>): FakeService {
  const service: FakeService = {
    menus: new Map(Object.entries(menus)),
    inventory: [],
    location: { timezone: 'UTC' },
    calls: [],
    gate: undefined,
    client: {
      menus: {
        retrieve: async (locationId) => structuredClone(await answer(`menu ${locationId}`, () => menuOf(locationId))),
        retrieveMetadata: async (locationId) => {
          const { location_id, last_modified, version_hash } = await answer(`metadata ${locationId}`, () =>
            menuOf(locationId),
          );
          return { location_id, last_modified, version_hash };
        },
      },
      locations: {
        retrieve: async (locationId) => (await answer(`location ${locationId}`, () => service.location)) as Location,
        async *listInventory(locationId) {
          yield* await answer(`inventory ${locationId}`, () => structuredClone(service.inventory));
        },
      },
    },
  };
  const menuOf = (locationId: string): Menu => {
    const menu = service.menus.get(locationId);
    if (!menu) throw new Error(`no menu of ${locationId}`);
    return menu;
  };
  const answer = async <Value>(call: string, read: () => Value): Promise<Value> => {
    service.calls.push(call);
    await service.gate?.();
    return read();
  };
  return service;
}

/** Changes the menu as the service would: another hash, another object. */
export function changeMenu(service: FakeService, locationId: string, hash: string, change: (menu: Menu) => void): void {
  const menu = structuredClone(service.menus.get(locationId)!);
  change(menu);
  service.menus.set(locationId, { ...menu, version_hash: hash });
}
