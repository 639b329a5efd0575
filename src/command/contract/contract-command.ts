import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { CommandOutput } from '../subcommand.js';

/** What can be exported, and the file of the package that it is. */
const FORMATS = {
  openapi: 'docs/openapi.yaml',
  'json-schema': 'docs/contract.schema.json',
} as const;

type Format = keyof typeof FORMATS;

export const CONTRACT_USAGE = [
  'Usage: npx online-ordering-sdk contract [--format openapi|json-schema] [--out FILE]',
  '',
  '  --format  openapi: the interface as OpenAPI 3.1 in YAML, with webhooks, examples of the mock service, the',
  '            situations behind each error, and the rows of docs/interface-gaps.md as x-gap (default);',
  '            json-schema: the records as JSON Schema 2020-12',
  '  --out     writes a file; without it, everything goes to stdout',
].join('\n');

/** `online-ordering-sdk contract`: exports the interface as this package understands it. */
export async function runContractCommand(args: readonly string[], output: CommandOutput): Promise<number> {
  let values: { format?: string | undefined; out?: string | undefined; help?: boolean | undefined };
  try {
    const text = { type: 'string' } as const;
    const options = { format: text, out: text, help: { type: 'boolean', short: 'h' } } as const;
    values = parseArgs({ args: [...args], options }).values;
  } catch (error) {
    return refuse(firstSentence(error), output);
  }
  const { format = 'openapi', out, help } = values;
  if (help) {
    output.out(CONTRACT_USAGE);
    return 0;
  }
  if (!Object.hasOwn(FORMATS, format)) {
    return refuse(`--format is "${format}"; write ${Object.keys(FORMATS).join(' or ')}.`, output);
  }
  const content = await readFile(join(await packageFolder(), FORMATS[format as Format]), 'utf8');
  if (out === undefined) {
    output.out(content.trimEnd());
    return 0;
  }
  try {
    await writeFile(out, content);
    return 0;
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    output.err(`--out ${out} cannot be written (${code}); name a file in a folder that exists and can be written to.`);
    return 1;
  }
}

function refuse(problem: string, { err }: CommandOutput): number {
  err(`${problem}\n\n${CONTRACT_USAGE}`);
  return 2;
}

/** The rest of what the parser says explains a rule of parsing. */
const firstSentence = (error: unknown): string =>
  `${String(error instanceof Error ? error.message : error).split(/\.\s/)[0]!}.`;

/** The folder of the package, from its sources as from its build. */
async function packageFolder(): Promise<string> {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const described = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
    if ((JSON.parse(described) as { name?: unknown }).name === 'online-ordering-sdk') return folder;
    const parent = dirname(folder);
    if (parent === folder) throw new Error('The files of online-ordering-sdk are not where its program is.');
    folder = parent;
  }
}
