import { localTime } from '../../hours/local-time.js';
import { isOnSale, saleWindow } from '../../hours/sale-hours.js';
import { type TimeInput, toEpochMs } from '../../hours/time-input.js';
import { formatTimeOfDay } from '../../hours/time-of-day.js';
import {
  type CartItemDraft,
  type CartLine,
  type CartLines,
  type Handoff,
  isPositiveInteger,
  modeOf,
} from '../model/cart-lines.js';
import { givenItem, givenLines, givenOptions, givenParts, givenSelections } from '../model/given.js';
import { sameId } from '../model/menu-fields.js';
import { type IndexedItem, type MenuIndex, type MenuOrIndex, toIndex } from '../model/menu-index.js';
import type { Availability } from '../stock/availability.js';
import { checkDepth, checkForm, checkSelections } from './check-selections.js';
import { type MenuProblem, problem } from './problem.js';
import { allowedTenders, tenderRestriction } from './tenders.js';

/** What every check needs to know. */
export interface CheckOptions {
  /** The moment at which the service will judge: now, for a request that goes out at once. */
  at: TimeInput;
  /** The location's `timezone`. Without one, sale hours are not judged. */
  timezone: string | null | undefined;
  /** Stock of the location, from `availability()`; without it only the menu's `available` counts. */
  availability?: Availability | undefined;
  /** How the order will be handed over; without it the `handoff_mode` of the cart. */
  handoff?: Handoff | undefined;
}

export interface CheckItemOptions extends CheckOptions {
  /** The cart that the item goes into: quantity limits and tenders count over all of it. Leave it out for a new cart. */
  cart?: CartLines | null | undefined;
  /** Id of the cart item that this one takes the place of (`client.carts.items.replace`); its quantity does not count. */
  replacing?: string | undefined;
}

/**
 * Finds everything for which the service would refuse a cart item, before it is sent.
 *
 * The first problem is what the service would respond with (gap MENU-13): the form of the request, the item itself, its sale
 * hours, its quantity over the whole cart, its modifiers one after the other with what is nested in them, the tenders. An
 * empty list means that the menu, as known here, has nothing against the item. Where the menu does not state a limit, nothing is said: the check never refuses what the service accepts. Only
 * `no_common_tender` is not enforced by the service yet, and is marked so.
 *
 * @throws {RequestValidationError} `at` is not a moment, the runtime knows no such time zone, or the item or the cart is not
 * made of lists and objects where the interface document has them; `field` says where.
 * @throws {ConfigurationError} What was given for the menu, the options or the availability is none.
 * @see Interface document, cart rules 1 and 7; docs/interface-gaps.md, MENU-6, MENU-12, MENU-13, MENU-16
 * @example
 * const problems = checkItem(menu, item, { cart, at: new Date(), timezone: location.timezone });
 * if (problems.length === 0) await client.carts.items.add(cart.id, item);
 */
export function checkItem(menu: MenuOrIndex, item: CartItemDraft, options: CheckItemOptions): MenuProblem[] {
  const index = toIndex(menu);
  checkOptions('checkItem', options);
  const indexed = index.item(givenItem(item).menu_item_id);
  if (!indexed) return checkUnknownItem(item, '');
  const others = (options.cart == null ? [] : givenLines(options.cart, 'cart.')).filter(
    ({ id }) => id === undefined || options.replacing == null || !sameId(id, options.replacing),
  );
  return [
    ...checkItemForm(item, `"${indexed.name}"`, ''),
    ...checkOffer(indexed, options, 'menu_item_id'),
    ...checkQuantity(indexed, item.quantity, { others, field: 'quantity' }),
    ...checkSelections(indexed, givenSelections(item.modifier_selections, FIELD), FIELD),
    ...checkTender(index, indexed, { others, handoff: options.handoff ?? options.cart?.handoff_mode }),
  ];
}

const FIELD = 'modifier_selections';

/** Holds the options that all checks share to their shape. */
export function checkOptions(caller: string, options: CheckOptions): void {
  givenOptions(caller, options, '{ at: new Date(), timezone: location.timezone }');
  const { availability } = options;
  if (availability != null)
    givenParts('The option "availability"', availability, [['item'], 'what availability() gives']);
}

/** Of an item that is not on the menu only the form of the request can be judged. */
export function checkUnknownItem(item: CartItemDraft | CartLine, prefix: string): MenuProblem[] {
  const message = 'The menu of this location has no such item; choose one that it has.';
  return [
    ...checkItemForm(item, 'this item', prefix),
    problem('unknown_item', `${prefix}menu_item_id`, message),
    ...checkDepth(givenSelections(item.modifier_selections, prefix + FIELD), prefix + FIELD),
  ];
}

