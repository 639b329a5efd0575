import type { DayHours, InventoryItem, MenuMetadata, OrderSummary } from '../../contract/index.js';

/** What the reconciler passes to the calls of a client. */
export interface ReadOptions {
  /** Ends the call when the reconciler is stopped. */
  signal?: AbortSignal;
}

/** What the reconciler reads of a location. Without hours and time zone it counts as open. */
export interface ReconciledLocation {
  readonly id: string;
  readonly timezone?: string;
  readonly business_hours?: DayHours[];
}

/** What the reconciler needs of a client; `OnlineOrdering` has it. */
export interface ReconcilerClient {
  readonly locations: {
    list(query?: { limit?: number }, options?: ReadOptions): AsyncIterable<ReconciledLocation>;
    retrieve(locationId: string, options?: ReadOptions): PromiseLike<ReconciledLocation>;
    listInventory(locationId: string, query?: { limit?: number }, options?: ReadOptions): AsyncIterable<InventoryItem>;
  };
  readonly menus: {
    retrieveMetadata(locationId: string, options?: ReadOptions): PromiseLike<MenuMetadata>;
  };
  readonly orders: {
    list(query?: ReconcilerOrdersQuery, options?: ReadOptions): AsyncIterable<OrderSummary>;
    retrieve(orderId: string, options?: ReadOptions): PromiseLike<OrderSummary>;
  };
}

/** The filters that the reconciler lists orders with. */
export interface ReconcilerOrdersQuery {
  location_id?: string;
  status?: 'PENDING' | 'CONFIRMED';
  fulfillment_status?: 'RETURNED';
  date_from?: Date;
  date_to?: Date;
  limit?: number;
}
