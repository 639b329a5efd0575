import type { CertifyReport, CheckResult, GapResult, Outcome } from '../result.js';

/** How often each outcome came. */
export interface Summary {
  readonly holds: number;
  readonly differs: number;
  readonly notTried: number;
  /** Gaps in which the service chose as this package does. */
  readonly asChosen: number;
  /** Gaps in which it chose otherwise. */
  readonly otherwise: number;
  readonly undecided: number;
}

export function summaryOf({ checks, gaps }: CertifyReport): Summary {
  const count = (outcome: Outcome): number => checks.filter((check) => check.outcome === outcome).length;
  return {
    holds: count('holds'),
    differs: count('differs'),
    notTried: count('not_tried'),
    asChosen: gaps.filter(({ isOurs }) => isOurs).length,
    otherwise: gaps.filter(({ reading, isOurs }) => reading !== undefined && !isOurs).length,
    undecided: gaps.filter(({ reading }) => reading === undefined).length,
  };
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
