import { ConfigurationError } from '../errors/local.js';

/**
 * Refuses an option that does not exist: a misspelt one would be ignored, and an order paid without its journal, or a
 * price accepted that nobody was asked about.
 */
export function refuseUnknownOptions<Options extends object>(
  options: Options,
  known: Readonly<Record<keyof Options, true>>,
): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  throw new ConfigurationError(
    `The option "${unknown}" does not exist; known are ${Object.keys(known).join(', ')}. Nothing was sent.`,
  );
}
