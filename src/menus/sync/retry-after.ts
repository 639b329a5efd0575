import { isRecord } from '../model/menu-fields.js';

/** Milliseconds for which the service asked to be left alone, 0 when it did not. */
export function retryAfterMs(error: unknown): number {
  const seconds = isRecord(error) ? error.retryAfterSeconds : undefined;
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : 0;
}
