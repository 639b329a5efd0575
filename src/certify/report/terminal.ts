import type { CertifyReport, CheckResult, GapResult } from '../result.js';
import { bySection, countsOf, countsText, gapSentence, summaryOf } from './summary.js';

/** One result as a line, told while `certify` runs; `undefined` for a row that holds or could not be tried: there are hundreds. */
export function resultLine(result: GapResult | CheckResult): string | undefined {
  if (!('outcome' in result)) {
    const mark = result.reading === undefined ? '-' : result.isOurs ? 'ok' : 'OTHER';
    return `${mark.padEnd(8)} ${result.row.padEnd(9)} ${gapSentence(result)}`;
  }
  if (result.outcome !== 'differs') return undefined;
  const ids = result.requestIds.length > 0 ? `  [${result.requestIds.join(', ')}]` : '';
  return `DIFFERS  ${result.row}: ${result.note}${ids}`;
}

/** What is said at the end: each section, and the whole. */
export function endLines(report: CertifyReport): string[] {
  const { holds, differs, notTried, asChosen, otherwise, undecided } = summaryOf(report);
  const sections = [...bySection(report.checks)].map(([name, checks]) => {
    const section = countsOf(checks);
    const mark = section.differs > 0 ? 'DIFFERS' : section.holds > 0 ? 'ok' : '-';
    return `${mark.padEnd(8)} ${name.padEnd(22)} ${countsText(section)}`;
  });
  return [
    '',
    ...sections,
    '',
    `${holds} rows hold, ${differs} differ, ${notTried} could not be tried.`,
    `${asChosen} gaps are as this package chose, ${otherwise} otherwise, ${undecided} undecided.`,
    `${report.requests} requests in ${report.seconds} s.`,
  ];
}
