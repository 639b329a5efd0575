/**
 * How an unknown outcome is treated.
 *
 * - `read`: changes nothing; sent again at will.
 * - `write`: carries an idempotency key; sent again with the same key.
 * - `payment`: moves money; never sent again after an unknown outcome, since the service executes a key again whose
 *   answer was an error (interface document, "Idempotency rules" 3).
 * - `token`: the token endpoint; no key, sent again.
 */
export type OperationKind = 'read' | 'write' | 'payment' | 'token';

/** One endpoint of the interface document. */
export interface Operation {
  readonly method: string;
  /** Path template below the base address: `/carts/{cart_id}/items`. */
  readonly template: string;
  /** `POST /carts/{cart_id}/items`: the name in tables, events and traces. */
  readonly name: string;
  readonly kind: OperationKind;
}

/** With a name in braces, and with an id written into the path: both move money. */
const MONEY_MOVES = /^\/orders\/[^/]+\/(payments|refunds)(\/|$)/;
const READS = new Set(['GET', 'HEAD', 'POST /carts/{cart_id}/calculate']);

/** By method, then by template. */
const known = new Map<string, Map<string, Operation>>();

/** Templates come from code, so there are few; the limit holds against those built at run time. */
const MOST_KNOWN = 500;

/** The operation behind method and template; the two decide on key and outcome class. */
export function operationOf(method: string, template: string): Operation {
  const ofMethod = known.get(method) ?? new Map<string, Operation>();
  const found = ofMethod.get(template);
  if (found) return found;

  const name = `${method} ${template}`;
  const operation = { method, template, name, kind: kindOf(method, template, name) };
  known.set(method, ofMethod);
  if (ofMethod.size < MOST_KNOWN) ofMethod.set(template, operation);
  return operation;
}

function kindOf(method: string, template: string, name: string): OperationKind {
  if (READS.has(method) || READS.has(name)) return 'read';
  if (name === 'POST /auth/token') return 'token';
  return MONEY_MOVES.test(template) ? 'payment' : 'write';
}

/** Rule 1 of idempotency: every request that changes state. */
export function needsKey(operation: Operation): boolean {
  return operation.kind === 'write' || operation.kind === 'payment';
}
