/** The modules of Node that this package uses when the runtime has them. */
export interface NodeBuiltins {
  'node:buffer': typeof import('node:buffer');
  'node:crypto': typeof import('node:crypto');
  'node:diagnostics_channel': typeof import('node:diagnostics_channel');
  'node:fs': typeof import('node:fs');
  'node:fs/promises': typeof import('node:fs/promises');
  'node:module': typeof import('node:module');
  'node:os': typeof import('node:os');
  'node:path': typeof import('node:path');
  'node:zlib': typeof import('node:zlib');
}

/**
 * A module of Node; `undefined` where the runtime does not offer it. It is not imported, so that bundles for other
 * runtimes need not resolve it.
 */
export function nodeBuiltin<Name extends keyof NodeBuiltins>(name: Name): NodeBuiltins[Name] | undefined {
  // A bundler may put an incomplete `process` in the place of Node's.
  const runtime = globalThis.process as { getBuiltinModule?: (id: string) => unknown } | undefined;
  return runtime?.getBuiltinModule?.(name) as NodeBuiltins[Name] | undefined;
}
