import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** A block of TypeScript in a Markdown file. */
export interface CodeBlock {
  /** `README.md:42`: the line of its fence. */
  readonly name: string;
  /** Line of the fence, from 1. */
  readonly line: number;
  /** Marked to be run: the fence says `ts run`. */
  readonly isRun: boolean;
  readonly code: string;
}

const FENCE = /^```(\S*)(?: +(.*?))?\s*$/;

/** The blocks whose fence says `ts`, in order. */
export function codeBlocksOf(file: string, root: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { language: string; mark: string; line: number; code: string[] } | undefined;
  for (const [index, text] of readFileSync(file, 'utf8').split('\n').entries()) {
    const [, language = '', mark = ''] = FENCE.exec(text) ?? [];
    if (!text.startsWith('```')) open?.code.push(text);
    else if (!open) open = { language, mark, line: index + 1, code: [] };
    else {
      const { line, code } = open;
      const name = `${relative(root, file)}:${line}`;
      if (open.language === 'ts') blocks.push({ name, line, isRun: open.mark === 'run', code: code.join('\n') });
      open = undefined;
    }
  }
  if (open) throw new Error(`${relative(root, file)}:${open.line}: the code block has no end.`);
  return blocks;
}

/** What a block says that it prints: the comments behind its calls of `console.log`. */
export function promisedOutput({ code }: CodeBlock): string[] {
  return [...code.matchAll(/console\.log\(.*\);\s*\/\/ (.+)$/gm)].map(([, output = '']) => output.trim());
}
