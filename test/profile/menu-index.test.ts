import { type Menu, OnlineOrdering, type Profile } from 'online-ordering-sdk';
import { indexMenu } from 'online-ordering-sdk/menus';
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
