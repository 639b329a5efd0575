import { z } from 'zod';
import type { ModifierSelection, ModifierSelectionRequest } from '../records/modifier-selection.js';
import { once } from './once.js';
import { record } from './record.js';
import { explain, id, units, uuid } from './scalars.js';

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
