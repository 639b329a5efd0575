import { builtin } from '../node-builtin.js';

/**
 * The log of one order: a line per version of its record, only ever appended to.
 *
 * A line names the version that it follows. The first line that follows the present version becomes the next one, and
 * every other line that follows it has come too late and is passed over, as a line is that a crash cut off. Appending
 * and reading back is therefore the atomic comparison of a journal, and needs neither lock, link nor listing.
 *
 * A version is written as what differs from the one before, between a beginning and an end that stay.
 */
export interface LogState {
  /** The present record; `undefined` when there is none, or it was taken away. */
  readonly text: string | undefined;
  /** Names the present version, for the line that follows it. */
  readonly mark: string;
  /** Names of the lines that became versions. */
  readonly accepted: ReadonlySet<string>;
}

const NOTHING = 'none';

interface TextLine {
  /** Name of this line among all. */
  readonly line: string;
  readonly after: string;
  /** How much of the text before stays at its beginning, and at its end. */
  readonly head: number;
  readonly tail: number;
  readonly middle: string;
  /** Digest of the whole text. */
  readonly digest: string;
}

interface GoneLine {
  readonly line: string;
  readonly after: string;
  readonly gone: true;
}

export function readLog(content: string): LogState {
  let text: string | undefined;
  let mark = NOTHING;
  const accepted = new Set<string>();
  for (const source of content.split('\n')) {
    const line = parseLine(source);
    if (line?.after !== mark) continue;
    if ('gone' in line) {
      text = undefined;
      mark = goneMark(line.line);
    } else {
      const next = textOf(line, text ?? '');
      if (next === undefined) continue;
      text = next;
      mark = line.digest;
    }
    accepted.add(line.line);
  }
  return { text, mark, accepted };
}

export interface Appended {
  readonly line: string;
  readonly content: string;
}

/** The line that makes `next` the version after `state`; a line break before it ends what a crash may have cut off. */
export function textLine({ text = '', mark }: Pick<LogState, 'text' | 'mark'>, next: string): Appended {
  const line = newName();
  const head = commonHead(text, next);
  const tail = commonTail(text, next, head);
  const content: TextLine = {
    line,
    after: mark,
    head,
    tail,
    middle: next.slice(head, next.length - tail),
    digest: digestOf(next),
  };
  return { line, content: `\n${JSON.stringify(content)}\n` };
}

/** The line that takes the record away. */
export function goneLine({ mark }: Pick<LogState, 'mark'>): Appended {
  const line = newName();
  const content: GoneLine = { line, after: mark, gone: true };
  return { line, content: `\n${JSON.stringify(content)}\n` };
}

/** The version that the line `goneLine` makes. */
export function goneMark(line: string): string {
  return `gone-${line}`;
}

export function isGone({ mark }: LogState): boolean {
  return mark.startsWith('gone-');
}

/** The state after a first line with `text`: where a log begins that takes over a record of the former layout. */
export function stateOf(text: string): Pick<LogState, 'text' | 'mark'> {
  return { text, mark: digestOf(text) };
}

export const EMPTY_LOG: Pick<LogState, 'text' | 'mark'> = { text: undefined, mark: NOTHING };

function parseLine(source: string): TextLine | GoneLine | undefined {
  if (source === '') return undefined;
  try {
    const value = JSON.parse(source) as Partial<TextLine & GoneLine> | null;
    if (typeof value?.line !== 'string' || typeof value.after !== 'string') return undefined;
    if (value.gone === true) return value as GoneLine;
    const isWhole =
      typeof value.middle === 'string' &&
      typeof value.digest === 'string' &&
      Number.isSafeInteger(value.head) &&
      Number.isSafeInteger(value.tail);
    return isWhole ? (value as TextLine) : undefined;
  } catch {
    return undefined;
  }
}

function textOf({ head, tail, middle, digest }: TextLine, before: string): string | undefined {
  if (head < 0 || tail < 0 || head + tail > before.length) return undefined;
  const text = before.slice(0, head) + middle + before.slice(before.length - tail);
  return digestOf(text) === digest ? text : undefined;
}

function commonHead(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}

function commonTail(a: string, b: string, head: number): number {
  const most = Math.min(a.length, b.length) - head;
  let length = 0;
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length += 1;
  return length;
}

function digestOf(text: string): string {
  return builtin('node:crypto').createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

function newName(): string {
  return builtin('node:crypto').randomBytes(9).toString('base64url');
}
