import { ConfigurationError } from '../../../errors/local.js';

const HOUR_MS = 60 * 60_000;
/** The service remembers a key for 24 hours; a journal that forgets earlier could charge again. */
const SHORTEST_MS = 25 * HOUR_MS;
export const THIRTY_DAYS_MS = 30 * 24 * HOUR_MS;

/** Checks how long a journal keeps the record of an order after its last write. */
export function checkedRetention(option: 'ttlMs' | 'keepMs', value: unknown): number {
  if (value === undefined) return THIRTY_DAYS_MS;
  if (typeof value === 'number' && Number.isFinite(value) && value >= SHORTEST_MS) return value;
  throw new ConfigurationError(
    `The option "${option}" is ${String(value)}; it counts milliseconds and must be at least ${SHORTEST_MS} (25 hours): ` +
      'the service remembers a key for 24 hours, and a journal that forgets sooner could charge a tender again. ' +
      'Leave it out for 30 days.',
  );
}
