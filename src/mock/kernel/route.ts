import type { ServiceState } from '../state/state.js';
import type { MockReply, MockRequest } from './message.js';

/** Reads a routed request, asks a rule, changes the state, and returns the response. Throws `Refusal` when a rule is broken. */
export type Handler = (request: MockRequest, state: ServiceState) => MockReply | Promise<MockReply>;

/** One row of the endpoint tables of the interface document. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path template as in the document: `/carts/{cart_id}/items/{item_id}`. Parameters that end in `_id` must be UUIDs. */
  readonly path: string;
  readonly handler: Handler;
  /** Whether `Idempotency-Key` must, may, or need not be sent (Idempotency rule 1). */
  readonly idempotency: 'required' | 'optional' | 'none';
  /** `location` when the endpoint counts against the limit of one location, too. */
  readonly scope: 'location' | 'partner';
  /** The one endpoint without a bearer token. */
  readonly public?: boolean;
  /** Responds to a repeated key in place of the cached response: a repeated cancel shows the order as it is now. */
  readonly replay?: Handler;
}
