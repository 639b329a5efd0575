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

const MONEY_MOVES = /^\/orders\/\{[^}]*\}\/(payments|refunds)(\/|$)/;
const READS = new Set(['GET', 'HEAD', 'POST /carts/{cart_id}/calculate']);

const known = new Map<string, Operation>();

/** Methods and templates come from code, so there are few; the limit holds against templates built at run time. */
const MOST_KNOWN = 500;

/** The operation behind method and template; the two decide on key and outcome class. */
export function operationOf(method: string, template: string): Operation {
  const name = `${method} ${template}`;
  const found = known.get(name);
  if (found) return found;

  const operation = { method, template, name, kind: kindOf(method, template, name) };
  if (known.size < MOST_KNOWN) known.set(name, operation);
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
