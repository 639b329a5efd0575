import type { Cart, CartItemRequest } from '../../contract/index.js';
import { checkItem } from '../../menus/checks/check-item.js';
import { type IndexedGroup, type IndexedItem, type IndexedModifier, indexMenu } from '../../menus/model/menu-index.js';
import { CannotTry, Differs } from '../result.js';
import { errorOf, leastOf, nowhere, type Reply, type Scene } from '../scene.js';
import { type Deciders, isSuccess, neither, takenOrRefused } from './decider.js';

const ITEMS = 'POST /carts/{cart_id}/items';

type Selection = CartItemRequest['modifier_selections'][number];

async function added(scene: Scene, body: CartItemRequest): Promise<Reply<Cart>> {
  const cart = await scene.cart();
  return scene.call<Cart>(ITEMS, { params: { cart_id: cart.id }, body });
}

/** The least request of an item, but with one selection in the place of what it chooses of a group. */
function withSelection(item: IndexedItem, group: IndexedGroup, selection: Selection): CartItemRequest {
  const others = item.groups.filter((one) => one.id !== group.id).flatMap(leastOf);
  return { menu_item_id: item.id, quantity: 1, modifier_selections: [...others, selection] };
}

const selectionOf = (group: IndexedGroup, modifier: IndexedModifier, quantity: number): Selection => ({
  modifier_group_id: group.id,
  modifier_id: modifier.id,
  quantity,
  nested_selections: modifier.groups.flatMap(leastOf),
});

/** Groups of which one modifier can be chosen twice, and one choice is enough. */
const takesTwice = (group: IndexedGroup): boolean =>
  group.allowsDuplicates === true && (group.maxSelections ?? 0) >= 2 && (group.minSelections ?? 0) <= 1;

/** An item that can be bought, and a modifier of it that can be chosen twice. */
async function chosenTwice(scene: Scene, matches: (modifier: IndexedModifier) => boolean) {
  for (const { item } of await scene.items()) {
    for (const group of item.groups.filter(takesTwice)) {
      const modifier = group.modifiers.find((one) => one.available && matches(one));
      if (modifier) return { item, group, modifier };
    }
  }
  return undefined;
}

/** Cents of the least that must be chosen of nested groups, and one choice more where that costs nothing. */
function pricedNested(modifier: IndexedModifier): { selections: Selection[]; cents: number } | undefined {
  for (const group of modifier.groups) {
    const priced = group.modifiers.find((one) => one.available && (one.priceCents ?? 0) > 0 && one.groups.length === 0);
    const isEnough = (group.minSelections ?? 0) <= 1 && (group.maxSelections ?? 1) >= 1;
    const others = modifier.groups.filter((one) => one.id !== group.id);
    if (!priced || !isEnough || others.some((one) => (one.minSelections ?? 0) > 0)) continue;
    return { selections: [selectionOf(group, priced, 1)], cents: priced.priceCents! };
  }
  return undefined;
}

const unknownSelection = (): Selection => ({
  modifier_group_id: nowhere(),
  modifier_id: nowhere(),
  quantity: 1,
  nested_selections: [],
});

export const MODIFIER_DECIDERS = {
  'MENU-6': {
    about: 'how selections of a group are counted',
    readings: { quantities: 'by their quantities', selections: 'each as one, whatever its quantity' },
    async decide(scene) {
      const found = await chosenTwice(scene, ({ groups }) => groups.length === 0);
      if (!found) throw new CannotTry('no group of an item takes a modifier twice');
      const { item, group, modifier } = found;
      const taken = await added(scene, withSelection(item, group, selectionOf(group, modifier, 1)));
      if (!isSuccess(taken)) throw new CannotTry('the item with this modifier is not taken');
      const tooMany = selectionOf(group, modifier, group.maxSelections! + 1);
      return takenOrRefused(await added(scene, withSelection(item, group, tooMany)), 'selections', 'quantities');
    },
  },
  'MENU-7': {
    about: 'price of a nested modifier',
    readings: { multiplied: 'times the quantity of its holder', once: 'once, whatever the quantity of its holder' },
    async decide(scene) {
      const found = await chosenTwice(scene, (one) => pricedNested(one) !== undefined);
      if (!found) throw new CannotTry('no modifier that can be chosen twice holds one with a price');
      const { item, group, modifier } = found;
      const nested = pricedNested(modifier)!;
      const selection = { ...selectionOf(group, modifier, 2), nested_selections: nested.selections };
      const once = await added(scene, withSelection(item, group, { ...selection, quantity: 1 }));
      const twice = await added(scene, withSelection(item, group, selection));
      const [one, two] = [once, twice].map(({ ours }) => ours?.items?.[0]?.modifier_total.amount);
      if (one === undefined || two === undefined) throw neither(twice);
      // What a second modifier adds: its own price, and that of what it holds.
      const own = two - one - (modifier.priceCents ?? 0);
      if (own === nested.cents) return 'multiplied';
      if (own === 0) return 'once';
      throw new Differs('the second modifier adds neither its own price nor that with what it holds');
    },
  },
  'MENU-12': {
    about: '`field` of a refused selection',
    readings: { indexed: 'its path: `modifier_selections[0]`', absent: 'left out' },
    async decide(scene) {
      const [item] = await scene.items();
      const body = {
        ...item!.request,
        modifier_selections: [unknownSelection(), ...item!.request.modifier_selections],
      };
      const refused = await added(scene, body);
      if (refused.status < 400) throw neither(refused);
      const { field } = errorOf(refused);
      if (field === undefined || field === null) return 'absent';
      if (String(field).startsWith('modifier_selections[0]')) return 'indexed';
      throw new Differs(`the field is ${String(field).slice(0, 60)}`);
    },
  },
  'MENU-13': {
    about: 'an item with too large a quantity and a wrong modifier',
    readings: { quantity_first: 'refused for its quantity', modifiers_first: 'refused for its modifiers' },
    async decide(scene) {
      const [menu, { timezone }, at] = [await scene.menu(), await scene.location(), await scene.now()];
      const index = indexMenu(menu);
      const limited = index.items.find(({ id, groups, raw }) => {
        const request = { menu_item_id: id, quantity: 1, modifier_selections: groups.flatMap(leastOf) };
        return (raw.max_allowed_quantity ?? 0) > 0 && checkItem(index, request, { at, timezone }).length === 0;
      });
      if (!limited) throw new CannotTry('no item on the menu has a limit of its quantity');
      const quantity = Number(limited.raw.max_allowed_quantity) + 1;
      const modifier_selections = [unknownSelection(), ...limited.groups.flatMap(leastOf)];
      const refused = await added(scene, { menu_item_id: limited.id, quantity, modifier_selections });
      const { message, field } = errorOf(refused);
      const told = `${String(message)} ${String(field)}`;
      if (refused.status >= 400 && /quantity exceeds/i.test(told)) return 'quantity_first';
      if (refused.status >= 400 && /modifier/i.test(told)) return 'modifiers_first';
      throw neither(refused);
    },
  },
} as const satisfies Deciders;
