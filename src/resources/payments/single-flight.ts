import { unlessAborted } from '../../platform/unless-aborted.js';

/**
 * One flight at a time: a call that comes while another is under way shares that one's result. A signal of its own ends
 * the wait of its caller alone.
 */
export function singleFlight<Options extends { signal?: AbortSignal | undefined }, Result>(
  fly: (options?: Options) => Promise<Result>,
  interrupted: (reason: unknown) => Result,
): (options?: Options) => Promise<Result> {
  let flight: Promise<Result> | undefined;
  return async (options) => {
    if (flight) {
      const signal = options?.signal;
      return signal ? unlessAborted(flight, signal).catch(interrupted) : flight;
    }
    flight = fly(options).finally(() => {
      flight = undefined;
    });
    return flight;
  };
}
