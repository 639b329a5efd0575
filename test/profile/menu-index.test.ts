import { type Menu, OnlineOrdering, type Profile } from 'online-ordering-sdk';
import { checkItem, choices, indexMenu, priceOf } from 'online-ordering-sdk/menus';
import { createMockService } from 'online-ordering-sdk/mock';
import { expect, test } from 'vitest';

const PROFILE: Profile = {
  format: 1,
  choices: {
    'MENU-2': 'menu_items',
    'MENU-3': 'modifierGroups',
    'MENU-4': 'options',
    'MENU-5': 'price_adjustment',
    'MENU-10': 'nested_modifier_groups',
  },
};

async function menusOf(profile: Profile | undefined): Promise<{ raw: Menu; translated: Menu }> {
  await using service = createMockService({ profile });
  const common = { ...service.credentials, dispatcher: service.dispatcher, clock: service.clock, profile };
  await using client = new OnlineOrdering({ ...common, logLevel: 'off' });
  const location_id = service.samples.locations.downtown;
  const path = '/locations/{location_id}/menu';
  const raw = await client.request<Menu>({ method: 'GET', path, pathParams: { location_id } });
  return { raw, translated: await client.menus.retrieve(location_id) };
}

test('indexMenu with a profile reads the menu of a service with other names', async () => {
  const [plain, turned] = [await menusOf(undefined), await menusOf(PROFILE)];
  const expected = indexMenu(plain.raw);
  const index = indexMenu(turned.raw, { profile: PROFILE });

  expect(JSON.stringify(turned.raw)).not.toContain('"modifier_groups"');
  expect(index.items.length).toBe(expected.items.length);
  const deep = expected.items.find(({ groups }) =>
    groups.some((group) => group.modifiers.some((one) => one.groups.length)),
  );
  const same = index.item(deep!.id)!;
  expect(same.groups.map(({ id }) => id)).toEqual(deep!.groups.map(({ id }) => id));
  expect(same.groups.flatMap((group) => group.modifiers.map((one) => [one.priceCents, one.groups.length]))).toEqual(
    deep!.groups.flatMap((group) => group.modifiers.map((one) => [one.priceCents, one.groups.length])),
  );
});

test('a client with a profile gives the menu with the names of its types, and client.request gives it as it was sent', async () => {
  const [plain, turned] = [await menusOf(undefined), await menusOf(PROFILE)];
  expect(turned.translated).toEqual(plain.translated);
  expect(turned.raw).not.toEqual(plain.raw);
  expect(indexMenu(turned.translated, { profile: PROFILE }).items.length).toBe(indexMenu(plain.raw).items.length);
});

test('a profile that names no field is refused', () => {
  const menu = { categories: [] } as unknown as Menu;
  expect(() => indexMenu(menu, { profile: { format: 1 } as never })).toThrow(/profile without choices/);
  expect(() => indexMenu(menu, { profile: { format: 1, choices: { 'MENU-3': '' } } })).toThrow(/MENU-3 is no name/);
});

test('indexMenu with a profile counts and prices selections as the service does', async () => {
  const { raw } = await menusOf(undefined);
  const menu = structuredClone(raw);
  const item = menu.categories
    .flatMap(({ items }) => items)
    .find(({ modifier_groups }) => (modifier_groups?.length ?? 0) > 0)!;
  const money = (amount: number) => ({ amount, currency: 'USD' });
  const nested = { id: 'n', name: 'Served', min_selections: 0, max_selections: 1, allows_duplicates: false };
  const warm = { id: 'w', name: 'Warm', price: money(50) };
  const shot = { id: 's', name: 'Shot', price: money(100), modifier_groups: [{ ...nested, modifiers: [warm] }] };
  const group = { id: 'g', name: 'Shots', min_selections: 0, max_selections: 2, allows_duplicates: true };
  item.modifier_groups = [{ ...group, modifiers: [shot] }];
  const chosen = (quantity: number) => ({
    menu_item_id: item.id,
    quantity: 1,
    modifier_selections: [
      {
        modifier_group_id: 'g',
        modifier_id: 's',
        quantity,
        nested_selections: [{ modifier_group_id: 'n', modifier_id: 'w', quantity: 1, nested_selections: [] }],
      },
    ],
  });
  const at = { at: new Date(), timezone: 'America/New_York' };
  const problems = (index: ReturnType<typeof indexMenu>) => checkItem(index, chosen(3), at).map(({ rule }) => rule);
  const profile: Profile = { format: 1, choices: { 'MENU-6': 'selections', 'MENU-7': 'once' } };

  const [ours, theirs] = [indexMenu(menu), indexMenu(menu, { profile })];

  expect(problems(ours)).toContain('too_many_selections');
  expect(problems(theirs)).not.toContain('too_many_selections');
  expect(priceOf(ours, chosen(2))?.modifier_total.amount).toBe(300);
  expect(priceOf(theirs, chosen(2))?.modifier_total.amount).toBe(250);
  expect(choices(ours, item.id, chosen(2).modifier_selections)?.[0]?.stillAllowed).toBe(0);
  expect(choices(theirs, item.id, chosen(2).modifier_selections)?.[0]?.stillAllowed).toBe(1);
});
