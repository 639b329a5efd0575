import type { MenuItem, Modifier, ModifierGroup, ModifierSelection } from 'online-ordering-sdk';

/**
 * Selections that a menu item accepts, whatever the menu: what is required in every group, and one choice in up to
 * `extras` optional groups.
 */
export function chooseModifiers(item: MenuItem, extras: number): ModifierSelection[] {
  return selectIn(item.modifier_groups ?? [], extras);
}

/** How many levels of modifiers lie below an item or a modifier. */
export function modifierLevels({ modifier_groups: groups = [] }: Pick<Modifier, 'modifier_groups'>): number {
  const below = groups.flatMap(({ modifiers }) => modifiers.map(modifierLevels));
  return groups.length === 0 ? 0 : 1 + Math.max(0, ...below);
}

function selectIn(groups: readonly ModifierGroup[], extras: number): ModifierSelection[] {
  let left = extras;
  return groups.flatMap((group) => {
    const isExtra = group.min_selections === 0;
    if (isExtra && left === 0) return [];
    if (isExtra) left -= 1;
    const count = Math.max(group.min_selections, 1);
    return preferred(group)
      .slice(0, count)
      .map(
        (modifier): ModifierSelection => ({
          modifier_group_id: group.id,
          modifier_id: modifier.id,
          quantity: isExtra && group.allows_duplicates && group.max_selections > 1 ? 2 : 1,
          nested_selections: selectIn(modifier.modifier_groups ?? [], extras),
        }),
      );
  });
}

/** Defaults first, then what can be refined further. */
function preferred({ modifiers }: ModifierGroup): Modifier[] {
  const rank = (modifier: Modifier): number => (modifier.is_default ? 10 : 0) + modifierLevels(modifier);
  return modifiers.filter(({ available }) => available !== false).sort((a, b) => rank(b) - rank(a));
}
