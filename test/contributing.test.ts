import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { SCENARIOS } from '../src/errors/scenario.js';
import { LONGEST } from './support/run/files.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(`${ROOT}${file}`, 'utf8');

function folders(path: string): string[] {
  return readdirSync(`${ROOT}${path}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${path}/${name}`);
}

const guide = read('CONTRIBUTING.md');
const named = [...guide.matchAll(/`((?:src|test|docs|build|bench|examples)(?:\/[^`\s]*)?)`/g)].map(([, path]) => path!);

describe('CONTRIBUTING.md', () => {
  test('names no file and no folder that does not exist', () => {
    const links = [...guide.matchAll(/\]\(([^)#]+)\)/g)].map(([, path]) => path!);

    expect([...named, ...links].filter((path) => !existsSync(`${ROOT}${path}`))).toEqual([]);
  });

  test('has every folder of the sources on its map, and every folder of the tests', () => {
    const large = ['src/http', 'src/webhooks', 'src/menus', 'src/mock', 'src/resources'];
    const all = [...folders('src'), ...large.flatMap(folders), ...folders('test')];

    expect(all.filter((folder) => !named.includes(folder))).toEqual([]);
  });
});

test('a folder of unit tests has the name of the folder of its sources', () => {
  const holds = (folder: string): string[] => [folder, ...folders(folder).flatMap(holds)];
  const support = /\/(?:support|processes)$/;

  const without = folders('test/unit')
    .flatMap(holds)
    .filter((folder) => !support.test(folder) && !existsSync(`${ROOT}${folder.replace('test/unit', 'src')}`));

  expect(without).toEqual([]);
});

test('the test files that begin first exist', () => {
  expect(LONGEST.filter((file) => !existsSync(`${ROOT}${file}`))).toEqual([]);
});

test('the import arrows know every room of the large folders', () => {
  const { rooms }: { rooms: Record<string, string[]> } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');

  for (const [folder, list] of Object.entries(rooms)) {
    const entries = readdirSync(`${ROOT}src/${folder}`, { withFileTypes: true });
    const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
    expect(list.toSorted(), `rooms.${folder}`).toEqual(names.sort());
  }
});

test('docs/errors.md has every scenario in its table', () => {
  const documented = read('docs/errors.md');

  expect(SCENARIOS.filter((scenario) => !documented.includes(`\`${scenario}\``))).toEqual([]);
});
