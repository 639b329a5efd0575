import { ConfigurationError } from '../errors/local.js';
import { unknownOption } from '../platform/unknown-option.js';

/**
 * Refuses an option that does not exist: a misspelt one would be ignored, and an order paid without its journal, or a
 * price accepted that nobody was asked about.
 */
export function refuseUnknownOptions<Options extends object>(
  options: Options,
  known: Readonly<Record<keyof Options, true>>,
): void {
  const unknown = unknownOption(options, Object.keys(known));
  if (unknown) throw new ConfigurationError(`${unknown.message} Nothing was sent.`);
}
