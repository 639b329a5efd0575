import type { LocationRecord, MemberDefinition, PromoDefinition } from '../state/state.js';
import { sampleLocations } from './locations.js';
import { sampleMembers, samplePromoCodes } from './magic.js';
import { createSampleIds, type SampleIds } from './sample-ids.js';

export { magic } from './magic.js';
export type { SampleItem } from './menu-table.js';
export type { SampleIds, SampleLocation, SelectOptions } from './sample-ids.js';

export interface SampleOptions {
  /** The same seed gives the same ids, menus and hashes. */
  readonly seed: number;
  /** When the service starts, in milliseconds: the time stamp of menus and stock, and what expiry counts from. */
  readonly startMs: number;
}

/** A believable chain of stores, new for each service: nothing in it is shared between two calls. */
export interface Samples {
  readonly locations: readonly LocationRecord[];
  readonly promoCodes: readonly PromoDefinition[];
  readonly members: readonly MemberDefinition[];
  readonly ids: SampleIds;
}

export function createSamples({ seed, startMs }: SampleOptions): Samples {
  return {
    locations: sampleLocations(seed, new Date(startMs).toISOString()),
    promoCodes: samplePromoCodes(seed, startMs),
    members: sampleMembers(seed),
    ids: createSampleIds(seed),
  };
}
