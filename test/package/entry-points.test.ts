import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import tsup from '../../tsup.config.js';
import vitest from '../../vitest.config.js';

const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
const { exports, typesVersions } = read('package.json');

/** `./stores/redis` → `stores/redis`, `.` → `index`. */
const names = Object.keys(exports)
  .filter((entry) => entry !== './package.json')
  .map((entry) => (entry === '.' ? 'index' : entry.slice(2)));
const importName = (name: string) => (name === 'index' ? 'online-ordering-sdk' : `online-ordering-sdk/${name}`);

const sources = (tsup as (given: object) => { entry: Record<string, string> })({}).entry;

test('every entry point of package.json is built, and nothing else but the command', () => {
  expect(Object.keys(sources).sort()).toEqual([...names, 'command'].sort());
});

test('every entry point has types for both module systems, and for resolvers that know no `exports`', () => {
  for (const name of names) {
    expect(exports[name === 'index' ? '.' : `./${name}`]).toEqual({
      import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
      require: { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` },
    });
    if (name !== 'index') expect(typesVersions['*'][name]).toEqual([`./dist/${name}.d.cts`]);
  }
});

test('tests and examples import each entry point by its public name', () => {
  const { paths } = read('tsconfig.json').compilerOptions;
  const alias = vitest.resolve?.alias as { find: RegExp; replacement: string }[];
  for (const name of names) {
    expect(paths[importName(name)], `"paths" of tsconfig.json: ${name}`).toEqual([`./${sources[name]}`]);
    const rule = alias.find(({ find }) => find.test(importName(name)));
    expect(rule && importName(name).replace(rule.find, rule.replacement), `vitest.config.ts: ${name}`).toMatch(
      new RegExp(`/${sources[name]}$`),
    );
  }
});

test('every entry point is documented, and no file of it counts as unused', () => {
  const documented: string[] = read('typedoc.json').entryPoints;
  const [pattern = '']: string[] = read('knip.json').entry;
  const entries = /\{(.*)\}/
    .exec(pattern)?.[1]
    ?.split(',')
    .map((file) => `src/${file}.ts`);

  expect(documented.toSorted()).toEqual(names.map((name) => sources[name]).sort());
  expect(entries?.sort()).toEqual(Object.values(sources).sort());
});
