import { Refusal } from '../refusals/refusal.js';
import { featureOf } from '../state/features.js';
import type { ServiceState } from '../state/state.js';
import type { Route } from './route.js';

/** 403 where a feature is switched off for the partner. */
export function checkFeature(state: ServiceState, partnerId: string, route: Route): void {
  const feature = featureOf(route.path);
  if (feature === undefined || !state.partners.get(partnerId)?.withoutFeatures.has(feature)) return;
  throw new Refusal({
    status: 403,
    code: 'AUTHENTICATION_ERROR',
    message: 'Insufficient permissions',
    detail: `The feature ${feature} is not enabled for this partner account.`,
    field: null,
  });
}
