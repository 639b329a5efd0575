/**
 * One chosen modifier of a cart item, as the service returns it. Selections mirror the groups of the menu, up to
 * 3 levels deep.
 *
 * @see Interface document, "ModifierSelection"
 */
export interface ModifierSelection {
  /** UUID of the group that the selection belongs to. */
  modifier_group_id: string;
  /** UUID of the chosen modifier in that group. */
  modifier_id: string;
  /** How often the modifier is chosen; above 1 only in groups with `allows_duplicates: true`. */
  quantity: number;
  /** Selections for the groups of the chosen modifier; empty when there are none. */
  nested_selections: ModifierSelection[];
}

/**
 * One chosen modifier in the body that adds or replaces a cart item. A {@link ModifierSelection} read from a cart can be
 * sent as it is.
 *
 * @see Interface document, "ModifierSelection"
 */
export interface ModifierSelectionRequest {
  /** UUID of the group that the selection belongs to. */
  modifier_group_id: string;
  /** UUID of the chosen modifier in that group. */
  modifier_id: string;
  /** Positive whole number, only above 1 in groups with `allows_duplicates: true`. @defaultValue 1 */
  quantity?: number | undefined;
  /** Selections for the groups of the chosen modifier, at most 3 levels in all. @defaultValue an empty array */
  nested_selections?: ModifierSelectionRequest[] | undefined;
}
