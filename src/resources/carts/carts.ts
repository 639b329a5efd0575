import type {
  Cart,
  CheckoutRequest,
  CheckoutResult,
  CreateCartRequest,
  HandoffMode,
  PriceCalculation,
  UpdateCartRequest,
} from '../../contract/index.js';
import type { CallOptions, WriteOptions } from '../../http/call-options.js';
import type { CallPromise } from '../../http/call-promise.js';
import { traceWorkflow } from '../../platform/workflow-trace.js';
import type { Caller } from '../caller.js';
import { lookAtAbandoned, lookAtCheckedOut } from '../named-looks.js';
import { CartItems } from './cart-items.js';
import {
  type CartsApi,
  type CheckoutWithPriceOptions,
  type CheckoutWithPriceResult,
  checkoutWithPrice,
} from './checkout-with-price.js';
import { PromoCodes } from './promo-codes.js';

/** Carts: filled, priced, and checked out into orders, at a price that was accepted if you like. */
export class Carts {
  /** Items of a cart. */
  readonly items: CartItems;
  /** Promo codes of a cart. */
  readonly promoCodes: PromoCodes;
  readonly #caller: Caller;

  /** @internal Made by the client. */
  constructor(caller: Caller) {
    this.#caller = caller;
    this.items = new CartItems(caller);
    this.promoCodes = new PromoCodes(caller);
  }

  /**
   * Creates an empty cart at a location.
   *
   * @param cart - `customer_id`: at most 255 letters, digits, hyphens and underscores; it brings member prices.
   * @throws {NotFoundError} There is no such location.
   * @throws {PermissionDeniedError} The location is not in the partner's scope.
   * @throws {UnprocessableEntityError} The location has online ordering switched off (gap LOC-5).
   * @see Interface document, "Carts"
   */
  create(cart: CreateCartRequest, options?: WriteOptions): CallPromise<Cart> {
    return this.#caller.call('POST /carts', { body: cart, options });
  }

  /**
   * Reads a cart.
   *
   * @throws {NotFoundError} There is no such cart, or it was abandoned.
   * @throws {PermissionDeniedError} The cart belongs to another partner.
   * @see Interface document, "Carts"
   */
  retrieve(cartId: string, options?: CallOptions): CallPromise<Cart> {
    return this.#caller.call('GET /carts/{cart_id}', { pathParams: { cart_id: cartId }, options });
  }

  /**
   * Sets or clears (`null`) the customer of a cart. Prices must be calculated again afterwards.
   *
   * @throws {ConflictError} The cart is checked out or abandoned.
   * @see Interface document, "Carts"
   */
  update(cartId: string, changes: UpdateCartRequest, options?: WriteOptions): CallPromise<Cart> {
    return this.#caller.call('PATCH /carts/{cart_id}', { pathParams: { cart_id: cartId }, body: changes, options });
  }

  /**
   * Gives up a cart. It can then be neither read, changed nor checked out.
   *
   * @throws {ConflictError} The cart is checked out or abandoned already.
   * @see Interface document, "Carts" and "Cart status"; gap CART-1
   */
  abandon(cartId: string, options?: WriteOptions): CallPromise<void> {
    return this.#caller.call('DELETE /carts/{cart_id}', {
      pathParams: { cart_id: cartId },
      options,
      look: lookAtAbandoned(this.#caller, cartId),
    });
  }

  /**
   * Prices a cart as of now: lines, discounts, fees, tax and total. Changes nothing.
   *
   * @throws {UnprocessableEntityError} The cart is empty.
   * @see Interface document, "PriceCalculation"
   */
  calculate(cartId: string, options?: CallOptions): CallPromise<PriceCalculation> {
    return this.#caller.call('POST /carts/{cart_id}/calculate', { pathParams: { cart_id: cartId }, options });
  }

  /**
   * Says how the order is handed over. May be repeated; the latest call wins.
   *
   * @param handoff - exactly the fields of its `mode`: missing and further ones are refused.
   * @throws {ConflictError} The cart is checked out or abandoned.
   * @throws {UnprocessableEntityError} The location does not serve this mode, or the address is not valid.
   * @see Interface document, "HandoffMode"
   */
  setHandoff(cartId: string, handoff: HandoffMode, options?: WriteOptions): CallPromise<Cart> {
    return this.#caller.call('PUT /carts/{cart_id}/handoff', {
      pathParams: { cart_id: cartId },
      body: handoff,
      options,
    });
  }

  /**
   * Turns a cart into an order that awaits payment.
   *
   * @param checkout - `expected_total`: whole cents, `total.amount` of the last calculation; without it the present
   *   price is accepted. `handoff_mode` replaces the stored one completely.
   * @throws {ExpectedTotalMismatchError} The total is another one; `changeReasons` says why.
   * @throws {ConflictError} The cart is checked out or abandoned.
   * @throws {UnprocessableEntityError} The cart is empty, has no handoff, or an item is not available any more.
   * @see Interface document, "Cart rules" 6
   */
  checkout(cartId: string, checkout: CheckoutRequest = {}, options?: WriteOptions): CallPromise<CheckoutResult> {
    return this.#caller.call('POST /carts/{cart_id}/checkout', {
      pathParams: { cart_id: cartId },
      body: checkout,
      options,
      look: lookAtCheckedOut(this.#caller, cartId),
    });
  }

  /**
   * Checks a cart out at the price that the customer saw: calculates it, checks out with `expected_total`, and on a
   * change shows `before`, `after` and the reasons to `onPriceChange`, which accepts or stops.
   *
   * A cart is never checked out at a price that nobody accepted. With `idempotencyKey` or `journal` the same call can be
   * made again after a lost response or a crash, and gives the order that was made.
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
    const carts: CartsApi = {
      clock: this.#caller.clock,
      closing: this.#caller.settings.closing,
      calculate: async (id, limits) => this.calculate(id, limits),
      setHandoff: async (id, handoff, limits) => this.setHandoff(id, handoff, limits),
      checkout: async (id, request, limits) => this.checkout(id, request, limits),
    };
    const work = (): Promise<CheckoutWithPriceResult> => checkoutWithPrice(carts, cartId, options);
    return traceWorkflow({ name: 'checkout_with_price' }, work, ({ status }) => status);
  }
}
