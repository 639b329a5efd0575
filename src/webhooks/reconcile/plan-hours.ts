import type { DayHours } from '../../contract/index.js';
import { type Change, CURRENT_HOURS, hoursOf, hoursState, hoursSubject } from '../event/event-changes.js';
import { timestamp } from '../event/service-time.js';
import { afterMissedChange, afterReading, firstNote, isMissed, type Known } from '../state/known-state.js';
import { missedEvent, type ReconcileStep } from './missed-change.js';

export interface HoursReading {
  readonly locationId: string;
  readonly hours: readonly DayHours[];
  /** When the location was read, in milliseconds. */
  readonly readAt: number;
}

/** Whether handlers have missed a change of a location's hours. */
export function planHours(known: Known, { locationId, hours, readAt }: HoursReading): ReconcileStep[] {
  const change: Change = { facet: CURRENT_HOURS, state: hoursState(hours), at: undefined };
  const before = known.get(CURRENT_HOURS);
  const next = new Map(known);
  if (!before) return [{ known: next.set(CURRENT_HOURS, firstNote(change)) }];
  const announced = announcedDate(known, change.state, readAt);
  if (announced !== undefined) {
    // An event announced these hours; from today they hold.
    next.delete(announced);
    return [{ known: next.set(CURRENT_HOURS, { ...before, state: change.state, place: before.place + 1 }) }];
  }
  if (!isMissed(before, change)) return [{ known: next.set(CURRENT_HOURS, afterReading(before, change)) }];
  const at = timestamp(readAt);
  const data = {
    location_id: locationId,
    previous_hours: hoursOf(before.state),
    current_hours: [...hours],
    effective_date: null,
    changed_at: at,
  };
  return [
    {
      event: missedEvent('location.hours_changed', `${hoursSubject(locationId)}:#${before.place + 1}`, at, data),
      known: next.set(CURRENT_HOURS, afterMissedChange(before, change)),
    },
  ];
}

const DAY_MS = 86_400_000;

/** The date for which an event announced these hours, if that has come anywhere on earth. */
function announcedDate(known: Known, state: string, readAt: number): string | undefined {
  const latestDate = timestamp(readAt + DAY_MS).slice(0, 10);
  for (const [date, facet] of known) {
    if (date !== CURRENT_HOURS && date <= latestDate && facet.state === state) return date;
  }
  return undefined;
}
