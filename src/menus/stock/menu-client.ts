import type { InventoryItem, Location, Menu, MenuMetadata } from '../../contract/index.js';

/** What the functions of this module pass to the calls of a client. */
export interface MenuCallOptions {
  /** Ends the call; the promise then rejects. */
  signal?: AbortSignal | undefined;
}

/** The part of a client that reads menus; `OnlineOrdering` has it. */
export interface MenuClient {
  /** The resource that reads menus. */
  readonly menus: {
    /** Reads the menu of a location. */
    retrieve(locationId: string, options?: MenuCallOptions): PromiseLike<Menu>;
    /** Reads the version of a menu without the menu. */
    retrieveMetadata(locationId: string, options?: MenuCallOptions): PromiseLike<MenuMetadata>;
  };
}

/** The part of a client that reads what is in stock; `OnlineOrdering` has it. */
export interface InventoryClient {
  /** The resource that lists what is in stock. */
  readonly locations: {
    /** Lists what a location has in stock, page after page. */
    listInventory(
      locationId: string,
      query?: { limit?: number },
      options?: MenuCallOptions,
    ): AsyncIterable<InventoryItem>;
  };
}

/** The part of a client that reads a location; `OnlineOrdering` has it. */
export interface LocationClient {
  /** The resource that reads locations. */
  readonly locations: {
    /** Reads one location. */
    retrieve(locationId: string, options?: MenuCallOptions): PromiseLike<Location>;
  };
}
