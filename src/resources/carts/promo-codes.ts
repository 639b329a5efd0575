import type { AppliedPromoCodeList, Cart, PromoCodeValidation } from '../../contract/index.js';
import type { CallOptions, WriteOptions } from '../../http/call-options.js';
import type { CallPromise } from '../../http/call-promise.js';
import type { Caller } from '../caller.js';

/** Promo codes of a cart. At most one is applied at a time. */
export class PromoCodes {
  readonly #caller: Caller;

  /** @internal Made by the client. */
  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Applies a promo code to a cart.
   *
   * @param code - upper and lower case are the same.
   * @returns The cart with the code, in upper case, in `promo_codes`.
   * @throws {ConflictError} A promo code is applied already.
   * @throws {UnprocessableEntityError} The code is not recognized, expired, used, below its minimum, or does not apply;
   *   `scenario` tells which.
   * @see Interface document, "Cart rules" 5; gap PROMO-1
   */
  apply(cartId: string, code: string, options?: WriteOptions): CallPromise<Cart> {
    return this.#caller.call('POST /carts/{cart_id}/promo-codes', {
      pathParams: { cart_id: cartId },
      body: { code },
      options,
    });
  }

  /**
   * Reads the promo codes applied to a cart, in `data`.
   *
   * @throws {NotFoundError} There is no such cart.
   * @see Interface document, "Carts"; gap PROMO-3
   */
  list(cartId: string, options?: CallOptions): CallPromise<AppliedPromoCodeList> {
    return this.#caller.call('GET /carts/{cart_id}/promo-codes', { pathParams: { cart_id: cartId }, options });
  }

  /**
   * Asks what a code would do, without applying it. A code that is rejected is no error: `valid` is false, and
   * `rejection_reason` says why. The preview is an estimate.
   *
   * @throws {NotFoundError} There is no such cart.
   * @see Interface document, "Carts" and "Cart rules" 5; gap PROMO-4
   */
  validate(cartId: string, code: string, options?: CallOptions): CallPromise<PromoCodeValidation> {
    return this.#caller.call('GET /carts/{cart_id}/promo-codes/validate', {
      pathParams: { cart_id: cartId },
      query: { code },
      options,
    });
  }

  /**
   * Takes a promo code off a cart.
   *
   * @param code - upper and lower case are the same.
   * @returns The cart without the code and its discount.
   * @throws {NotFoundError} The code is not applied.
   * @see Interface document, "Carts"
   */
  remove(cartId: string, code: string, options?: WriteOptions): CallPromise<Cart> {
    return this.#caller.call('DELETE /carts/{cart_id}/promo-codes/{code}', {
      pathParams: { cart_id: cartId, code },
      options,
    });
  }
}
