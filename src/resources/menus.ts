import type { Menu, MenuMetadata } from '../contract/index.js';
import type { CallOptions } from '../http/call-options.js';
import type { CallPromise } from '../http/call-promise.js';
import type { Caller } from './caller.js';

/** Menus of the locations. */
export class Menus {
  readonly #caller: Caller;

  /** @internal Made by the client. */
  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Reads a location's whole menu: categories, items, nested modifier groups. It can exceed 100 KB; read it again only
   * when `version_hash` of {@link retrieveMetadata} has changed.
   *
   * @throws {PermissionDeniedError} The location is not in the partner's scope.
   * @throws {NotFoundError} There is no such location.
   * @see Interface document, "Menus"
   */
  retrieve(locationId: string, options?: CallOptions): CallPromise<Menu> {
    return this.#caller.call('GET /locations/{location_id}/menu', {
      pathParams: { location_id: locationId },
      options,
    });
  }

  /**
   * Reads when a location's menu was changed last, and its `version_hash`. Made for polling: every 5 minutes in business
   * hours, every 30 otherwise.
   *
   * @throws {PermissionDeniedError} The location is not in the partner's scope.
   * @see Interface document, "Menus" and "Limits"
   */
  retrieveMetadata(locationId: string, options?: CallOptions): CallPromise<MenuMetadata> {
    return this.#caller.call('GET /locations/{location_id}/menu/metadata', {
      pathParams: { location_id: locationId },
      options,
    });
  }
}
