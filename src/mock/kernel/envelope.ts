import type { RefusalFacts } from '../refusals/refusal.js';

/** The body of every error ("Error envelope"). */
export function errorEnvelope(facts: RefusalFacts, requestId: string): unknown {
  return {
    error: {
      code: facts.code,
      message: facts.message,
      detail: facts.detail ?? null,
      request_id: requestId,
      field: facts.field ?? null,
      // gap ERR-1
      ...(facts.changeReasons ? { change_reasons: facts.changeReasons } : {}),
    },
  };
}
