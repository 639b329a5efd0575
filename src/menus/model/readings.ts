import type { Profile } from '../../profile/profile.js';

/** How a service counts and prices selections (gaps MENU-6 and MENU-7). */
export interface MenuReadings {
  /** Whether a selection counts as often as its quantity says. */
  readonly countsQuantities: boolean;
  /** Whether a nested price counts as often as its holder. */
  readonly multipliesNested: boolean;
}

const OURS: MenuReadings = { countsQuantities: true, multipliesNested: true };

const known = new WeakMap<object, MenuReadings>();

/** Remembers what a profile says, for the items of an index. */
export function keepReadings(items: readonly object[], profile: Profile | undefined): void {
  if (profile === undefined) return;
  const { 'MENU-6': counted, 'MENU-7': nested } = profile.choices;
  const readings = { countsQuantities: counted !== 'selections', multipliesNested: nested !== 'once' };
  for (const item of items) known.set(item, readings);
}

export const readingsOf = (item: object): MenuReadings => known.get(item) ?? OURS;
