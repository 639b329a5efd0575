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

/** A part of the interface that can be switched off for a partner (planned, Authentication rule 8; gap AUTH-2). */
export type Feature = (typeof FEATURES)[number][0];

export const FEATURE_NAMES = FEATURES.map(([name]) => name);

export function featureOf(path: string): Feature | undefined {
  return FEATURES.find(([, part]) => path.includes(part))?.[0];
}
