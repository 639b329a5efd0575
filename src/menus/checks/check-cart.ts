import type { CartLine, CartLines } from '../model/cart-lines.js';
import { isPositiveInteger, modeOf } from '../model/cart-lines.js';
import { givenLines, givenSelections } from '../model/given.js';
import { type IndexedItem, type MenuIndex, type MenuOrIndex, toIndex } from '../model/menu-index.js';
import {
  aboveLimit,
  type CheckOptions,
  checkItemForm,
  checkOffer,
  checkOptions,
  checkUnknownItem,
  noCommonTender,
  quantityLimit,
} from './check-item.js';
import { checkSelections } from './check-selections.js';
import type { MenuProblem } from './problem.js';
import { allowedTenders } from './tenders.js';

/**
 * Finds everything in a cart that the menu does not allow (any more), for example before a checkout some time after the
 * items were added.
 *
 * The lines are judged in their order, each as `checkItem` does, with `items[2].` before the paths; a quantity limit is
 * reported once, at the line that passes it. The tenders of the whole cart come last (`field: 'items'`). What does not
 * depend on the menu is not judged: an empty cart, a missing handoff mode, promo codes.
 *
 * @throws {RequestValidationError} `at` is not a moment, the runtime knows no such time zone, or the cart is not made of lists
 * and objects where the interface document has them; `field` says where.
 * @throws {ConfigurationError} What was given for the menu, the options or the availability is none.
 * @see Interface document, cart rules 1, 6 and 7
 */
export function checkCart(menu: MenuOrIndex, cart: CartLines, options: CheckOptions): MenuProblem[] {
  const index = toIndex(menu);
  checkOptions('checkCart', options);
  const units = new Map<string, number>();
  return [
    ...givenLines(cart).flatMap((line, place) =>
      checkLine({ index, line, options, units, prefix: `items[${place}].` }),
    ),
    ...checkTenders(index, cart, options),
  ];
}

interface LineInCart {
  readonly index: MenuIndex;
  readonly line: CartLine;
  readonly options: CheckOptions;
  /** Units of each menu item in the lines before this one. */
  readonly units: Map<string, number>;
  readonly prefix: string;
}

function checkLine(at: LineInCart): MenuProblem[] {
  const { index, line, options, prefix } = at;
  const item = index.item(line.menu_item_id);
  if (!item) return checkUnknownItem(line, prefix);
  const field = `${prefix}modifier_selections`;
  return [
    ...checkItemForm(line, `"${item.name}"`, prefix),
    ...checkOffer(item, options, `${prefix}menu_item_id`),
    ...checkUnits(at, item),
    ...checkSelections(item, givenSelections(line.modifier_selections, field), field),
  ];
}

function checkUnits({ line, units, prefix }: LineInCart, item: IndexedItem): MenuProblem[] {
  const field = `${prefix}quantity`;
  if (!isPositiveInteger(line.quantity)) return [];
  const before = units.get(item.id) ?? 0;
  const total = before + line.quantity;
  units.set(item.id, total);
  const limit = quantityLimit(item);
  if (limit === undefined || total <= limit || before > limit) return [];
  return [aboveLimit(item, { limit, total, field })];
}

function checkTenders(index: MenuIndex, cart: CartLines, options: CheckOptions): MenuProblem[] {
  const handoff = options.handoff ?? cart.handoff_mode;
  const { tenders, conflicts } = allowedTenders(index, cart, { handoff });
  if (tenders.length > 0) return [];
  const message = noCommonTender(
    conflicts.map(({ name }) => name),
    modeOf(handoff),
  );
  const actual = conflicts.map(({ menuItemId }) => menuItemId);
  return [{ rule: 'no_common_tender', field: 'items', limit: [], actual, message, enforced: false }];
}
