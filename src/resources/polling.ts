import { ConfigurationError } from '../errors/local.js';

/**
 * How an order is followed.
 *
 * @see Interface document, "Limits": 2 s, doubling to 30 s
 */
export interface PollingOptions {
  /** First wait between two reads of the order, in milliseconds. @defaultValue 2000 */
  initialDelayMs?: number | undefined;
  /** Longest wait between two reads, in milliseconds. @defaultValue 30000 */
  maxDelayMs?: number | undefined;
}

/** How a payment under way is followed. */
export interface PaymentPollingOptions extends PollingOptions {
  /** How long one payment is followed, in milliseconds; then the result is `'PROCESSING'`. @defaultValue 300000 */
  maxWaitMs?: number | undefined;
}

export type ResolvedPolling = Required<PaymentPollingOptions>;

const DEFAULTS: ResolvedPolling = { initialDelayMs: 2000, maxDelayMs: 30_000, maxWaitMs: 300_000 };

export function resolvePolling(options: PaymentPollingOptions = {}): ResolvedPolling {
  const polling = {
    initialDelayMs: options.initialDelayMs ?? DEFAULTS.initialDelayMs,
    maxDelayMs: options.maxDelayMs ?? Math.max(DEFAULTS.maxDelayMs, options.initialDelayMs ?? 0),
    maxWaitMs: options.maxWaitMs ?? DEFAULTS.maxWaitMs,
  };
  for (const [name, value] of Object.entries(polling)) {
    if (Number.isFinite(value) && value >= (name === 'maxWaitMs' ? 0 : 1)) continue;
    throw new ConfigurationError(`polling.${name} is ${value}; it counts milliseconds. Leave it out for the default.`);
  }
  return polling;
}

/** The wait before the n-th further read, counted from 0. */
export function pollDelayMs({ initialDelayMs, maxDelayMs }: Required<PollingOptions>, n: number): number {
  return Math.min(maxDelayMs, initialDelayMs * 2 ** Math.min(n, 30));
}
