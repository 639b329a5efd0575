/** A request as handlers read it: routed, authenticated, its body parsed. */
export interface MockRequest {
  readonly method: string;
  /** Path below the base path, as sent: `/carts/5f0c…/items`. */
  readonly path: string;
  /** Decoded path parameters by their name in the interface document: `cart_id`, `item_id`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON body; `undefined` when none was sent. */
  readonly body: unknown;
  /** The partner whose token was sent; empty on the token endpoint. */
  readonly partnerId: string;
}

/** What a handler responds. `body: undefined` is an empty body. */
export interface MockReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
