import { z } from 'zod';
import { once } from './once.js';
import { record } from './record.js';
import { explain, id, units, uuid } from './scalars.js';

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

/** Levels of modifiers, in menus and in selections ("Limits"). */
export const MODIFIER_LEVELS = 3;

/** Schema of {@link ModifierSelection}. */
export const modifierSelectionSchema = once((): z.ZodType<ModifierSelection> => selectionAtLevel(1));

/** Levels beyond the allowed ones are kept unchecked: hostile nesting ends no process with a stack overflow. */
function selectionAtLevel(level: number): z.ZodType<ModifierSelection> {
  return record<ModifierSelection>({
    modifier_group_id: id(),
    modifier_id: id(),
    quantity: z.int(),
    nested_selections: z.array(level < MODIFIER_LEVELS ? selectionAtLevel(level + 1) : z.custom<ModifierSelection>()),
  });
}

/** Schema of {@link ModifierSelectionRequest}: refuses a fourth level. */
export const modifierSelectionRequestSchema = once((): z.ZodType<ModifierSelectionRequest> => requestAtLevel(1));

function requestAtLevel(level: number): z.ZodType<ModifierSelectionRequest> {
  const error = explain('an array of modifier selections; leave it out when there are none');
  return record<ModifierSelectionRequest>(
    {
      modifier_group_id: uuid('the `id` of a modifier group of the menu'),
      modifier_id: uuid('the `id` of a modifier of that group'),
      quantity: units().optional(),
      nested_selections: (level < MODIFIER_LEVELS
        ? z.array(requestAtLevel(level + 1), { error })
        : noFurtherLevel()
      ).optional(),
    },
    { error: explain('a modifier selection: an object with `modifier_group_id` and `modifier_id`') },
  );
}

function noFurtherLevel() {
  const error = `must be left out or empty: modifiers nest at most ${MODIFIER_LEVELS} levels deep`;
  return z.array(z.custom<ModifierSelectionRequest>(), { error }).max(0, { error });
}
