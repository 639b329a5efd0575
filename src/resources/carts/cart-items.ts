import type { Cart, CartItemRequest } from '../../contract/index.js';
import type { WriteOptions } from '../../http/call-options.js';
import type { CallPromise } from '../../http/call-promise.js';
import type { Caller } from '../caller.js';
import { completeItem } from './complete-item.js';

/** Items of a cart. */
export class CartItems {
  readonly #caller: Caller;

  /** @internal Made by the client. */
  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Adds an item to a cart.
   *
   * @param item - `quantity` above 0, `special_instructions` of at most 200 characters, at most 3 levels of selections.
   * @returns The whole cart with its new totals.
   * @throws {RequestValidationError} The item breaks a limit of the interface document; nothing was sent.
   * @throws {NotFoundError} No such cart, or no such menu item.
   * @throws {ConflictError} The cart is checked out or abandoned.
   * @throws {UnprocessableEntityError} The item is not available, over its quantity limit, or its modifiers do not fit.
   * @see Interface document, "Carts" and "Cart rules" 1
   */
  add(cartId: string, item: CartItemRequest, options?: WriteOptions): CallPromise<Cart> {
    return this.#caller.call('POST /carts/{cart_id}/items', {
      pathParams: { cart_id: cartId },
      body: completeItem(item),
      options,
    });
  }

  /**
   * Replaces an item of a cart completely; this is no patch. Modifiers are checked against the present menu.
   *
   * @param itemId - `id` of the cart item, not of the menu item.
   * @returns The whole cart with its new totals.
   * @throws The errors of {@link add}.
   * @see Interface document, "Carts"
   */
  replace(cartId: string, itemId: string, item: CartItemRequest, options?: WriteOptions): CallPromise<Cart> {
    return this.#caller.call('PUT /carts/{cart_id}/items/{item_id}', {
      pathParams: { cart_id: cartId, item_id: itemId },
      body: completeItem(item),
      options,
    });
  }

  /**
   * Removes an item from a cart.
   *
   * @param itemId - `id` of the cart item, not of the menu item.
   * @returns The cart without the item.
   * @throws {ConflictError} The cart is checked out or abandoned.
   * @see Interface document, "Carts"
   */
  remove(cartId: string, itemId: string, options?: WriteOptions): CallPromise<Cart> {
    return this.#caller.call('DELETE /carts/{cart_id}/items/{item_id}', {
      pathParams: { cart_id: cartId, item_id: itemId },
      options,
    });
  }
}
