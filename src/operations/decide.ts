import { APIError } from '../errors/api.js';
import type { OperationRecord } from './operation-record.js';

/** What is known when a call comes under a name. */
export interface NamedSituation {
  readonly record: OperationRecord | undefined;
  readonly digest: string;
  /** Whether the key is young enough for the service to know it, as the store's clock says. */
  readonly isFresh: boolean;
}

/** What to do about it. */
export type NamedDecision =
  /** The name is new. */
  | 'begin'
  | 'give_result'
  | 'refuse_other_body'
  /** The same key and bytes leave again: the service gives the response it keeps, or executes what it never did. */
  | 'send_again'
  /** The service has forgotten the key: only the resource can tell (gap OPS-1). */
  | 'look_only';

export function decideNamed({ record, digest, isFresh }: NamedSituation): NamedDecision {
  if (!record) return 'begin';
  if (differs(record.digest, digest)) return 'refuse_other_body';
  if (record.result !== undefined) return 'give_result';
  if (!isFresh) return 'look_only';
  return 'send_again';
}

/**
 * Digests under another secret (it was replaced since) tell nothing; the service itself refuses another body under a key
 * that it knows.
 */
function differs(stored: string, present: string): boolean {
  return markOf(stored) === markOf(present) && stored !== present;
}

function markOf(digest: string): string {
  return digest.slice(0, digest.indexOf(':'));
}

const REFUSALS_OF_RULES: ReadonlySet<number> = new Set([400, 404, 409, 422]);

/**
 * Whether the service looked at the request and refused it. Others never reached its rules (401, 403, 429), or tell that
 * the key stands for something.
 */
export function isOfTheRules(refusal: unknown): boolean {
  return (
    refusal instanceof APIError &&
    REFUSALS_OF_RULES.has(refusal.status) &&
    refusal.scenario !== 'idempotency_key_reused'
  );
}