/** What the service refuses before it looks at the menu. */
export function checkItemForm(item: CartItemDraft | CartLine, what: string, prefix: string): MenuProblem[] {
  const { quantity, modifier_selections: selections } = item;
  const message = `The quantity of ${what} is a whole number from 1 up.`;
  return [
    ...(isPositiveInteger(quantity)
      ? []
      : [problem('quantity_below_one', `${prefix}quantity`, message, { limit: 1, actual: quantity })]),
    ...checkForm(givenSelections(selections, prefix + FIELD), prefix + FIELD),
  ];
}

/** Whether the item is sold now: on the menu as available, in stock where that is known, within its hours. */
export function checkOffer(item: IndexedItem, options: CheckOptions, field: string): MenuProblem[] {
  const problems: MenuProblem[] = [];
  const stock = options.availability?.item(item.id);
  if (item.raw.available === false || stock?.available === false) {
    const actual = stock?.status ?? null;
    problems.push(problem('unavailable', field, `"${item.name}" is not available at this location now.`, { actual }));
  }
  const epochMs = toEpochMs(options.at);
  if (options.timezone && !isOnSale(item.raw, epochMs, options.timezone)) {
    problems.push(outsideSaleHours(item, formatTimeOfDay(localTime(epochMs, options.timezone).secondOfDay), field));
  }
  return problems;
}

function outsideSaleHours(item: IndexedItem, actual: string, field: string): MenuProblem {
  const { start, end } = saleWindow(item.raw) ?? { start: 0, end: 86_400 };
  const limit = `${formatTimeOfDay(start)}-${formatTimeOfDay(end)}`;
  const message = `"${item.name}" is sold from ${limit.replace('-', ' to ')} local time; it is ${actual} there.`;
  return problem('outside_sale_hours', field, message, { limit, actual });
}

function checkQuantity(
  item: IndexedItem,
  quantity: number,
  { others, field }: { others: CartLines['items']; field: string },
): MenuProblem[] {
  if (!isPositiveInteger(quantity)) return [];
  const inCart = others.filter(({ menu_item_id }) => sameId(menu_item_id, item.id));
  const total = inCart.reduce((sum, line) => sum + (isPositiveInteger(line.quantity) ? line.quantity : 0), quantity);
  const limit = quantityLimit(item);
  return limit !== undefined && total > limit ? [aboveLimit(item, { limit, total, field })] : [];
}

/** Most units in one cart, or `undefined` when the menu states no number. */
export function quantityLimit({ raw }: IndexedItem): number | undefined {
  const limit: unknown = raw.max_allowed_quantity;
  return typeof limit === 'number' && limit >= 0 ? limit : undefined;
}

export function aboveLimit(
  item: IndexedItem,
  { limit, total, field }: { limit: number; total: number; field: string },
): MenuProblem {
  const message = `A cart holds at most ${limit} of "${item.name}", over all its lines; this makes ${total}.`;
  return problem('quantity_limit', field, message, { limit, actual: total });
}

function checkTender(
  index: MenuIndex,
  item: IndexedItem,
  { others, handoff }: { others: CartLines['items']; handoff: Handoff },
): MenuProblem[] {
  const accepted = tenderRestriction(item);
  if (!accepted) return [];
  const together = allowedTenders(index, { items: [...others, { menu_item_id: item.id, quantity: 1 }] }, { handoff });
  if (together.tenders.length > 0 || !together.conflicts.some(({ menuItemId }) => menuItemId === item.id)) return [];
  const rest = allowedTenders(
    index,
    { items: others.filter((line) => !sameId(line.menu_item_id, item.id)) },
    { handoff },
  );
  const message = noCommonTender(
    together.conflicts.map(({ name }) => name),
    modeOf(handoff),
  );
  return [
    {
      rule: 'no_common_tender',
      field: 'menu_item_id',
      limit: rest.tenders,
      actual: accepted,
      message,
      enforced: false,
    },
  ];
}

export function noCommonTender(names: readonly string[], mode: string | undefined): string {
  const items = names.map((name) => `"${name}"`).join(', ');
  const delivery = mode === 'DELIVERY' ? ' on delivery, where cash is not taken' : '';
  const advice = names.length > 1 ? 'sell them in separate orders' : 'choose another handoff mode, or leave it out';
  return `No tender pays for ${items}${delivery}; ${advice}.`;
}
