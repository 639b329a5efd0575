import { ConfigurationError } from '../../errors/configuration.js';
import type { Profile } from '../../profile/profile.js';
import { defaultFieldNames, type MenuFieldNames } from './menu-fields.js';

/** The list of names that each row decides. */
const NAMES_OF_ROWS = {
  'MENU-2': 'items',
  'MENU-3': 'itemGroups',
  'MENU-4': 'modifiers',
  'MENU-5': 'modifierPrice',
  'MENU-10': 'nestedGroups',
} as const satisfies { readonly [Row in keyof Profile['choices']]?: keyof MenuFieldNames };

/**
 * The names that a profile says a menu has. The names of this package are read, too: a client that has the profile gives
 * menus with them.
 */
export function namesOfProfile(profile: Profile | undefined): Partial<MenuFieldNames> {
  if (profile === undefined) return {};
  const choices: unknown = profile?.choices;
  if (typeof choices !== 'object' || choices === null) {
    throw new ConfigurationError(
      "indexMenu() was given a profile without choices; write for example { format: 1, choices: { 'MENU-3': 'groups' } }.",
    );
  }
  const names: Partial<MenuFieldNames> = {};
  for (const [row, field] of Object.entries(NAMES_OF_ROWS)) {
    const reading: unknown = (choices as Readonly<Record<string, unknown>>)[row];
    if (reading === undefined) continue;
    if (typeof reading !== 'string' || reading === '') {
      throw new ConfigurationError(`indexMenu() was given a profile whose ${row} is no name of a field.`);
    }
    names[field] = [reading, ...defaultFieldNames[field].filter((name) => name !== reading)];
  }
  return names;
}
