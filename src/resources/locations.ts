import type { InventoryItem, Location } from '../contract/index.js';
import type { CallOptions } from '../http/call-options.js';
import type { CallPromise } from '../http/call-promise.js';
import type { PageList } from '../pagination/page-list.js';
import type { Caller } from './caller.js';
import { type ListOptions, type ListQuery, listOf } from './list.js';

/** Stores of the partner, and what they have. */
export class Locations {
  readonly #caller: Caller;

  /** @internal Made by the client. */
  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Lists the locations in the partner's scope.
   *
   * @param query - `limit`: 1 to 100, 20 by default.
   * @throws {RequestValidationError} `limit` is out of its limits; nothing was sent.
   * @see Interface document, "Authentication and locations" and "Pagination"
   * @example
   * for await (const location of client.locations.list()) console.log(location.name);
   */
  list(query?: ListQuery, options?: ListOptions): PageList<Location> {
    return listOf(this.#caller, 'GET /locations', { query, options });
  }

  /**
   * Reads one location with its address, hours, time zone and minimum order amounts.
   *
   * @throws {PermissionDeniedError} The location is not in the partner's scope.
   * @throws {NotFoundError} There is no such location.
   * @see Interface document, "Location"
   */
  retrieve(locationId: string, options?: CallOptions): CallPromise<Location> {
    return this.#caller.call('GET /locations/{location_id}', { pathParams: { location_id: locationId }, options });
  }

  /**
   * Lists the availability of the items at a location. Items that are not returned are not available there.
   *
   * @param query - `limit`: 1 to 500, 100 by default.
   * @throws {PermissionDeniedError} The location is not in the partner's scope.
   * @see Interface document, "Authentication and locations"
   */
  listInventory(locationId: string, query?: ListQuery, options?: ListOptions): PageList<InventoryItem> {
    return listOf(this.#caller, 'GET /locations/{location_id}/inventory', {
      pathParams: { location_id: locationId },
      query,
      options,
    });
  }
}
