import { paginate } from '../kernel/pagination.js';
import type { Handler, Route } from '../kernel/route.js';
import { locationInScope } from '../operations/owned-records.js';

const list: Handler = (request, state) => {
  const scope = state.partners.get(request.partnerId)?.locationIds;
  const locations = [...state.locations.values()]
    .filter(({ active, location }) => active && scope?.has(location.id))
    .map(({ location }) => location);
  const body = paginate(request.query, locations, { list: 'locations', defaultLimit: 20, maximumLimit: 100 });
  return { status: 200, body };
};

const retrieve: Handler = (request, state) => {
  const { location } = locationInScope(state, request.partnerId, request.params.location_id ?? '');
  return { status: 200, body: location };
};

export const routes: readonly Route[] = [
  { method: 'GET', path: '/locations', handler: list, idempotency: 'none', scope: 'partner' },
  { method: 'GET', path: '/locations/{location_id}', handler: retrieve, idempotency: 'none', scope: 'location' },
];
