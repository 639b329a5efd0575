import type { WebhookEvent, WebhookEventType } from '../../../contract/index.js';
import type { LocationRecord, ServiceState } from '../../state/state.js';

/** @throws Error that names the locations there are. */
export function locationNamed(state: ServiceState, locationId: string): LocationRecord {
  const record = state.locations.get(String(locationId).toLowerCase());
  if (record) return record;
  throw new Error(
    `The service has no location ${locationId}. Its locations: ${[...state.locations.keys()].join(', ')}.`,
  );
}

type LocationEventData = Extract<WebhookEvent['data'], { location_id: string }>;

/** Emits an event for every partner that has the location. */
export function emitToAll(state: ServiceState, type: WebhookEventType, data: LocationEventData): void {
  for (const partner of state.partners.values()) {
    if (partner.locationIds.has(data.location_id)) state.emit(partner.id, type, data);
  }
}
