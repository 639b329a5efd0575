import fc from 'fast-check';
import { allowedTenders, checkItem, choices, type GroupChoice, indexMenu } from 'online-ordering-sdk/menus';
import { expect, test } from 'vitest';
import type { CartItemRequest, ModifierSelectionRequest, TenderType } from '../../../../src/contract/index.js';
import { deliMenu, line, menuItem } from '../../../support/records/deli-menu.js';
import { drawItems, drawValidItem, menuWith, withSlip } from '../../../support/records/menu-draws.js';

const at = { at: '2026-01-15T18:00:00Z', timezone: null };

/** Every group that choices show for what is chosen, at all levels. */
function openGroups(groups: readonly GroupChoice[]): GroupChoice[] {
  return groups.flatMap((group) => [
    group,
    ...group.modifiers.flatMap(({ nested }) =>
      nested.filter(({ selection }) => selection !== null).flatMap(({ groups: below }) => openGroups(below)),
    ),
  ]);
}

/** The list of selections at a path such as `modifier_selections[0].nested_selections`. */
function listAt(item: CartItemRequest, field: string): ModifierSelectionRequest[] {
  let list: ModifierSelectionRequest[] = item.modifier_selections;
  for (const [, place] of field.matchAll(/\[(\d+)\]/g)) {
    const selection = list[Number(place)]!;
    selection.nested_selections ??= [];
    list = selection.nested_selections;
  }
  return list;
}

test('a group that still requires a choice is one that the checker finds too short, over 500 drawn items', () => {
  fc.assert(
    fc.property(fc.gen(), (draw) => {
      const items = drawItems(draw);
      const index = indexMenu(menuWith(deliMenu(), items));
      const item = withSlip(draw, drawValidItem(draw, items), items);
      const missing = openGroups(choices(index, item.menu_item_id, item.modifier_selections) ?? [])
        .filter(({ stillRequired }) => stillRequired > 0)
        .map(({ field, name }) => `${field} ${name}`);

      const short = checkItem(index, item, at)
        .filter(({ rule }) => rule === 'too_few_selections')
        .map(({ field, message }) => `${field} ${/"(.*)"/.exec(message)?.[1]}`);

      expect(short.sort()).toEqual(missing.sort());
    }),
    { numRuns: 500 },
  );
});

test('whatever choices let a customer add is accepted, and anything beyond is not, over 500 drawn items', () => {
  fc.assert(
    fc.property(fc.gen(), (draw) => {
      const items = drawItems(draw);
      const index = indexMenu(menuWith(deliMenu(), items));
      const item = drawValidItem(draw, items);
      const groups = openGroups(choices(index, item.menu_item_id, item.modifier_selections) ?? []);
      const group = groups[draw(fc.nat, { max: Math.max(0, groups.length - 1) })];
      const modifier = group?.modifiers[draw(fc.nat, { max: group.modifiers.length - 1 })];
      if (!group || !modifier) return;
      const rules = ['too_many_selections', 'duplicate_selection', 'modifier_unavailable'];
      const before = checkItem(index, item, at).filter(({ rule }) => rules.includes(rule)).length;

      listAt(item, group.field).push({ modifier_group_id: group.groupId, modifier_id: modifier.modifierId });
      const after = checkItem(index, item, at).filter(({ rule }) => rules.includes(rule)).length;

      expect(before).toBe(0);
      expect(after > 0).toBe(modifier.stillAllowed === 0);
    }),
    { numRuns: 500 },
  );
});

test('the items blamed for an empty set of tenders are those of some smallest conflict, by trying every subset', () => {
  const tenders: TenderType[] = ['CREDIT_CARD', 'CASH', 'EBT', 'GIFT_CARD'];
  const lists = fc.array(fc.subarray(tenders), { minLength: 1, maxLength: 5 });

  fc.assert(
    fc.property(lists, (accepted) => {
      const items = accepted.map((allowed_tenders, place) =>
        menuItem(`i${place}`, `i${place}`, 100, { tender_restriction_level: 'RESTRICTED', allowed_tenders }),
      );
      const cart = { items: items.map(({ id }) => line(id)) };

      const { conflicts } = allowedTenders(menuWith(deliMenu(), items), cart);

      expect(conflicts.map(({ menuItemId }) => menuItemId)).toEqual(blamed(accepted).map((place) => `i${place}`));
    }),
    { numRuns: 500 },
  );

  /** Places that belong to a subset which cannot be paid although each of its own smaller subsets can. */
  function blamed(accepted: TenderType[][]): number[] {
    const payable = (subset: number[]): boolean =>
      subset.length === 0 || tenders.some((tender) => subset.every((place) => accepted[place]!.includes(tender)));
    const places = accepted.map((_, place) => place);
    const subsets = Array.from({ length: 2 ** places.length }, (_, bits) =>
      places.filter((place) => bits & (1 << place)),
    );
    const smallest = subsets.filter(
      (subset) => !payable(subset) && subset.every((place) => payable(subset.filter((other) => other !== place))),
    );
    return places.filter((place) => smallest.some((subset) => subset.includes(place)));
  }
});
