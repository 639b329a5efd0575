import { v4, validate, version } from 'uuid';

/** A fresh UUID v4. */
export function newUuid(): string {
  return v4();
}

/** True for a UUID of version 4, in either case. */
export function isUuidV4(text: unknown): boolean {
  return typeof text === 'string' && validate(text) && version(text) === 4;
}
