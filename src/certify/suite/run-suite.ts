import { GAPS, type GapRow } from '../../profile/gaps.js';
import type { CheckResult } from '../result.js';
import type { Scene } from '../scene.js';
import { BEYOND } from './beyond.js';
import { isCannotTry, isDiffers } from './outcome.js';
import type { SuiteRow } from './suite.js';
import { suiteFetch } from './suite-fetch.js';

export interface SuiteRun {
  readonly now: () => number;
  readonly tell: (result: CheckResult) => void;
  /** Rows of sections that begin otherwise are left out of the run, and of the report. */
  readonly only?: readonly string[] | undefined;
}

/** Holds a service to the rows of the contract suite that can be reached from outside, one after the other. */
export async function runSuite(scene: Scene, { now, tell, only }: SuiteRun): Promise<CheckResult[]> {
  // A large module, which the gaps alone do not need.
  const { loadSuite } = await import('./load.js');
  const suite = await loadSuite();
  const { paymentToken, promoCode, giftCard, loyaltyAccount } = scene.settings;
  suite.open({
    credentials: { ...scene.wire.credentials },
    fetch: suiteFetch(scene),
    given: {
      payment_token: paymentToken,
      promo_code: promoCode,
      gift_card_number: giftCard?.number,
      gift_card_pin: giftCard?.pin ?? '',
      loyalty_account_id: loyaltyAccount,
    },
  });
  const results: CheckResult[] = [];
  for (const row of await suite.rows()) {
    if (!isWanted(row.section, only)) continue;
    const result = await runRow(row, scene, now);
    results.push(result);
    tell(result);
  }
  for (const [section, row, note] of BEYOND) {
    if (!isWanted(section, only)) continue;
    const common = { section: chapterOf(section), row: `${section}: ${row}`, requestIds: [], ms: 0 };
    results.push({ ...common, outcome: 'not_tried', note });
  }
  return results;
}

const isWanted = (section: string, only: SuiteRun['only']): boolean =>
  only === undefined || only.some((start) => section.toLowerCase().startsWith(start.toLowerCase()));

async function runRow(row: SuiteRow, scene: Scene, now: () => number): Promise<CheckResult> {
  const [place, startedMs] = [scene.wire.log.length, now()];
  const result = (outcome: CheckResult['outcome'], note: string): CheckResult => ({
    section: chapterOf(row.section),
    row: row.section === '' ? row.row : `${row.section}: ${row.row}`,
    outcome,
    note: scene.wire.withoutSecrets(note),
    requestIds: idsBehind(row, scene, place),
    ms: now() - startedMs,
  });
  try {
    await row.run();
    return result('holds', '');
  } catch (error) {
    if (isCannotTry(error)) return result('not_tried', error.message);
    const turned = otherReadings(row, scene);
    if (turned !== '') return result('not_tried', `the service chose otherwise in ${turned}`);
    if (isDiffers(error)) return result('differs', error.message);
    // A body of another shape than a row reads is a difference, too.
    return result(
      'differs',
      `the response could not be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** What rows read once for all of them: menus and locations, and the records of which each field is a row. */
const READ_BEFORE: readonly (readonly [section: RegExp, request: RegExp])[] = [
  [/^Resources, Location|^General conventions|^Versioning/, /^GET \/locations(\/\{location_id\})?$/],
  [/[Mm]enu|category|modifier|^Limits$|^Resources, ModifierSelection$/, /\/menu$/],
  [/./, /^GET (\/orders|\/carts)\/|^POST /],
];

/** Ids of a row's own requests, or of those whose responses it looks at once more. */
function idsBehind({ section }: SuiteRow, scene: Scene, place: number): string[] {
  const own = scene.requestIdsSince(place);
  const [, request] = READ_BEFORE.find(([sections]) => sections.test(section))!;
  return own.length > 0 ? own : scene.requestIdsOf(request);
}

/** The gaps that a row takes in our reading, and the service in another: what it holds then is decided there. */
function otherReadings({ gaps }: SuiteRow, { choices }: Scene): string {
  const isTurned = (row: string): boolean => {
    const reading = choices[row as GapRow];
    return reading !== undefined && GAPS[row as GapRow][0] !== reading;
  };
  return gaps
    .filter(isTurned)
    .map((row) => `${row} (\`${choices[row as GapRow]}\`)`)
    .join(', ');
}

/** Chapters of which a report has one table, by how the sections of rows begin. */
const CHAPTERS: readonly (readonly [begins: RegExp, chapter: string])[] = [
  [/^(Errors|Error envelope)/, 'Errors'],
  [/^(Events)/, 'Events'],
  [/^(States|Payment record status)/, 'States'],
  [/^(Limits|Rate limits)/, 'Limits'],
  [/^(PriceCalculation|DiscountLineItem)/, 'Prices'],
  [/^(Resources|Payment record|Payment$|MenuItem|Order$|HandoffMode)/, 'Resources'],
];

/** `Cart rules 1, Errors 422` belongs to `Cart rules`. */
export function chapterOf(section: string): string {
  const [, chapter] = CHAPTERS.find(([begins]) => begins.test(section)) ?? [];
  return chapter ?? (section.split(/,| \d/)[0] || 'Other');
}
