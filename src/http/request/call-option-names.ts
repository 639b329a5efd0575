/** The names of all options of a call; `prefetch` is for lists alone. */
export const CALL_OPTIONS = [
  'signal',
  'timeout',
  'deadline',
  'maxRetries',
  'headers',
  'query',
  'idempotencyKey',
  'operation',
  'prefetch',
] as const;
/** The name of an option of a call. */
export type CallOptionName = (typeof CALL_OPTIONS)[number];
