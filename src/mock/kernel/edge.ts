import type { ServiceState } from '../state/state.js';
import type { MockReply, MockRequest } from './message.js';
import type { Handler, Route } from './route.js';

/** How the service speaks where the interface document is silent: what stands between the kernel and its handlers. */
export interface Edge {
  /** Header that carries the request id (gap ERR-2). */
  readonly requestIdHeader: string;
  /** Whether a key is remembered for its path alone (gap ERR-8). */
  readonly keyPerPath: boolean;
  /** Whether another method than those of a path is 405 (gap ERR-4). */
  readonly methodNotAllowed: boolean;
  /** Whether the key of a route must, may, or need not be sent (gaps ERR-6 and REF-7). */
  keyRule(route: Route): Route['idempotency'];
  /** Leads a request through its handler. */
  respond(route: Route, request: MockRequest, state: ServiceState, handler: Handler): Promise<MockReply>;
  /** The body of an error (gap ERR-1). */
  envelope(body: unknown): unknown;
}
