import { ConfigurationError } from '../../../errors/local.js';
import { type NodeBuiltins, nodeBuiltin } from '../../../platform/node-builtin.js';

/** A module of Node that a journal cannot do without. @throws {ConfigurationError} This runtime does not offer it. */
export function builtin<Name extends keyof NodeBuiltins>(name: Name): NodeBuiltins[Name] {
  const module = nodeBuiltin(name);
  if (module) return module;
  throw new ConfigurationError(
    `Payments with a journal need the module ${name}, which this runtime does not offer. Use Node 20.19 or newer, ` +
      'Bun, Deno, or Workers with the compatibility flag nodejs_compat.',
  );
}
