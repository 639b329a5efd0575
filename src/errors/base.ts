/**
 * Gives a class a brand, so that `instanceof` holds between the ESM and the CommonJS build, and between two copies of
 * the package in one process. Subclasses carry the brands of their parents.
 */
export function brand(target: abstract new (...args: never[]) => Error, name: string): void {
  const mark = Symbol.for(`online-ordering-sdk.${name}`);
  Object.defineProperties(target.prototype, {
    [mark]: { value: true },
    name: { value: name, configurable: true, writable: true },
  });
  Object.defineProperty(target, Symbol.hasInstance, {
    value(this: unknown, candidate: unknown): boolean {
      // A subclass made by a partner inherits this function, and is then recognised in the ordinary way.
      if (this !== target) return Function.prototype[Symbol.hasInstance].call(this, candidate);
      return typeof candidate === 'object' && candidate !== null && mark in candidate;
    },
  });
}

/** The family that every error of this package belongs to. */
export class OnlineOrderingError extends Error {}
brand(OnlineOrderingError, 'OnlineOrderingError');
