import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import base from '../../vitest.config.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const testsIn = (folder: string): string[] =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `${folder}/${file}`);

/** The tests of the client against the mock service, with Prism beside it; those of a `TestService` respond as they like. */
const include = ['test/behaviour', 'test/profile', 'examples']
  .flatMap(testsIn)
  .filter((file) => /online-ordering-sdk\/mock'|src\/mock\//.test(readFileSync(root + file, 'utf8')));

export default {
  ...base,
  test: {
    ...base.test,
    projects: undefined,
    include,
    testTimeout: 180_000,
    setupFiles: [fileURLToPath(new URL('observe.ts', import.meta.url))],
  },
};
