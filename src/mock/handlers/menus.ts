import type { Handler, Route } from '../kernel/route.js';
import { locationInScope } from '../operations/owned-records.js';

const retrieve: Handler = (request, state) => {
  const { menu } = locationInScope(state, request.partnerId, request.params.location_id ?? '');
  return { status: 200, body: menu };
};

const retrieveMetadata: Handler = (request, state) => {
  const { menu } = locationInScope(state, request.partnerId, request.params.location_id ?? '');
  const { location_id, last_modified, version_hash } = menu;
  return { status: 200, body: { location_id, last_modified, version_hash } };
};

export const routes: readonly Route[] = [
  { method: 'GET', path: '/locations/{location_id}/menu', handler: retrieve, idempotency: 'none', scope: 'location' },
  {
    method: 'GET',
    path: '/locations/{location_id}/menu/metadata',
    handler: retrieveMetadata,
    idempotency: 'none',
    scope: 'location',
  },
];
