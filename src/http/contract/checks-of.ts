import type { Operation } from '../exchange/operation.js';
import type { Check } from './check-parts.js';
import { compiledChecks } from './compiled-checks.js';

const checks: Readonly<Record<string, { readonly request?: Check; readonly response?: Check } | undefined>> =
  compiledChecks;

/** The compiled checks of an operation; `undefined` for one that this package does not know. */
export function checksOf({ name }: Operation) {
  return Object.hasOwn(checks, name) ? checks[name] : undefined;
}
