import { isObject } from '../refusals/read-fields.js';
import type { Json, Turn } from './turn.js';
import { listIn, rename } from './values.js';

const MENU = 'GET /locations/{location_id}/menu';
const METADATA = 'GET /locations/{location_id}/menu/metadata';

/** Runs over every object of a menu, whatever its lists are called. */
function everyObject(value: unknown, visit: (object: Json) => void): void {
  if (Array.isArray(value)) for (const entry of value) everyObject(entry, visit);
  else if (isObject(value)) {
    for (const entry of Object.values(value)) everyObject(entry, visit);
    visit(value as Json);
  }
}

// Each kind of record is known by a field that no other has, so that turns hold in any order.
const isItem = (object: Json): boolean => 'base_price' in object;
const isGroup = (object: Json): boolean => 'min_selections' in object;
const isModifier = (object: Json): boolean => !isItem(object) && ('price' in object || 'price_adjustment' in object);

const renamed = (is: (object: Json) => boolean, from: string, to: string): Turn => ({
  reply: {
    [MENU]: (body) => {
      everyObject(body, (object) => {
        if (is(object)) rename(object, from, to);
      });
      return undefined;
    },
  },
});

/** gap MENU-1 */
export const modifiedAs = (name: string): Turn => {
  const reply = (body: Json): undefined => rename(body, 'last_modified', name) as undefined;
  return { reply: { [MENU]: reply, [METADATA]: reply } };
};

/** gap MENU-2 */
export const itemsAs = (name: string): Turn => ({
  reply: {
    [MENU]: (body) => {
      for (const category of listIn(body, 'categories')) rename(category, 'items', name);
      return undefined;
    },
  },
});

/** gap MENU-3 */
export const groupsAs = (name: string): Turn => renamed(isItem, 'modifier_groups', name);
/** gap MENU-4 */
export const modifiersAs = (name: string): Turn => renamed(isGroup, 'modifiers', name);
/** gap MENU-5 */
export const priceAs = (name: string): Turn => renamed(isModifier, 'price', name);
/** gap MENU-10 */
export const nestedGroupsAs = (name: string): Turn => renamed(isModifier, 'modifier_groups', name);
