import { createHash } from 'node:crypto';

/** Enough for several seeds; a service has some 1500 ids, and tests make hundreds of services with one seed. */
const REMEMBERED = 20_000;

const remembered = new Map<string, string>();

/** A UUID v4 that depends on its parts only: the same for the same seed and names, in every run. */
export function derivedId(...parts: readonly (string | number)[]): string {
  const name = parts.join('\u0000');
  const known = remembered.get(name);
  if (known !== undefined) return known;
  if (remembered.size >= REMEMBERED) remembered.clear();
  const id = hashedId(name);
  remembered.set(name, id);
  return id;
}

function hashedId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  // Version 4 and the variant of RFC 9562, in their places.
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
