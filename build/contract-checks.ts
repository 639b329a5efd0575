/**
 * Compiles the schemas of the contract into functions that only tell whether a value fits:
 *
 *   npm run compile:contract        writes src/http/contract/compiled-checks.ts
 *
 * They stop at the first difference, copy nothing and need no zod, so that every response can be held against the contract.
 * Modifier groups come unrolled, since the schemas are. Values of open enumerations are noted on the way. `test/unit/http/contract/compiled-checks.test.ts` fails while the
 * file is older than the schemas, and holds the two against each other.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as contract from '../src/contract/index.js';
import { HANDOFF_MODES } from '../src/contract/records/index.js';
import { annotationOf } from '../src/contract/schemas/annotation.js';
import { hasFieldsOfMode } from '../src/contract/schemas/handoff.js';
import * as rules from '../src/contract/schemas/rules.js';
import type { Schema } from './zod-definition.js';

/** Rules that are functions, by the function in the schema: the expression that tells whether `value` follows them. */
const RULES = new Map<unknown, (value: string) => string>([
  [rules.isInstant, (value) => `isInstant(${value})`],
  [rules.isHttpsAddress, (value) => `isHttpsAddress(${value})`],
  [rules.areShortInstructions, (value) => `areShortInstructions(${value})`],
  [hasFieldsOfMode, (value) => `missingFieldsOfMode(${value}).length === 0`],
]);

const names = new Map<Schema, string>();
for (const [name, schema] of Object.entries(contract)) {
  const isSchema = name.endsWith('Schema') && typeof schema === 'function' && schema.length === 0;
  if (isSchema) names.set((schema as () => Schema)(), name.replace(/Schema$/, ''));
}

/** The values of each open enumeration, by the name of their list. */
const enumerations = new Map<unknown, string>(
  Object.entries(contract).flatMap(([name, values]) => (Array.isArray(values) ? [[values, name] as const] : [])),
);

const functions = new Map<Schema, string>();
const written = new Map<string, string>();
const patterns = new Map<string, string>();
const lines: string[] = [];

/** The name of the function for a schema of an object; those of the same text share one. */
function functionFor(schema: Schema, place: string): string {
  const known = functions.get(schema);
  if (known) return known;
  const own = names.get(schema) ?? place;
  const { shape = {}, catchall } = schema._zod.def;
  const conditions = Object.entries(shape).map(([field, inner]) =>
    condition(inner, `value.${field}`, own + pascal(field)),
  );
  if (catchall?._zod.def.type === 'undefined') conditions.push(`hasOnly(value, ${JSON.stringify(Object.keys(shape))})`);
  else if (catchall && catchall._zod.def.type !== 'unknown')
    throw new Error(`${own}: other fields of an unknown kind.`);
  conditions.push(...ruled(schema, 'value'));
  // The schema takes any mode; those that this version knows stand in its rule.
  if (isHandoff(schema)) conditions.push(noted(HANDOFF_MODES, 'value.mode as string'));
  const text = `(value: unknown): boolean {\n  return isObject(value) && ${conditions.join(' && ')};\n}\n`;
  const name = written.get(text) ?? `is${pascal(own)}`;
  if (!written.has(text)) lines.push(`function ${name}${text}`);
  written.set(text, name);
  functions.set(schema, name);
  return name;
}

const isHandoff = (schema: Schema): boolean =>
  schema._zod.def.checks?.some(({ _zod: { def, check } }) => (def.fn ?? check) === hasFieldsOfMode) ?? false;

/** Notes a value of an open enumeration that this version does not know; always true. */
function noted(known: readonly string[], value: string): string {
  const list = enumerations.get(known);
  if (!list) throw new Error(`An open enumeration whose values the contract does not export: ${known.join(', ')}.`);
  const name = `isOf${pascal(list.toLowerCase())}`;
  const text = `(value: string): boolean {\n  return ${known.map((one) => `value === '${one}'`).join(' || ')};\n}\n`;
  if (!written.has(text)) lines.push(`function ${name}${text}`);
  written.set(text, name);
  return `noted(${written.get(text)}(${value}))`;
}

const pascal = (name: string): string => name.replace(/(?:^|_)(.)/g, (_all, letter: string) => letter.toUpperCase());

