import { GAPS, type GapRow, type Reading } from '../../profile/gaps.js';
import { type Choices, PROFILE_FORMAT, type Profile } from '../../profile/profile.js';
import { CannotTry, Differs, type GapResult } from '../result.js';
import type { Scene } from '../scene.js';
import { CART_DECIDERS } from './carts.js';
import type { Decider } from './decider.js';
import { DELIVERY_DECIDERS } from './deliveries.js';
import { MODIFIER_DECIDERS } from './modifiers.js';
import { ORDER_DECIDERS } from './orders.js';
import { PRICE_DECIDERS } from './prices.js';
import { STORE_DECIDERS } from './stores.js';
import { TENDER_DECIDERS } from './tenders.js';

/**
 * Every gap that can be decided, in the order in which they are: what a row needs stands before it. A row without a decider
 * does not compile.
 */
export const DECIDERS: { readonly [Row in GapRow]: Decider<Row> } = {
  ...STORE_DECIDERS,
  ...CART_DECIDERS,
  ...MODIFIER_DECIDERS,
  ...PRICE_DECIDERS,
  ...ORDER_DECIDERS,
  ...TENDER_DECIDERS,
  ...DELIVERY_DECIDERS,
};

/** Rows that others would be disturbed by: a token may be revoked. */
const LAST: readonly GapRow[] = ['EVT-1', 'SIG-1', 'LIM-2'];

/** Decides one gap after the other; each that is decided holds for the requests that follow. */
export async function decideGaps(scene: Scene, tell: (result: GapResult) => void = () => {}): Promise<GapResult[]> {
  const rows = (Object.keys(DECIDERS) as GapRow[]).filter((row) => !LAST.includes(row));
  const results: GapResult[] = [];
  for (const row of [...rows, ...LAST]) {
    const result = await decideOne(scene, row);
    if (result.reading !== undefined) scene.decided({ ...scene.choices, [row]: result.reading });
    results.push(result);
    tell(result);
  }
  return results;
}

async function decideOne(scene: Scene, row: GapRow): Promise<GapResult> {
  const { about, readings, decide } = DECIDERS[row] as Decider;
  const place = scene.wire.log.length;
  const common = { row, about };
  try {
    const reading: Reading = await decide(scene);
    const note = (readings as Readonly<Record<string, string>>)[reading] ?? reading;
    return { ...common, reading, isOurs: GAPS[row][0] === reading, note, requestIds: idsBehind(row, scene, place) };
  } catch (error) {
    const why = error instanceof CannotTry || error instanceof Differs ? error.message : `it failed: ${String(error)}`;
    const note = error instanceof Differs ? `the service does neither: ${why}` : why;
    return { ...common, reading: undefined, isOurs: false, note, requestIds: idsBehind(row, scene, place) };
  }
}

/** The profile of what was found: every row that was decided, so that a later default of this package changes nothing. */
export function profileOf(results: readonly GapResult[]): Profile {
  const decided = results.filter(({ reading }) => reading !== undefined).sort((a, b) => a.row.localeCompare(b.row));
  const choices = Object.fromEntries(decided.map(({ row, reading }) => [row, reading!])) as Choices;
  return { format: PROFILE_FORMAT, choices };
}

/** Ids of the requests of a row, or of the one whose response others have looked at, too. */
function idsBehind(row: GapRow, scene: Scene, place: number): string[] {
  const own = scene.requestIdsSince(place);
  if (own.length > 0) return own;
  return scene.requestIdsOf(
    row.startsWith('MENU-') ? /\/menu$/ : row.startsWith('LOC-') ? /^GET \/locations$/ : /^POST /,
  );
}
