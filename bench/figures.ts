import { GOALS, type Goal } from './limits.js';

/** The value in the middle, and the ends. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  return { median: at(sorted.length >> 1), min: at(0), max: at(sorted.length - 1) };
}

/** One line of a table: a contestant, and what was measured of it. */
export interface Row {
  readonly name: string;
  /** Relative to the floor in the same rounds; the range is that between processes. */
  readonly ratio?: Spread | undefined;
  readonly value: number;
  readonly unit: string;
  /** What else was measured, by column. */
  readonly more?: Readonly<Record<string, string>>;
}

export interface Table {
  /** Name in `limits.ts` and on the command line. */
  readonly id: string;
  readonly title: string;
  readonly rows: readonly Row[];
}

/** Markdown of one table. */
export function markdown({ title, rows }: Table): string {
  const columns = [...new Set(rows.flatMap(({ more }) => Object.keys(more ?? {})))];
  const hasRatios = rows.some(({ ratio }) => ratio);
  const head = ['', ...(hasRatios ? ['ratio to the floor'] : []), 'measured', ...columns];
  const lines = rows.map(({ name, ratio, value, unit, more }) => [
    name,
    ...(hasRatios ? [ratio ? ratioText(ratio) : ''] : []),
    `${digits(value)} ${unit}`,
    ...columns.map((column) => more?.[column] ?? ''),
  ]);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [`### ${title}`, '', line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n');
}

const ratioText = ({ median, min, max }: Spread): string =>
  `${median.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)})`;

const digits = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en-US') : value.toFixed(value < 10 ? 2 : 1);

/** A goal beside what a run has reached; `undefined` where the run has no such table. */
export interface Reached extends Goal {
  readonly goal: number;
  readonly reached: number;
  readonly range?: Spread | undefined;
}

export function reachedOf({ id, rows }: Table): Reached | undefined {
  const goal = GOALS[id];
  const own = rows.find(({ name }) => name === 'client');
  const limit = goal?.limit === 'stripe' ? rows.find(({ name }) => name === 'stripe')?.value : goal?.limit;
  if (!goal || !own || limit === undefined) return undefined;
  if (goal.of === 'value') return { ...goal, goal: limit, reached: own.value };
  if (!own.ratio) return undefined;
  return { ...goal, goal: limit, reached: goal.of === 'every' ? own.ratio.max : own.ratio.median, range: own.ratio };
}

/** All goals of the tables that were made. */
export function goalsMarkdown(tables: readonly Table[]): string {
  const lines = tables.flatMap((table) => {
    const goal = reachedOf(table);
    if (!goal) return [];
    const shown = goal.range ? ratioText(goal.range) : digits(goal.reached);
    const limit = goal.limit === 'stripe' ? `below stripe, ${digits(goal.goal)}` : String(goal.goal);
    return [`| ${goal.what} | ${limit} | ${shown} | ${goal.reached <= goal.goal ? 'yes' : 'no'} |`];
  });
  if (lines.length === 0) return '';
  return ['| Ratio to the floor, or figure | goal | this run | reached |', '| --- | --- | --- | --- |', ...lines].join(
    '\n',
  );
}
