import type { CertifyReport, CheckResult, GapResult } from '../result.js';
import { gapSentence, summaryOf } from './summary.js';

const MARKS = { holds: 'ok', differs: 'DIFFERS', not_tried: '-' } as const;

/** One result as a line, told while `certify` runs. */
export function resultLine(result: GapResult | CheckResult): string {
  if (!('outcome' in result)) {
    const mark = result.reading === undefined ? '-' : result.isOurs ? 'ok' : 'OTHER';
    return `${mark.padEnd(8)} ${result.row.padEnd(9)} ${gapSentence(result)}`;
  }
  const { outcome, section, row, note, requestIds } = result;
  const why = note ? `: ${note}` : '';
  const ids = outcome === 'differs' && requestIds.length > 0 ? `  [${requestIds.join(', ')}]` : '';
  return `${MARKS[outcome].padEnd(8)} ${section}: ${row}${why}${ids}`;
}

/** What is said at the end. */
export function endLines(report: CertifyReport): string[] {
  const { holds, differs, notTried, asChosen, otherwise, undecided } = summaryOf(report);
  return [
    '',
    `${holds} rows hold, ${differs} differ, ${notTried} could not be tried.`,
    `${asChosen} gaps are as this package chose, ${otherwise} otherwise, ${undecided} undecided.`,
    `${report.requests} requests in ${report.seconds} s.`,
  ];
}
