/** A name that no other holder of a lease, no other check and no other process has: 128 random bits. */
export function uniqueName(): string {
  const parts = globalThis.crypto.getRandomValues(new Uint32Array(4));
  return Array.from(parts, (part) => part.toString(36)).join('-');
}
