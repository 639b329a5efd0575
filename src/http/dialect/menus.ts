import { GAPS } from '../../profile/gaps.js';
import type { Choices } from '../../profile/profile.js';
import { type Change, inEach, inFields, inTurn, renamed } from './json.js';

const MENU_ROWS = ['MENU-1', 'MENU-2', 'MENU-3', 'MENU-4', 'MENU-5', 'MENU-10'] as const;

/** A menu with the names of this package (gaps MENU-1 to MENU-5 and MENU-10), outermost first; `undefined` for no change. */
export function menuReader(choices: Choices): Change | undefined {
  if (!MENU_ROWS.some((row) => (choices[row] ?? GAPS[row][0]) !== GAPS[row][0])) return undefined;
  const names = {
    modified: choices['MENU-1'] ?? 'last_modified',
    items: choices['MENU-2'] ?? 'items',
    groups: choices['MENU-3'] ?? 'modifier_groups',
    modifiers: choices['MENU-4'] ?? 'modifiers',
    price: choices['MENU-5'] ?? 'price',
    nested: choices['MENU-10'] ?? 'modifier_groups',
  };
  const modifier: Change = (value) =>
    inTurn(
      renamed(names.price, 'price'),
      renamed(names.nested, 'modifier_groups'),
      inFields({ modifier_groups: inEach(group) }),
    )(value);
  const group: Change = (value) =>
    inTurn(renamed(names.modifiers, 'modifiers'), inFields({ modifiers: inEach(modifier) }))(value);
  const item = inTurn(renamed(names.groups, 'modifier_groups'), inFields({ modifier_groups: inEach(group) }));
  const category = inTurn(renamed(names.items, 'items'), inFields({ items: inEach(item) }));
  return inTurn(renamed(names.modified, 'last_modified'), inFields({ categories: inEach(category) }));
}
