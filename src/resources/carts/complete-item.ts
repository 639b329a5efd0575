import type { CartItemRequest, ModifierSelectionRequest } from '../../contract/index.js';

/** Deeper than the interface document allows: what lies below is refused as it is. */
const DEEPEST = 5;

/**
 * An item with what may be left out of its selections filled in, as the interface document writes them: `quantity: 1`,
 * and an empty `nested_selections`. What is not a selection is left for the check of the body to name.
 */
export function completeItem(item: CartItemRequest): CartItemRequest {
  if (!Array.isArray(item?.modifier_selections)) return item;
  return { ...item, modifier_selections: completeSelections(item.modifier_selections, 1) };
}

function completeSelections(selections: ModifierSelectionRequest[], level: number): ModifierSelectionRequest[] {
  return selections.map((selection) => {
    if (typeof selection !== 'object' || selection === null || level > DEEPEST) return selection;
    const { quantity = 1, nested_selections: nested = [] } = selection;
    const complete = Array.isArray(nested) ? completeSelections(nested, level + 1) : nested;
    return { ...selection, quantity, nested_selections: complete };
  });
}
