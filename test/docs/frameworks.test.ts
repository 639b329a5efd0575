import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

const blocks = [...read('docs/frameworks.md').matchAll(/^```js title=(\S+)\n([\s\S]*?)^```/gm)].map(
  ([, file, code]) => [file!, code!] as const,
);

test('the page of frameworks has a block for each program', () => {
  expect(new Set(blocks.map(([file]) => file.split('/')[0]))).toEqual(
    new Set(['shop.mjs', 'express5.mjs', 'fastify.mjs', 'hono.mjs', 'next', 'nest.ts']),
  );
});

test.each(blocks)('a block of %s is what its program says', (file, code) => {
  expect(read(`test/frameworks/apps/${file}`)).toContain(code);
});
