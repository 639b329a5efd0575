import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** What the docstring of a record or a field says. */
export interface Docstring {
  readonly text: string;
  /** Rows of the table of gaps that it names. */
  readonly gaps: readonly string[];
}

/** Docstrings of the records of the contract, and of their fields as `Cart.total`. */
export type Docstrings = ReadonlyMap<string, Docstring>;

const CONTRACT = fileURLToPath(new URL('../../src/contract/records/', import.meta.url));

/** Reads the docstrings of every interface and type of the contract. */
export function readDocstrings(folder = CONTRACT): Docstrings {
  const found = new Map<string, Docstring>();
  const parents = new Map<string, string[]>();
  for (const name of readdirSync(folder)) {
    const source = ts.createSourceFile(name, readFileSync(folder + name, 'utf8'), ts.ScriptTarget.Latest, true);
    for (const statement of source.statements) {
      if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement)) continue;
      keep(found, statement.name.text, statement);
      if (!ts.isInterfaceDeclaration(statement)) continue;
      const bases = statement.heritageClauses?.flatMap(({ types }) =>
        types.map(({ expression }) => expression.getText()),
      );
      parents.set(statement.name.text, bases ?? []);
      for (const member of statement.members) {
        if (member.name) keep(found, `${statement.name.text}.${member.name.getText()}`, member);
      }
    }
  }
  for (const [name, bases] of parents) for (const base of bases) inherit(found, name, base);
  return found;
}

function keep(found: Map<string, Docstring>, name: string, node: ts.Node): void {
  const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  if (!doc) return;
  const said = ts.getTextOfJSDocComment(doc.comment) ?? '';
  const tags = (doc.tags ?? []).map((tag) => ts.getTextOfJSDocComment(tag.comment) ?? '');
  found.set(name, { text: plain(said), gaps: gapsIn([said, ...tags].join(' ')) });
}

function inherit(found: Map<string, Docstring>, name: string, base: string): void {
  for (const [key, docstring] of [...found]) {
    const own = `${name}.${key.slice(base.length + 1)}`;
    if (key.startsWith(`${base}.`) && !found.has(own)) found.set(own, docstring);
  }
}

const plain = (text: string): string =>
  text
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/\s*\n\s*/g, ' ')
    .trim();

/** `gaps EVT-1 to EVT-3 and PAY-1` names four rows. */
export function gapsIn(text: string): string[] {
  const ranges = text.matchAll(/\b([A-Z]{3,6})-(\d+)(?: to \1-(\d+))?/g);
  return [...ranges].flatMap(([, table, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `${table}-${Number(first) + index}`),
  );
}