/** An expression that is true when `value` follows the schema. */
function condition(schema: Schema, value: string, place: string): string {
  const { def } = schema._zod;
  const inner = def.innerType ?? def.element ?? def.valueType;
  const all = (...conditions: string[]): string => [...conditions, ...ruled(schema, value)].join(' && ');
  const { known } = annotationOf(schema) ?? {};
  if (known) return all(`typeof ${value} === 'string'`, noted(known, value));
  switch (def.type) {
    case 'object':
      return `${functionFor(schema, place)}(${value})`;
    case 'optional':
      return `(${value} === undefined || ${condition(inner!, value, place)})`;
    case 'nullable':
      return `(${value} === null || ${condition(inner!, value, place)})`;
    case 'array':
      return all(`isArrayOf(${value}, ${itemCheck(inner!, `${place}Item`)})`);
    case 'record':
      return all(`isRecordOf(${value}, ${itemCheck(inner!, `${place}Value`)})`);
    case 'union':
      return `(${def.options!.map((option, index) => condition(option, value, `${place}${index + 1}`)).join(' || ')})`;
    case 'string':
      return all(`typeof ${value} === 'string'`);
    case 'boolean':
      return `typeof ${value} === 'boolean'`;
    case 'number':
      return all(def.format === 'safeint' ? `Number.isSafeInteger(${value})` : `Number.isFinite(${value})`);
    case 'literal':
      return `(${def.values!.map((one) => `${value} === ${JSON.stringify(one)}`).join(' || ')})`;
    case 'enum':
      return `(${Object.values(def.entries!)
        .map((one) => `${value} === ${JSON.stringify(one)}`)
        .join(' || ')})`;
    case 'custom':
      if (ruled(schema, value).length === 0) return 'true';
      break;
  }
  throw new Error(`${place}: a schema of type ${def.type} cannot be compiled.`);
}

/** A function of one value, for arrays and records. */
function itemCheck(schema: Schema, place: string): string {
  const text = condition(schema, 'item', place);
  const call = /^(\w+)\(item\)$/.exec(text);
  if (call) return call[1]!;
  return text === 'true' ? 'isAnything' : `(item) => ${text}`;
}

/** What the checks of a schema ask of its value. */
function ruled(schema: Schema, value: string): string[] {
  const own = schema._zod.def.check !== undefined ? [schema] : [];
  return [...own, ...(schema._zod.def.checks ?? [])].flatMap(({ _zod: { def, check } }) => {
    switch (def.check) {
      case 'number_format':
        return [];
      case 'min_length':
        return [`${value}.length >= ${def.minimum}`];
      case 'max_length':
        return [`${value}.length <= ${def.maximum}`];
      case 'greater_than':
        return [`(${value} as number) ${def.inclusive ? '>=' : '>'} ${def.value}`];
      case 'string_format':
        return [`${patternFor(def.pattern!)}.test(${value})`];
      case 'custom': {
        // A custom schema without a rule takes anything.
        if (def.type === 'custom' && schema._zod.def.type === 'custom') return [];
        const rule = RULES.get(def.fn ?? check);
        if (rule) return [rule(value)];
      }
    }
    throw new Error(`A check of kind ${def.check} cannot be compiled; name its function in RULES.`);
  });
}

function patternFor(pattern: RegExp): string {
  if (String(pattern) === String(rules.ISO_DATE_TIME)) return 'ISO_DATE_TIME';
  const name = patterns.get(String(pattern)) ?? `PATTERN_${patterns.size + 1}`;
  patterns.set(String(pattern), name);
  return name;
}

/** The text of the file. */
export function compiledChecks(): string {
  const entries = Object.entries(contract.operations).map(([operation, { request, response }]) => {
    const place = operation.replace(/[^A-Za-z]+(.)?/g, (_all, letter = '') => letter.toUpperCase());
    const check = (kind: string, schema: (() => Schema) | undefined): string[] =>
      schema ? [`${kind}: ${itemCheck(schema(), place + pascal(kind)).replace(/\bitem\b/g, 'value')}`] : [];
    const both = [
      ...check('request', request as unknown as (() => Schema) | undefined),
      ...check('response', response as unknown as (() => Schema) | undefined),
    ];
    return `  ${JSON.stringify(operation)}: { ${both.join(', ')} },`;
  });
  const source = `// Made by build/contract-checks.ts from the schemas in src/contract; \`npm run compile:contract\` makes it again.
import type { OperationName } from '../../contract/index.js';
import { areShortInstructions, ISO_DATE_TIME, isHttpsAddress, isInstant, missingFieldsOfMode } from '../../contract/schemas/rules.js';
import { type Check, hasOnly, isAnything, isArrayOf, isObject, isRecordOf, noted } from './check-parts.js';

${[...patterns].map(([pattern, name]) => `const ${name} = ${pattern};`).join('\n')}

/** Of each endpoint, whether a body fits its schema. */
export const compiledChecks: Readonly<Record<OperationName, { readonly request?: Check; readonly response?: Check }>> = {
${entries.join('\n')}
};

${lines.join('\n')}`;
  const biome = fileURLToPath(new URL('../node_modules/.bin/biome', import.meta.url));
  const formatted = (input: string): string =>
    execFileSync(biome, ['format', '--stdin-file-path=compiled-checks.ts'], { input, encoding: 'utf8' });
  // Twice: biome indents long conditions differently once they stand on lines of their own.
  return formatted(formatted(source));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../src/http/contract/compiled-checks.ts', import.meta.url), compiledChecks());
}
