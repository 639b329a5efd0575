import {
  allowedTenders,
  availability,
  checkCart,
  checkItem,
  choices,
  createMenuCache,
  diffMenus,
  indexMenu,
  isOnSale,
  isOpen,
  type MenuIndex,
  priceOf,
  watchMenus,
} from 'online-ordering-sdk/menus';
import { expect, test } from 'vitest';
import { ConfigurationError, OnlineOrderingError, RequestValidationError } from '../../../src/errors/index.js';
import { deliMenu, ids, line, pick } from '../../support/records/deli-menu.js';

const cyclic: Record<string, unknown> = { modifier_group_id: ids.bread, modifier_id: ids.white };
cyclic.nested_selections = [cyclic];

/** Values that plain JavaScript, or JSON from a browser, may hold where another was meant. */
const ODD: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  Number.NaN,
  5n,
  '',
  'text',
  Symbol('odd'),
  [],
  [null],
  [[]],
  ['text'],
  {},
  Object.create(null),
  { id: Object.create(null), items: 5, menu: null, choices: [] },
  { item: 5, items: null, group: {} },
  () => undefined,
  Promise.resolve({}),
  new Date(Number.NaN),
  cyclic,
  [cyclic],
];

const open = { timezone: 'America/Chicago', business_hours: [{ day_of_week: 'MONDAY', open_time: '06:00' }] };
const at = () => ({ at: '2026-01-15T18:00:00Z', timezone: 'America/Chicago', handoff: { mode: 'PICKUP' } });
const sub = () => line(ids.sub, 1, [pick(ids.bread, ids.white), pick(ids.toppings, ids.bacon, 1)]);
/** Two items, of each list the first entries: every place in it is changed, by every odd value. */
const menu = () => {
  const [category, ...more] = deliMenu().categories;
  const [item, ...items] = [category!, ...more]
    .flatMap(({ items: own }) => own)
    .filter(({ id }) => id === ids.sub || id === ids.beer);
  return { ...deliMenu(), categories: [{ ...category!, items: [item!, ...items] }] };
};
const cart = () => ({ id: 'a', items: [{ id: 'b', ...sub() }, line(ids.beer)], handoff_mode: { mode: 'PICKUP' } });
const client = () => ({
  menus: { retrieve: async () => deliMenu(), retrieveMetadata: async () => ({}) },
  locations: { listInventory: async function* () {}, retrieve: async () => open },
});

/** Each public function with arguments that fits; what it gives is used as far as it goes. */
const CALLS: Readonly<Record<string, { fits: () => unknown[]; call: (...given: never[]) => unknown }>> = {
  indexMenu: { fits: () => [menu(), { fields: { items: ['items'] } }], call: indexMenu },
  'the lookups of an index': {
    fits: () => [ids.sub],
    call: (id: string) => {
      const index = indexMenu(menu());
      const modifier = index.modifier(ids.bacon)!;
      return [index.item(id), index.group(id), index.modifier(id), index.paths(id), modifier.group(id)];
    },
  },
  checkItem: { fits: () => [menu(), sub(), { ...at(), cart: cart(), replacing: 'b' }], call: checkItem },
  checkCart: { fits: () => [menu(), cart(), at()], call: checkCart },
  choices: { fits: () => [menu(), ids.sub, sub().modifier_selections], call: choices },
  priceOf: { fits: () => [menu(), sub()], call: priceOf },
  allowedTenders: { fits: () => [menu(), cart(), { handoff: { mode: 'PICKUP' } }], call: allowedTenders },
  diffMenus: {
    fits: () => [menu(), menu(), { stock: { before: stockOf(), after: stockOf() } }],
    call: diffMenus,
  },
  isOpen: { fits: () => [open, at().at], call: isOpen },
  isOnSale: { fits: () => [menu().categories[0]!.items[0], at().at, 'America/Chicago'], call: isOnSale },
  availability: { fits: () => [client(), 'location', { menu: menu() }], call: availability },
  createMenuCache: { fits: () => [client(), { maxAgeMs: 1000 }], call: createMenuCache },
  watchMenus: {
    fits: () => [client(), ['location'], { since: new Map(), events: { on: () => undefined }, openIntervalMs: 1 }],
    call: watchMenus,
  },
};

const stockOf = () => ({ locationId: 'a', items: [], item: () => undefined });

