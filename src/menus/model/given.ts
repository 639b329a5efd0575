/**
 * What callers hand to the public functions, held to its shape before it is read. Plain JavaScript, and JSON that a browser
 * has sent, are of any shape; only lists and objects matter here, since every other odd value is a finding of the checks.
 */
import type { ModifierSelectionRequest } from '../../contract/index.js';
import { ConfigurationError, RequestValidationError } from '../../errors/local.js';
import { kindOf, notAs } from '../../platform/kind-of.js';
import type { CartLine, CartLines } from './cart-lines.js';
import { isRecord } from './menu-fields.js';

/** Selections of the third level are the deepest that the service takes; an object may hold itself. */
const DEEPEST_READ = 8;

const SELECTION = 'an object with modifier_group_id and modifier_id';
const LINE = 'an object with menu_item_id, quantity and modifier_selections';

/** Selections as they were given; those that are absent are none. */
export function givenSelections(value: unknown, field: string, level = 1): readonly ModifierSelectionRequest[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) refuse(field, value, 'a list of selections, empty for none');
  for (const [place, selection] of (value as readonly unknown[]).entries()) {
    const path = `${field}[${place}]`;
    if (!isRecord(selection)) refuse(path, selection, SELECTION);
    if (level < DEEPEST_READ) givenSelections(selection.nested_selections, `${path}.nested_selections`, level + 1);
  }
  return value as readonly ModifierSelectionRequest[];
}

/** A cart item as it was given. */
export function givenItem<Item>(value: Item, field: string | null = null): Item {
  if (!isRecord(value)) refuse(field, value, LINE, 'The cart item');
  return value;
}

/** The lines of a cart as they were given; `field` is where the cart stands, with a dot. */
export function givenLines(cart: CartLines, field = ''): readonly CartLine[] {
  if (!isRecord(cart)) refuse(null, cart, 'a cart, or { items }', 'The cart');
  const lines: unknown = cart.items;
  if (!Array.isArray(lines)) refuse(`${field}items`, lines, 'a list of cart items, empty for none');
  for (const [place, line] of (lines as readonly unknown[]).entries()) {
    if (!isRecord(line)) refuse(`${field}items[${place}]`, line, LINE);
  }
  return lines as readonly CartLine[];
}

/** The options of a function, as they were given. */
export function givenOptions<Options>(caller: string, value: Options, example: string): Options {
  if (isRecord(value)) return value;
  throw new ConfigurationError(notAs(`What ${caller}() was given for its options`, value, example));
}

/** A time that is above 0. */
export function givenMilliseconds(name: string, value: unknown): number {
  if (typeof value === 'number' && value > 0) return value;
  const shown = typeof value === 'number' ? value : kindOf(value);
  throw new ConfigurationError(`The option "${name}" is ${shown}; it counts milliseconds and must be above 0.`);
}

/** An object with functions of these names, such as a client. */
export function givenParts<Given>(name: string, value: Given, [parts, what]: [readonly string[], string]): Given {
  const missing = parts.find((part) => typeof at(value, part) !== 'function');
  if (missing === undefined) return value;
  const found = isRecord(value) ? `${name} has no ${missing}(); give ${what}.` : notAs(name, value, what);
  throw new ConfigurationError(found);
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce((inside, name) => (isRecord(inside) ? inside[name] : undefined), value);
}

function refuse(field: string | null, value: unknown, what: string, name = field ?? ''): never {
  const message = notAs(name, value, what);
  throw new RequestValidationError(message, { problems: [{ field, message }] });
}
