/**
 * A record of format 1 in the shape of format 2.
 *
 * Format 1 did not know when a key was sent last, how often, and what the order had paid before: nothing is assumed of
 * them. The horizon is counted anew from the moment at which a run reads it, and a refusal of its next sending decides
 * nothing.
 */
export function fromFormat1(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const runs = Array.isArray(value.runs) ? value.runs.map(runOf) : value.runs;
  return { ...value, format: 2, origin: null, orderCreatedAt: null, runs };
}

function runOf(run: unknown): unknown {
  if (!isObject(run) || !Array.isArray(run.entries)) return run;
  return { ...run, entries: run.entries.map(entryOf) };
}

function entryOf(entry: unknown): unknown {
  if (!isObject(entry)) return entry;
  const { startedAtMs, startedAtLocalMs, paymentsBefore, ...same } = entry;
  const declines = typeof entry.declines === 'number' ? entry.declines : 0;
  const wasSent = entry.state !== 'PLANNED';
  const isUndecided = entry.state === 'SENT' || entry.state === 'UNKNOWN';
  const firstSentAt = wasSent ? { serviceMs: startedAtMs, localMs: startedAtLocalMs } : null;
  return {
    ...same,
    sendings: wasSent ? Math.max(1, declines + (isUndecided ? 1 : 0)) : 0,
    inDoubt: isUndecided ? 1 : 0,
    firstSentAt,
    lastSentAt: wasSent ? { serviceMs: null, localMs: startedAtLocalMs } : null,
    endedAt: null,
    lateRefusal: null,
    baseline: Array.isArray(paymentsBefore)
      ? { paidCents: null, refundedCents: null, paymentIds: paymentsBefore, refundIds: [] }
      : null,
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
