import { GAP_ROWS, GAPS, type GapRow, type Reading } from './gaps.js';

/** The format of profiles that this version writes and reads. */
export const PROFILE_FORMAT = 1;

/** Which reading of each gap holds; a row that is left out holds as this package chooses without a profile. */
export type Choices = { readonly [Row in GapRow]?: Reading<Row> };

/** The readings of each row that editors offer; a profile of a later version may have others. */
type Readings = { [Row in GapRow]: Reading<Row> | (string & {}) | undefined };

/**
 * What a service chose where the interface document is silent: the content of `online-ordering.profile.json`, which
 * `online-ordering-sdk certify` writes. Client, webhook receiver, menu index and mock service take it as `profile`.
 *
 * @see docs/first-hour.md
 */
export interface Profile {
  /** The format of the file: 1. */
  readonly format: number;
  /** By row of `docs/interface-gaps.md`: `{ 'PAY-1': 'money', 'MENU-3': 'modifierGroups' }`. */
  readonly choices: Readonly<Partial<Readings>>;
}

/** The choices of a profile, or what is wrong with it and what to write instead. */
export function readProfile(profile: unknown): { readonly choices: Choices } | { readonly problem: string } {
  if (!isObject(profile)) return { problem: `it is not an object; ${HOW}` };
  const { format, choices } = profile;
  if (format !== PROFILE_FORMAT) {
    const newer = typeof format === 'number' && format > PROFILE_FORMAT;
    return {
      problem: newer
        ? `its format is ${format}, and this version reads ${PROFILE_FORMAT}; update online-ordering-sdk, or write the profile again`
        : `its "format" is ${shown(format)}; write ${PROFILE_FORMAT}`,
    };
  }
  if (!isObject(choices)) return { problem: `its "choices" is ${shown(choices)}; ${HOW}` };
  for (const [row, reading] of Object.entries(choices)) {
    if (reading === undefined) continue;
    const problem = problemOf(row, reading);
    if (problem) return { problem };
  }
  return { choices: choices as Choices };
}

const HOW = "write for example { format: 1, choices: { 'PAY-1': 'money' } }";

function problemOf(row: string, reading: unknown): string | undefined {
  if (!isRow(row)) {
    const meant = GAP_ROWS.find((known) => known.toLowerCase() === row.toLowerCase());
    if (meant) return `its choices have "${row}"; write "${meant}"`;
    return `its choices have "${row}", which is no gap that can be decided; known are ${GAP_ROWS.join(', ')}`;
  }
  const readings: readonly string[] = GAPS[row];
  if (readings.some((one) => one === reading)) return undefined;
  return `${row} is ${shown(reading)}; write ${readings.map((one) => `"${one}"`).join(' or ')}`;
}

const isRow = (row: string): row is GapRow => Object.hasOwn(GAPS, row);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : value === undefined ? 'missing' : String(value);
