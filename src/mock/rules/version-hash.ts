import { createHash } from 'node:crypto';
import type { Menu } from '../../contract/index.js';

/** The `version_hash` of a menu: it changes with the content, and with nothing else. */
export function versionHash(menu: Pick<Menu, 'location_id' | 'categories'>): string {
  const content = JSON.stringify([menu.location_id, menu.categories]);
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
