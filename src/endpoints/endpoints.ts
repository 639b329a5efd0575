import type { OperationName } from '../contract/index.js';

/**
 * How a request of an endpoint is treated when its outcome is unknown.
 *
 * - `read`: changes nothing; sent again at will.
 * - `write`: carries an idempotency key; sent again with the same key.
 * - `money`: charges or gives back; never sent again after an unknown outcome, since the service executes a key again
 *   whose response was an error (interface document, "Idempotency rules" 3).
 * - `token`: the token endpoint; no key, sent again.
 */
export type EndpointKind = 'read' | 'write' | 'money' | 'token';

/** What the request pipeline must know of an endpoint. */
export interface EndpointFacts {
  readonly kind: EndpointKind;
  /** True where a success may come without a body. The interface document shows none for most deletions. */
  readonly mayBeEmpty?: true;
  /** True where the response is large and is asked for compressed. */
  readonly isCompressed?: true;
  /** True where a response may take long to arrive: such requests have sockets of their own. */
  readonly isLarge?: true;
  /** Of a list: the largest page ("Limits"). */
  readonly largestPage?: number;
}

/**
 * Every endpoint, by method and path template, as the interface document writes them. The types of its path, query and
 * bodies are those of `endpoint-types.ts`, its schemas those of `contract/operations.ts`. An endpoint or a kind that is
 * missing does not compile: nothing is recognised by its path.
 *
 * @see Interface document, "Endpoints"
 */
export const endpoints = {
  'POST /auth/token': { kind: 'token' },

  'GET /locations': { kind: 'read', isCompressed: true, largestPage: 100 },
  'GET /locations/{location_id}': { kind: 'read' },
  'GET /locations/{location_id}/inventory': { kind: 'read', isCompressed: true, largestPage: 500 },
  'GET /locations/{location_id}/menu': { kind: 'read', isCompressed: true, isLarge: true },
  'GET /locations/{location_id}/menu/metadata': { kind: 'read' },

  'POST /carts': { kind: 'write' },
  'GET /carts/{cart_id}': { kind: 'read' },
  'PATCH /carts/{cart_id}': { kind: 'write' },
  // gap CART-1
  'DELETE /carts/{cart_id}': { kind: 'write', mayBeEmpty: true },
  'POST /carts/{cart_id}/items': { kind: 'write' },
  'PUT /carts/{cart_id}/items/{item_id}': { kind: 'write' },
  'DELETE /carts/{cart_id}/items/{item_id}': { kind: 'write', mayBeEmpty: true },
  'POST /carts/{cart_id}/calculate': { kind: 'read' },
  'PUT /carts/{cart_id}/handoff': { kind: 'write' },
  'POST /carts/{cart_id}/checkout': { kind: 'write' },
  'POST /carts/{cart_id}/promo-codes': { kind: 'write' },
  'GET /carts/{cart_id}/promo-codes': { kind: 'read' },
  'GET /carts/{cart_id}/promo-codes/validate': { kind: 'read' },
  'DELETE /carts/{cart_id}/promo-codes/{code}': { kind: 'write', mayBeEmpty: true },

  'GET /orders': { kind: 'read', isCompressed: true, largestPage: 100 },
  'GET /orders/{order_id}': { kind: 'read' },
  'POST /orders/{order_id}/cancel': { kind: 'write' },
  'POST /orders/{order_id}/payments': { kind: 'money' },
  'POST /orders/{order_id}/refunds': { kind: 'money' },

  'POST /webhooks': { kind: 'write' },
  'GET /webhooks': { kind: 'read', isCompressed: true, largestPage: 100 },
  // gap HOOK-3
  'DELETE /webhooks/{webhook_id}': { kind: 'write', mayBeEmpty: true },
} as const satisfies Readonly<Record<OperationName, EndpointFacts>>;

/** Method and path template of an endpoint: `POST /carts/{cart_id}/items`. */
export type EndpointName = keyof typeof endpoints;

/** The facts of an endpoint, or `undefined` for one that this package does not know. */
export function endpointFacts(name: string): EndpointFacts | undefined {
  return Object.hasOwn(endpoints, name) ? endpoints[name as EndpointName] : undefined;
}
