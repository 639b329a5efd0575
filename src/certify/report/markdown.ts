import type { CertifyReport } from '../result.js';
import { bySection, gapState, OUTCOME_WORDS, summaryOf } from './summary.js';

/** The report as Markdown, for an issue or a wiki. */
export function markdownOf(report: CertifyReport): string {
  const { holds, differs, notTried, asChosen, otherwise, undecided } = summaryOf(report);
  const ids = (requestIds: readonly string[]): string => requestIds.map((id) => `\`${cell(id)}\``).join(' ');
  return [
    '# Certificate of the online ordering interface',
    '',
    `${cell(report.service)}, ${report.startedAt}, interface ${report.interfaceVersion}, online-ordering-sdk ${report.packageVersion}, ${report.requests} requests in ${report.seconds} s.`,
    '',
    `**${holds} rows hold, ${differs} differ, ${notTried} could not be tried. ${asChosen} gaps are as the package chose, ${otherwise} otherwise, ${undecided} undecided.**`,
    '',
    '## Gaps of the interface document',
    '',
    '| Row | About | Service | State | Requests |',
    '|---|---|---|---|---|',
    ...report.gaps.map(
      (gap) => `| ${gap.row} | ${cell(gap.about)} | ${cell(gap.note)} | ${gapState(gap)} | ${ids(gap.requestIds)} |`,
    ),
    '',
    ...[...bySection(report.checks)].flatMap(([section, checks]) => [
      `## ${section}`,
      '',
      '| Row | Outcome | Note | Requests |',
      '|---|---|---|---|',
      ...checks.map(
        ({ row, outcome, note, requestIds }) =>
          `| ${cell(row)} | ${OUTCOME_WORDS[outcome]} | ${cell(note)} | ${ids(requestIds)} |`,
      ),
      '',
    ]),
  ].join('\n');
}

/** Text of a service must not open columns, tags or lines of its own. */
const cell = (text: string): string => text.replace(/[\r\n]+/g, ' ').replace(/[|<>`[\]]/g, (mark) => `\\${mark}`);
