import { RequestValidationError } from '../errors/local.js';

/** A moment: a `Date`, milliseconds since the Unix epoch, or ISO 8601 text. */
export type TimeInput = Date | number | string;

/** Milliseconds since the Unix epoch. */
export function toEpochMs(at: TimeInput): number {
  const epochMs =
    at instanceof Date
      ? at.getTime()
      : typeof at === 'number'
        ? at
        : typeof at === 'string'
          ? Date.parse(at)
          : Number.NaN;
  if (Number.isFinite(epochMs) && Math.abs(epochMs) <= 8.64e15) return epochMs;
  const message =
    '"at" is not a moment; give a Date, milliseconds since 1970, or ISO text such as 2026-01-15T14:30:00Z.';
  throw new RequestValidationError(message, { problems: [{ field: 'at', message }] });
}
