import type { CertifyReport, CheckResult } from '../result.js';
import { escapeXml } from './escape-xml.js';
import { bySection, gapSentence } from './summary.js';

/** The report as JUnit XML, which CI systems show: a suite for each section, and one for the gaps. */
export function junitOf(report: CertifyReport): string {
  const gaps: CheckResult[] = report.gaps.map((gap) => ({
    section: 'Gaps',
    row: `${gap.row}: ${gapSentence(gap)}`,
    outcome: gap.reading === undefined ? 'not_tried' : 'holds',
    note: gap.reading === undefined ? gap.note : '',
    requestIds: gap.requestIds,
    ms: 0,
  }));
  const suites = [...bySection([...gaps, ...report.checks])];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="online-ordering-sdk certify" time="${report.seconds}">`,
    ...suites.flatMap(([name, checks]) => [
      `  <testsuite name="${escapeXml(name)}" tests="${checks.length}" failures="${countOf(checks, 'differs')}" skipped="${countOf(checks, 'not_tried')}" timestamp="${report.startedAt}">`,
      ...checks.map(testcase),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

const countOf = (checks: readonly CheckResult[], outcome: CheckResult['outcome']): number =>
  checks.filter((check) => check.outcome === outcome).length;

function testcase({ section, row, outcome, note, requestIds, ms }: CheckResult): string {
  const open = `    <testcase classname="${escapeXml(section)}" name="${escapeXml(row)}" time="${ms / 1000}"`;
  const ids = requestIds.length > 0 ? `requests ${requestIds.join(', ')}` : '';
  if (outcome === 'holds') return `${open}/>`;
  if (outcome === 'not_tried') return `${open}><skipped message="${escapeXml(note)}"/></testcase>`;
  return `${open}><failure message="${escapeXml(note)}">${escapeXml(ids)}</failure></testcase>`;
}
