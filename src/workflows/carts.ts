import type { Caller } from '../resources/caller.js';
import { CartsResource } from '../resources/carts.js';
import {
  type CartsApi,
  type CheckoutWithPriceOptions,
  type CheckoutWithPriceResult,
  checkoutWithPrice,
} from './checkout-with-price.js';

/** Carts: filled, priced, and checked out into orders, at a price that was accepted if you like. */
export class Carts extends CartsResource {
  readonly #api: CartsApi;

  /** @internal Made by the client. */
  constructor(caller: Caller) {
    super(caller);
    this.#api = {
      clock: caller.clock,
      calculate: async (cartId, limits) => this.calculate(cartId, limits),
      setHandoff: async (cartId, handoff, limits) => this.setHandoff(cartId, handoff, limits),
      checkout: async (cartId, request, limits) => this.checkout(cartId, request, limits),
    };
  }

  /**
   * Checks a cart out at the price that the customer saw: calculates it, checks out with `expected_total`, and on a
   * change shows `before`, `after` and the reasons to `onPriceChange`, which accepts or stops.
   *
   * A cart is never checked out at a price that nobody accepted.
   *
   * @throws {UnprocessableEntityError} The cart is empty, has no handoff mode, or an item is not available any more.
   * @throws {ConflictError} The cart is checked out or abandoned already.
   * @throws {APIUserAbortError} `signal` ended it. @throws {DeadlineExceededError} `deadline` passed.
   * @see Interface document, "Cart rules" 6
   * @example
   * const result = await client.carts.checkoutWithPrice(cartId, {
   *   onPriceChange: ({ before, after }) => (after.total.amount <= before.total.amount ? 'accept' : 'stop'),
   * });
   * if (result.status === 'CHECKED_OUT') console.log(result.checkout.order_id);
   */
  checkoutWithPrice(cartId: string, options: CheckoutWithPriceOptions = {}): Promise<CheckoutWithPriceResult> {
    return checkoutWithPrice(this.#api, cartId, options);
  }
}
