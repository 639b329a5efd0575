/** A name that no other holder of a lease, no other check and no other process has: 128 random bits. */
export function uniqueName(): string {
  return globalThis.crypto.getRandomValues(new BigUint64Array(2)).join('-');
}
