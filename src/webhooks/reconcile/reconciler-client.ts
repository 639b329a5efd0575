import type { DayHours, InventoryItem, MenuMetadata, OrderSummary } from '../../contract/index.js';

/** What the reconciler passes to the calls of a client. */
export interface ReadOptions {
  /** Ends the call when the reconciler is stopped. */
  signal?: AbortSignal;
}

/** What the reconciler reads of a location. Without hours and time zone it counts as open. */
export interface ReconciledLocation {
  /** Id of the location. */
  readonly id: string;
  /** IANA name of its time zone, such as `America/Chicago`. */
  readonly timezone?: string;
  /** Its opening hours, day by day (interface document, "Location"). */
  readonly business_hours?: DayHours[];
}

/** What the reconciler needs of a client; `OnlineOrdering` has it. */
export interface ReconcilerClient {
  /** Reads locations and what they have in stock. */
  readonly locations: {
    /** Lists the locations in scope, page after page. */
    list(query?: { limit?: number }, options?: ReadOptions): AsyncIterable<ReconciledLocation>;
    /** Reads one location. */
    retrieve(locationId: string, options?: ReadOptions): PromiseLike<ReconciledLocation>;
    /** Lists what a location has in stock, page after page. */
    listInventory(locationId: string, query?: { limit?: number }, options?: ReadOptions): AsyncIterable<InventoryItem>;
  };
  /** Reads whether a menu has changed. */
  readonly menus: {
    /** Reads the version of a menu without the menu. */
    retrieveMetadata(locationId: string, options?: ReadOptions): PromiseLike<MenuMetadata>;
  };
  /** Lists and reads orders. */
  readonly orders: {
    /** Lists orders, newest first, page after page. */
    list(query?: ReconcilerOrdersQuery, options?: ReadOptions): AsyncIterable<OrderSummary>;
    /** Reads one order. */
    retrieve(orderId: string, options?: ReadOptions): PromiseLike<OrderSummary>;
  };
}

/** The filters that the reconciler lists orders with. */
export interface ReconcilerOrdersQuery {
  /** Only orders of this location. */
  location_id?: string;
  /** Only orders in this state. */
  status?: 'PENDING' | 'CONFIRMED';
  /** Only orders with this fulfilment. */
  fulfillment_status?: 'RETURNED';
  /** Beginning of the range of creation dates. */
  date_from?: Date;
  /** End of the range of creation dates. */
  date_to?: Date;
  /** How many a page may have, 1 to 100. */
  limit?: number;
}
