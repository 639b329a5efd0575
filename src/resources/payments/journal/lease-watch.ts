/** What a waiter has seen of a lock that it does not hold, on its own monotonic clock. */
export interface LeaseWatch {
  readonly text: string;
  /** End of the first reading that gave this text. */
  readonly sinceMs: number;
  /** Start of the last one. */
  readonly untilMs: number;
  /** End of the last one. */
  readonly endedMs: number;
  readonly readings: number;
}

export interface Reading {
  readonly text: string;
  readonly startedMs: number;
  readonly endedMs: number;
}

const FEWEST_READINGS = 4;

/**
 * Adds a reading. The watch begins anew with each change of the record, and after a gap in which the waiter itself may
 * have been suspended: the holder may have been suspended with it, and had no chance to renew.
 */
export function watchLease(before: LeaseWatch | undefined, reading: Reading, leaseMs: number): LeaseWatch {
  const { text, startedMs, endedMs } = reading;
  const isContinued = before !== undefined && before.text === text && endedMs - before.endedMs <= leaseMs / 4;
  if (!isContinued) return { text, sinceMs: endedMs, untilMs: startedMs, endedMs, readings: 1 };
  return { ...before, untilMs: startedMs, endedMs, readings: before.readings + 1 };
}

/** Whether the record stood unchanged over its lease, as read several times. */
export function hasLeaseEnded({ sinceMs, untilMs, readings }: LeaseWatch, leaseMs: number): boolean {
  return readings >= FEWEST_READINGS && untilMs - sinceMs >= leaseMs;
}
