import type { ServiceState } from '../state/state.js';
import { Refusal } from './message.js';
import type { Route } from './route.js';

/** What a partner can be given or not, by where it begins in a path; the first that fits counts. */
const FEATURES = [
  ['payments', '/payments'],
  ['refunds', '/refunds'],
  ['cancel', '/cancel'],
  ['promo_codes', '/promo-codes'],
  ['checkout', '/checkout'],
  ['inventory', '/inventory'],
  ['menus', '/menu'],
  ['carts', '/carts'],
  ['orders', '/orders'],
  ['webhooks', '/webhooks'],
  ['locations', '/locations'],
] as const;

/** A part of the interface that can be switched off for a partner (planned, Authentication rule 8; gap AUTH-1). */
export type Feature = (typeof FEATURES)[number][0];

export const FEATURE_NAMES = FEATURES.map(([name]) => name);

export function featureOf(path: string): Feature | undefined {
  return FEATURES.find(([, part]) => path.includes(part))?.[0];
}

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
