import type { DayHours, Location } from '../../../contract/index.js';
import { localMidnight } from '../../rules/local-midnight.js';
import type { LocationRecord, ServiceState } from '../../state/state.js';
import { timestampNow } from '../../time/timestamp.js';
import { emitToAll, locationNamed } from './store-events.js';

/** Changes the opening hours of a location: at once, or at the local midnight with which `effectiveDate` begins. */
export function changeHours(
  state: ServiceState,
  locationId: string,
  hours: readonly DayHours[],
  effectiveDate: string | null,
): void {
  const record = locationNamed(state, locationId);
  const previous = record.location.business_hours ?? [];
  const current = structuredClone([...hours]);
  const startsInMs =
    effectiveDate === null ? 0 : localMidnight(effectiveDate, record.location.timezone) - state.clock.now();
  if (startsInMs > 0) {
    const toCome = { fromMs: state.clock.now() + startsInMs, hours: current };
    record.hoursToCome = [...(record.hoursToCome ?? []), toCome];
    scheduleHours(state, record, toCome);
  } else record.location = { ...record.location, business_hours: current };
  emitToAll(state, 'location.hours_changed', {
    location_id: record.location.id,
    previous_hours: previous,
    current_hours: current,
    effective_date: effectiveDate,
    changed_at: timestampNow(state.clock),
  });
}

type HoursToCome = NonNullable<LocationRecord['hoursToCome']>[number];

/** Lets hours hold from their instant on. */
export function scheduleHours(state: ServiceState, record: LocationRecord, toCome: HoursToCome): void {
  const apply = (): void => {
    record.location = { ...record.location, business_hours: [...toCome.hours] };
    record.hoursToCome = record.hoursToCome!.filter((one) => one !== toCome);
  };
  state.clock.setTimer(apply, Math.max(0, toCome.fromMs - state.clock.now()));
}

/** Changes other facts of a location. They have no event. */
export function changeLocation(
  state: ServiceState,
  locationId: string,
  { active, ...fields }: Partial<Omit<Location, 'id' | 'business_hours'>> & { readonly active?: boolean | undefined },
): Location {
  const record = locationNamed(state, locationId);
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  record.location = { ...record.location, ...structuredClone(Object.fromEntries(given)) };
  if (active !== undefined) record.active = active;
  return structuredClone(record.location);
}

/** Whether carts can be made and checked out at a location (gaps LOC-5 and LOC-9). */
export const takesOrders = (record: LocationRecord): boolean =>
  record.active && record.location.online_ordering_enabled;
