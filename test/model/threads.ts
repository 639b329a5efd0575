/** Work of the Web Crypto that is under way in threads, which nothing else shows. */
let underWay = 0;

const METHODS = ['decrypt', 'deriveKey', 'digest', 'encrypt', 'importKey', 'sign', 'verify'] as const;

const { subtle } = globalThis.crypto;
const prototype = Object.getPrototypeOf(subtle) as Record<string, (...args: unknown[]) => Promise<unknown>>;
for (const name of METHODS) {
  const method = prototype[name] as (...args: unknown[]) => Promise<unknown>;
  prototype[name] = function counted(this: unknown, ...args: unknown[]) {
    underWay += 1;
    return method.apply(this, args).finally(() => {
      underWay -= 1;
    });
  };
}

/** Whether time has to stand still, since a thread is at work for somebody. */
export function isAtWork(): boolean {
  return underWay > 0;
}
