import { type EndpointFacts, type EndpointKind, type EndpointName, endpointFacts } from '../../endpoints/endpoints.js';

/** How an unknown outcome is treated. */
export type OperationKind = EndpointKind;

/** One endpoint: of the table of endpoints, or of a request that this package does not know. */
export interface Operation {
  readonly method: string;
  /** Path template below the base address: `/carts/{cart_id}/items`. */
  readonly template: string;
  /** `POST /carts/{cart_id}/items`: the name in tables, events and traces. */
  readonly name: string;
  readonly kind: OperationKind;
  /** True where a success may come without a body. */
  readonly mayBeEmpty: boolean;
  readonly isCompressed: boolean;
  readonly isLarge: boolean;
}

/** Endpoints that this package does not know, by their name. */
const CHANGES_NOTHING = new Set(['GET', 'HEAD']);
/** With a name in braces, and with an id written into the path: whatever lies below may move money. */
const MAY_MOVE_MONEY = /^\/orders\/[^/]+\/(payments|refunds|tips)(\/|$)/;

/** By method, then by template. Endpoints of the table stay; those made of ids at run time are forgotten. */
const known = new Map<string, Map<string, Operation>>();
const MOST_UNKNOWN = 500;
let unknown = new Map<string, Operation>();

/** The operation behind method and template; the two decide on key and outcome class. */
export function operationOf(method: string, template: string): Operation {
  return known.get(method)?.get(template) ?? add(method, template);
}

/** By name: what a resource calls. */
const named = new Map<EndpointName, Operation>();

/** The operation of an endpoint of the table. */
export function operationNamed(name: EndpointName): Operation {
  const seen = named.get(name);
  if (seen) return seen;
  const space = name.indexOf(' ');
  const operation = operationOf(name.slice(0, space), name.slice(space + 1));
  named.set(name, operation);
  return operation;
}

function add(method: string, template: string): Operation {
  const name = `${method} ${template}`;
  const seen = unknown.get(name);
  if (seen) return seen;

  const facts = endpointFacts(name);
  const operation = describe(method, template, facts ?? cautiousFacts(method, template));
  if (facts) {
    const ofMethod = known.get(method) ?? new Map<string, Operation>();
    known.set(method, ofMethod.set(template, operation));
    return operation;
  }
  if (unknown.size >= MOST_UNKNOWN) unknown = new Map();
  unknown.set(name, operation);
  return operation;
}

function describe(method: string, template: string, facts: EndpointFacts): Operation {
  const { kind, mayBeEmpty = false, isCompressed = false, isLarge = false } = facts;
  return { method, template, name: `${method} ${template}`, kind, mayBeEmpty, isCompressed, isLarge };
}

/** For `client.request`: what a new endpoint does and responds is not known. */
function cautiousFacts(method: string, template: string): EndpointFacts {
  if (CHANGES_NOTHING.has(method)) return { kind: 'read', mayBeEmpty: true };
  return { kind: MAY_MOVE_MONEY.test(template) ? 'money' : 'write', mayBeEmpty: true };
}

/** Rule 1 of idempotency: every request that changes state. */
export function needsKey(operation: Operation): boolean {
  return operation.kind === 'write' || operation.kind === 'money';
}
