import type { Location, OnlineOrdering } from 'online-ordering-sdk';
import {
  type Availability,
  availability,
  type CheckOptions,
  createMenuCache,
  type MenuIndex,
} from 'online-ordering-sdk/menus';

/** Menu, stock and clock of a store: everything by which the SDK's checks judge. */
export interface Shelf {
  readonly store: Location;
  readonly menu: MenuIndex;
  readonly stock: Availability;
  readonly checks: CheckOptions;
}

export interface Shelves {
  of(storeId: string): Promise<Shelf>;
  menuChanged(storeId: string): Promise<void>;
  stockChanged(storeId: string): void;
  hoursChanged(storeId: string): void;
}

/** Keeps what is known of each store until a webhook tells of a change. */
export function createShelves(client: OnlineOrdering, now: () => number): Shelves {
  const menus = createMenuCache(client);
  const stores = new Map<string, Promise<Location>>();
  const stocks = new Map<string, Promise<Availability>>();
  return {
    async of(storeId) {
      const [store, menu] = await Promise.all([
        kept(stores, storeId, () => client.locations.retrieve(storeId)),
        menus.index(storeId),
      ]);
      const stock = await kept(stocks, storeId, () => availability(client, storeId, { menu }));
      return { store, menu, stock, checks: { at: now(), timezone: store.timezone, availability: stock } };
    },
    async menuChanged(storeId) {
      await menus.refresh(storeId);
      stocks.delete(storeId);
    },
    stockChanged: (storeId) => void stocks.delete(storeId),
    hoursChanged: (storeId) => void stores.delete(storeId),
  };
}

/** Asked for once, however many wait for it; a failure is not kept. */
function kept<T>(known: Map<string, Promise<T>>, id: string, read: () => PromiseLike<T>): Promise<T> {
  const reading = known.get(id) ?? Promise.resolve(read());
  known.set(id, reading);
  reading.catch(() => known.delete(id));
  return reading;
}
