import { ConfigurationError } from '../../../errors/local.js';

interface Builtins {
  'node:crypto': typeof import('node:crypto');
  'node:fs': typeof import('node:fs');
  'node:fs/promises': typeof import('node:fs/promises');
  'node:os': typeof import('node:os');
  'node:path': typeof import('node:path');
}

/** A module of Node, asked for when it is used, so that runtimes without it can import this package. */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  const module = optionalBuiltin(name);
  if (module) return module;
  throw new ConfigurationError(
    `Payments with a journal need the module ${name}, which this runtime does not offer. Use Node 20.19 or newer, ` +
      'Bun, Deno, or Workers with the compatibility flag nodejs_compat.',
  );
}

export function optionalBuiltin<Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined {
  if (typeof process === 'undefined' || typeof process.getBuiltinModule !== 'function') return undefined;
  return process.getBuiltinModule(name) as Builtins[Name] | undefined;
}
