import type { CertifyReport, CheckResult, GapResult, Outcome } from '../result.js';

/** How often each outcome came. */
export interface Counts {
  readonly holds: number;
  readonly differs: number;
  readonly notTried: number;
}

export interface Summary extends Counts {
  /** Gaps in which the service chose as this package does. */
  readonly asChosen: number;
  /** Gaps in which it chose otherwise. */
  readonly otherwise: number;
  readonly undecided: number;
}

export function summaryOf({ checks, gaps }: CertifyReport): Summary {
  return {
    ...countsOf(checks),
    asChosen: gaps.filter(({ isOurs }) => isOurs).length,
    otherwise: gaps.filter(({ reading, isOurs }) => reading !== undefined && !isOurs).length,
    undecided: gaps.filter(({ reading }) => reading === undefined).length,
  };
}

export function countsOf(checks: readonly CheckResult[]): Counts {
  const count = (outcome: Outcome): number => checks.filter((check) => check.outcome === outcome).length;
  return { holds: count('holds'), differs: count('differs'), notTried: count('not_tried') };
}

/** `12 hold, 1 differs, 3 could not be tried`; what did not come is left out. */
export function countsText({ holds, differs, notTried }: Counts): string {
  const parts = [
    holds > 0 && `${holds} hold`,
    differs > 0 && `${differs} differ`,
    notTried > 0 && `${notTried} could not be tried`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  holds: 'holds',
  differs: 'differs',
  not_tried: 'could not be tried',
};

/** A gap in one sentence: `amount of a payment request: Money`. */
export function gapSentence({ about, reading, note }: GapResult): string {
  return reading === undefined ? `${about}: undecided, ${note}` : `${about}: ${note}`;
}

/** How a gap stands, in a word or two. */
export function gapState({ reading, isOurs }: GapResult): string {
  if (reading === undefined) return 'undecided';
  return isOurs ? 'as chosen here' : 'otherwise';
}

/** The checks by their section, in the order of the report. */
export function bySection(checks: readonly CheckResult[]): ReadonlyMap<string, CheckResult[]> {
  const sections = new Map<string, CheckResult[]>();
  for (const check of checks) sections.set(check.section, [...(sections.get(check.section) ?? []), check]);
  return sections;
}
