import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DECIDERS } from '../../../src/certify/gaps/decide-gaps.js';
import { GAP_ROWS, GAPS, type GapRow } from '../../../src/profile/gaps.js';

const text = readFileSync(new URL('../../../docs/interface-gaps.md', import.meta.url), 'utf8');
const rows = text.split('\n').flatMap((line) => {
  const [, row] = /^\| ([A-Z]+-\d+) \|/.exec(line) ?? [];
  return row === undefined ? [] : [{ row, last: line.slice(line.lastIndexOf(' | ') + 3, -2) }];
});

describe('docs/interface-gaps.md', () => {
  test('gives each row a name of its own', () => {
    const names = rows.map(({ row }) => row);

    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('names the readings of every row that can be decided, in their order', () => {
    for (const row of GAP_ROWS) {
      const found = rows.find((one) => one.row === row);
      expect(found?.last, row).toBe(`decides: ${GAPS[row].map((reading) => `\`${reading}\``).join(', ')}`);
    }
  });

  test('says of every other row why it cannot be decided from outside', () => {
    for (const { row, last } of rows.filter((one) => !(one.row in GAPS))) expect(last, row).toMatch(/^– \(.{12,}\)$/);
  });
});

test('certify says of every reading what it means', () => {
  for (const row of GAP_ROWS)
    expect(Object.keys(DECIDERS[row as GapRow].readings).sort(), row).toEqual([...GAPS[row]].sort());
});
