import type { ServiceState } from '../../state/state.js';
import { scheduleHours } from './change-location.js';

/** Goes on with what stores have announced: opening hours to come. */
export function resumeStores(state: ServiceState): void {
  for (const record of state.locations.values()) {
    for (const toCome of record.hoursToCome ?? []) scheduleHours(state, record, toCome);
  }
}
