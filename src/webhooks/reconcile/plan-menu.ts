import type { MenuMetadata } from '../../contract/index.js';
import { type Change, menuSubject, milliseconds, timestamp } from '../event/event-changes.js';
import { isMissed, type Known, withMissedChange, withNote, withReading } from '../state/known-state.js';
import { missedEvent, type ReconcileStep } from './missed-change.js';

/** Whether handlers have missed a change of a location's menu. */
export function planMenu(known: Known, menu: MenuMetadata, readAt: number): ReconcileStep[] {
  const change: Change = { facet: 'menu', state: menu.version_hash, at: milliseconds(menu.last_modified) };
  const before = known.get('menu');
  if (!before) return [{ known: withNote(known, change) }];
  if (!isMissed(before, change)) return [{ known: withReading(known, change) }];
  const at = menu.last_modified ?? timestamp(readAt);
  const identity = `${menuSubject(menu.location_id)}:${menu.version_hash}:${change.at ?? `#${before.place + 1}`}`;
  const data = {
    location_id: menu.location_id,
    version_hash: menu.version_hash,
    change_type: 'FULL_UPDATE',
    changed_at: at,
  };
  return [{ event: missedEvent('menu.changed', identity, at, data), known: withMissedChange(known, change, readAt) }];
}
