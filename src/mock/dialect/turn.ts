import type { BehaviourChange } from '../behaviour/behaviour.js';
import type { MockReply, MockRequest } from '../kernel/message.js';
import type { RefusalFacts } from '../refusals/refusal.js';
import type { ServiceState } from '../state/state.js';

/** `POST /carts/{cart_id}/items`, as routes are written. */
export type RouteName = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** A JSON object that may be changed: a copy of its own. */
export type Json = Record<string, unknown>;

/** A request or a reply with what it is about. */
export interface Scene {
  readonly request: MockRequest;
  readonly state: ServiceState;
}

/** What a handler refuses, said otherwise, or executed after all; `undefined` leaves the refusal. */
export type RefusalTurn = (facts: RefusalFacts, scene: Scene) => Partial<RefusalFacts> | MockReply | undefined;

/** How the service differs in one reading of a gap. Handlers and rules know nothing of it. */
export interface Turn {
  /** Switches that there are already. */
  readonly behaviour?: BehaviourChange;
  readonly strict?: true;
  /** Changes, or refuses, what was sent, before a handler reads it. */
  readonly request?: { readonly [Route in RouteName]?: (request: MockRequest, state: ServiceState) => MockRequest };
  /** Changes the body of a success in place, or gives another reply. */
  readonly reply?: { readonly [Route in RouteName]?: (body: Json, scene: Scene) => MockReply | undefined };
  readonly refusal?: { readonly [Route in RouteName]?: RefusalTurn };
  /** Changes the body of an error in place. */
  readonly envelope?: (body: Json) => void;
  /** Routes whose idempotency key may be left out. */
  readonly withoutKey?: (route: string) => boolean;
  /** A key is remembered for its path alone. */
  readonly keyPerPath?: true;
  readonly requestIdHeader?: string;
  /** Another method than those of a path is 405. */
  readonly methodNotAllowed?: true;
}
