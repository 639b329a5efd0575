import type { MenuMetadata } from '../../contract/index.js';
import { type Change, menuSubject } from '../event/event-changes.js';
import { milliseconds, serviceTime, timestamp } from '../event/service-time.js';
import { afterMissedChange, afterReading, firstNote, isMissed, type Known } from '../state/known-state.js';
import { missedEvent, type ReconcileStep } from './missed-change.js';

const MENU = 'menu';

/** Whether handlers have missed a change of a location's menu. */
export function planMenu(known: Known, menu: MenuMetadata, readAt: number): ReconcileStep[] {
  const change: Change = { facet: MENU, state: menu.version_hash, at: serviceTime(menu.last_modified) };
  const before = known.get(MENU);
  if (!before) return [{ known: new Map([[MENU, firstNote(change)]]) }];
  if (!isMissed(before, change)) return [{ known: new Map([[MENU, afterReading(before, change)]]) }];
  const at = menu.last_modified ?? timestamp(readAt);
  const place = milliseconds(menu.last_modified) ?? `#${before.place + 1}`;
  const data = {
    location_id: menu.location_id,
    version_hash: menu.version_hash,
    change_type: 'FULL_UPDATE',
    changed_at: at,
  };
  const identity = `${menuSubject(menu.location_id)}:${menu.version_hash}:${place}`;
  return [
    {
      event: missedEvent('menu.changed', identity, at, data),
      known: new Map([[MENU, afterMissedChange(before, change)]]),
    },
  ];
}
