import { format } from 'node:util';
import { CannotTry } from './outcome.js';
import type { SuiteRow } from './suite.js';

// What the contract suite asks of a test runner, and no more: it collects rows, which are run one by one elsewhere. The
// suite that the package carries has this module in the place of `vitest`.

export { expect } from './expect.js';

type Step = () => unknown;
type Body = (...args: never[]) => unknown;

interface Block {
  readonly title: string;
  readonly outer: Block | undefined;
  /** Each is run once, before the first row below. */
  readonly before: Promise<void>[];
  readonly steps: Step[];
}

const blocks: Block[] = [];

function newBlock(title: string, outer?: Block): Block {
  const made: Block = { title, outer, before: [], steps: [] };
  blocks.push(made);
  return made;
}

const rows: SuiteRow[] = [];
let block = newBlock('');
const finishers: Step[] = [];

export function collected(): readonly SuiteRow[] {
  return rows;
}

/** What was set up for the rows of one service is set up again for those of the next. */
export function startAfresh(): void {
  for (const { before } of blocks) before.length = 0;
}

/** What is declared next stands in a file of its own. */
export function beginFile(): void {
  block = newBlock('');
}

function declareBlock(title: string, declare: () => void): void {
  const outer = block;
  block = newBlock(title, outer);
  declare();
  block = outer;
}

function declareRow(title: string, body: Step, reason?: string): void {
  const home = block;
  const titles = [...blocksOf(home)].map((one) => one.title);
  const run = reason === undefined ? () => runRow(home, body) : () => Promise.reject(new CannotTry(reason));
  rows.push({ ...rowOf(title, titles), ...(reason === undefined ? {} : { reason }), run });
}

async function runRow(home: Block, body: Step): Promise<void> {
  try {
    for (const one of [...blocksOf(home)].reverse()) {
      if (one.before.length === 0) one.before.push(...one.steps.map(async (step) => void (await step())));
      await Promise.all(one.before);
    }
    await body();
  } finally {
    for (const finish of finishers.splice(0)) await finish();
  }
}

/** A block and those around it. */
function* blocksOf(inner: Block): Generator<Block> {
  for (let one: Block | undefined = inner; one; one = one.outer) yield one;
}

const GAP_REMARK = / ?\((?:gap|gaps) [^)]*\)/g;

/** `Cart rules 1 (gap MENU-8): an item is …` as section, row and gaps. */
function rowOf(title: string, blocks: readonly string[]): Pick<SuiteRow, 'section' | 'row' | 'gaps'> {
  const remarks = [title, ...blocks].flatMap((text) => text.match(GAP_REMARK) ?? []);
  const gaps = remarks.flatMap((remark) => remark.match(/[A-Z]+-\d+/g) ?? []);
  const plain = title.replace(GAP_REMARK, '');
  const place = plain.indexOf(': ');
  const [section, row] = place < 0 ? [blocks[0] ?? '', plain] : [plain.slice(0, place), plain.slice(place + 2)];
  return { section, row, gaps: [...new Set(gaps)] };
}

/** A title with the values of its case: `%s` of a list of cases. */
function titled(template: string, values: readonly unknown[], index: number): string {
  const text = template.replaceAll('%#', String(index));
  const places = text.match(/%[sdifjoO]/g)?.length ?? 0;
  return format(text, ...values.slice(0, places));
}

type Declare = (title: string, body: Step) => void;

function declarer(declare: Declare) {
  const each =
    (cases: readonly unknown[]) =>
    (template: string, body: Body): void => {
      for (const [index, one] of cases.entries()) {
        const values: readonly unknown[] = Array.isArray(one) ? one : [one];
        declare(titled(template, values, index), () => body(...(values as never[])));
      }
    };
  return Object.assign((title: string, body: Step) => declare(title, body), { each });
}

export const describe = declarer(declareBlock);
export const test = declarer(declareRow);

/** Rows that no partner can try, and why. */
export const leftOut = (reason: string) => declarer((title, body) => declareRow(title, body, reason));

export const beforeAll = (step: Step): void => void block.steps.push(step);

/** What is left behind is undone by `certify` at its end. */
export const afterAll = (_step: Step): void => {};

export const onTestFinished = (step: Step): void => void finishers.push(step);

/** Rows that wait for deliveries need a receiver, and are left out. */
export const vi = {};
