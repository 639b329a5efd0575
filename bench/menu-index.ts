/**
 * How long the index of a 150 KB menu takes, beside `JSON.parse` of the same text in the same run.
 *
 *   npx tsx bench/menu-index.ts
 *
 * Ends with status 1 when the median of the index is 3 ms or more.
 */
import { checkItem, indexMenu } from 'online-ordering-sdk/menus';
import type { Menu, MenuItem, ModifierGroup } from '../src/contract/index.js';

const LIMIT_MS = 3;
const ROUNDS = 300;
const TARGET_BYTES = 150_000;

const uuid = (kind: number, number: number): string =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`;

let groups = 0;
let modifiers = 0;

function group(levels: number): ModifierGroup {
  groups += 1;
  return {
    id: uuid(2, groups),
    name: `Choice ${groups}`,
    min_selections: 0,
    max_selections: 3,
    allows_duplicates: true,
    modifiers: Array.from({ length: 4 }, (_, place) => {
      modifiers += 1;
      return {
        id: uuid(3, modifiers),
        name: `Modifier ${modifiers}`,
        price: { amount: 50, currency: 'USD' },
        modifier_groups: place === 0 && levels > 1 ? [group(levels - 1)] : [],
      };
    }),
  };
}

function item(number: number): MenuItem {
  return {
    id: uuid(1, number),
    name: `Item ${number}`,
    description: 'A thing that a convenience store sells, described in a sentence of common length.',
    base_price: { amount: 499, currency: 'USD' },
    available: true,
    age_verification_required: false,
    minimum_age: null,
    max_allowed_quantity: null,
    tender_restriction_level: null,
    allowed_tenders: null,
    non_discountable: false,
    daily_sales_start_time: null,
    daily_sales_end_time: null,
    modifier_groups: number % 3 === 0 ? [group(3)] : [],
  };
}

function menuText(): string {
  const menu: Menu = {
    location_id: uuid(4, 1),
    last_modified: '2026-01-15T14:30:00Z',
    version_hash: 'bench',
    categories: [],
  };
  for (let number = 1; JSON.stringify(menu).length < TARGET_BYTES; number += 10) {
    const items = Array.from({ length: 10 }, (_, place) => item(number + place));
    menu.categories.push({ id: uuid(5, number), name: `Category ${number}`, sort_order: number, items });
  }
  return JSON.stringify(menu);
}

function medianMs(samples: number[]): number {
  return samples.sort((a, b) => a - b)[Math.floor(samples.length / 2)] ?? Number.NaN;
}

function time(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

const text = menuText();
const parsing: number[] = [];
const indexing: number[] = [];
let first = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  let menu = {} as Menu;
  parsing.push(
    time(() => {
      menu = JSON.parse(text) as Menu;
    }),
  );
  const taken = time(() => void indexMenu(menu));
  if (round === 0) first = taken;
  indexing.push(taken);
}

const menu = JSON.parse(text) as Menu;
const index = indexMenu(menu);
const anItem = { menu_item_id: uuid(1, 50), quantity: 1, modifier_selections: [] };
const checksPerRound = 10_000;
const checking = time(() => {
  for (let check = 0; check < checksPerRound; check += 1) {
    checkItem(index, anItem, { at: check * 1000, timezone: 'America/Chicago' });
  }
});

const median = medianMs(indexing);
console.log(
  `menu: ${Math.round(text.length / 1000)} KB, ${index.items.length} items, ${groups} groups, ${modifiers} modifiers`,
);
console.log(`JSON.parse: ${medianMs(parsing).toFixed(3)} ms (median of ${ROUNDS})`);
console.log(`indexMenu:  ${median.toFixed(3)} ms (median of ${ROUNDS}; the very first ${first.toFixed(3)} ms)`);
console.log(`checkItem:  ${((checking / checksPerRound) * 1000).toFixed(2)} µs (each at another second)`);
if (median >= LIMIT_MS) {
  console.error(`indexMenu takes ${median.toFixed(3)} ms; it must stay under ${LIMIT_MS} ms.`);
  process.exitCode = 1;
}