/** The value with one thing in it replaced, at every place, the menu's own included. */
function* withOdd(value: unknown, odd: unknown): Generator<unknown> {
  yield odd;
  if (typeof value !== 'object' || value === null || value instanceof Map) return;
  for (const key of Object.keys(value)) {
    const inside = (value as Record<string, unknown>)[key];
    if (typeof inside === 'function') continue;
    for (const changed of withOdd(inside, odd)) {
      yield Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
    }
  }
}

test.each(Object.entries(CALLS))(
  '%s takes what it is given, or says what is wrong with it',
  async (_, { fits, call }) => {
    let calls = 0;
    const given = fits();
    for (const odd of ODD) {
      for (const [place, argument] of given.entries()) {
        for (const changed of withOdd(argument, odd)) {
          calls += 1;
          try {
            await call(...(given.with(place, changed) as never[]));
          } catch (error) {
            if (!(error instanceof OnlineOrderingError)) throw error;
            expect(error.message).toMatch(/; (give|write|await|it counts|known are)/);
          }
        }
      }
    }
    expect(calls).toBeGreaterThanOrEqual(ODD.length);
  },
);

const problemOf = (run: () => unknown): RequestValidationError => {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(RequestValidationError);
    return error as RequestValidationError;
  }
  throw new Error('Nothing was refused.');
};

test.each([
  [[null], 'modifier_selections[0]', 'is null'],
  ['white', 'modifier_selections', 'is a string'],
  [{}, 'modifier_selections', 'is an object'],
  [[pick(ids.bread, ids.white), ['x']], 'modifier_selections[1]', 'is a list'],
  [
    [{ ...pick(ids.bread, ids.white), nested_selections: [7] }],
    'modifier_selections[0].nested_selections[0]',
    'a number',
  ],
])('selections %j are refused at %s, by choices, prices and checks alike', (selections, field, words) => {
  const given = selections as never;
  const item = { menu_item_id: ids.sub, quantity: 1, modifier_selections: given };
  const menu = deliMenu();

  const errors = [
    problemOf(() => choices(menu, ids.sub, given)),
    problemOf(() => priceOf(menu, item)),
    problemOf(() => checkItem(menu, item, at())),
  ];
  const inCart = problemOf(() => checkCart(menu, { items: [item] }, at()));

  for (const error of errors) {
    expect(error.field).toBe(field);
    expect(error.message).toContain(words);
  }
  expect(inCart.field).toBe(`items[0].${field}`);
});

test('selections that never end are found too deep', () => {
  const item = { menu_item_id: ids.sub, quantity: 1, modifier_selections: [cyclic as never] };

  expect(checkItem(deliMenu(), item, at()).map(({ rule }) => rule)).toContain('nested_too_deep');
});

test('a line of the cart without a readable quantity counts for nothing', () => {
  const items = [
    { ...line(ids.beer), quantity: '9' as never },
    { ...line(ids.beer), quantity: 9n as never },
  ];

  expect(checkItem(deliMenu(), line(ids.beer), { ...at(), cart: { items } })).toEqual([]);
});

test.each([
  ['a menu that nobody awaited', () => choices(Promise.resolve(deliMenu()) as never, ids.sub), 'await it'],
  ['locations as a text', () => watchMenus(client() as never, 'location' as never), 'list of ids'],
  ['known menus as an object', () => watchMenus(client() as never, [], { since: {} as never }), 'Map'],
  ['a name of a field as a text', () => indexMenu(deliMenu(), { fields: { items: 'items' as never } }), '"items"'],
  [
    'a name that no field has',
    () => indexMenu(deliMenu(), { fields: { item: ['a'] } as never }),
    'known are categories, items',
  ],
  ['a client that is none', () => createMenuCache({} as never), 'client'],
  ['no stock', () => checkItem(deliMenu(), sub(), { ...at(), availability: {} as never }), 'availability()'],
])('%s is refused by name', (_, run, words) => {
  expect(run).toThrow(ConfigurationError);
  expect(run).toThrow(words);
});

test('an index of another copy of the package is taken as one', async () => {
  const copy: { indexMenu: typeof indexMenu } = await import(`../../../src/menus/model/menu-index.js?${'copy'}`);
  const index: MenuIndex = copy.indexMenu(deliMenu());

  expect(checkItem(index, sub(), at())).toEqual(checkItem(deliMenu(), sub(), at()));
});
