import type { DoctorReport } from './doctor.js';
import type { Finding, Verdict } from './finding.js';
import type { Difference } from './reads.js';

const MARKS: Readonly<Record<Verdict, string>> = { ok: 'ok', warning: 'WARNING', wrong: 'WRONG', skipped: '-' };

/** One finding as lines: what was found, and below it what to do. */
export function findingLines({ check, verdict, found, advice, ms }: Finding): string[] {
  const time = ms === undefined ? '' : `  (${ms} ms)`;
  return [
    `${MARKS[verdict].padEnd(8)} ${check.padEnd(12)} ${found}${time}`,
    ...(advice ? [`${' '.repeat(22)}=> ${advice}`] : []),
  ];
}

/** What is said at the end: the differences as a table, and the sum. */
export function endLines({ findings, differences, exitCode }: DoctorReport): string[] {
  const count = (verdict: Verdict): number => findings.filter((finding) => finding.verdict === verdict).length;
  const sum = `${count('ok')} ok, ${count('warning')} warnings, ${count('wrong')} wrong`;
  return [...differenceTable(differences), '', exitCode === 0 ? `All is well: ${sum}.` : `${sum}.`];
}

function differenceTable(differences: readonly Difference[]): string[] {
  if (differences.length === 0) return [];
  const rows = differences.map(({ endpoint, path, kind, count }) => [endpoint, path || '(body)', kind, `${count}x`]);
  const all = [['endpoint', 'where', 'how', 'times'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]!.length)));
  return [
    '',
    ...all.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
  ];
}
