import type { CartItem, Location, ModifierSelection } from 'online-ordering-sdk';
import { choices, type GroupChoice, type MenuIndex } from 'online-ordering-sdk/menus';

/** What the menu proposes for an item, level by level. */
export function preselected(menu: MenuIndex, itemId: string): ModifierSelection[] {
  return defaultsOf(choices(menu, itemId) ?? []);
}

function defaultsOf(groups: readonly GroupChoice[]): ModifierSelection[] {
  return groups.flatMap(({ groupId, modifiers }) =>
    modifiers
      .filter(({ isDefault, available }) => isDefault && available)
      .map(({ modifierId, nested }) => ({
        modifier_group_id: groupId,
        modifier_id: modifierId,
        quantity: 1,
        nested_selections: defaultsOf(nested.flatMap(({ groups: below }) => below)),
      })),
  );
}

/** What was chosen for a line, in words: `6 inch, Italian herb (Toasted), 2 × Bacon`. */
export function chosenNames(menu: MenuIndex, { modifier_selections: selections }: CartItem): string {
  const named = ({ modifier_id, quantity, nested_selections: nested }: ModifierSelection): string => {
    const name = menu.modifier(modifier_id)?.name ?? 'no longer on the menu';
    const below = nested.length > 0 ? ` (${nested.map(named).join(', ')})` : '';
    return `${quantity > 1 ? `${quantity} × ` : ''}${name}${below}`;
  };
  return selections.map(named).join(', ');
}

/** `05:00 to 23:00`, by the clock of the store; `closed` on a day without hours. */
export function hoursOfToday({ business_hours: hours = [], timezone }: Location, at: number): string {
  const today = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: timezone }).format(at).toUpperCase();
  const open = hours.filter((day) => day.day_of_week === today && !day.is_closed);
  return open.map(({ open_time: from, close_time: until }) => `${from} to ${until}`).join(', ') || 'closed';
}
