import type { CartItem, InventoryStatus, MenuItem } from '../../contract/index.js';
import {
  isObject,
  type JsonObject,
  optionalString,
  readBody,
  requireArray,
  requireInteger,
  requireUuid,
} from '../refusals/read-fields.js';
import { invalidBody, unprocessable } from '../refusals/refusal.js';
import type { RuleReadings } from '../state/readings.js';
import { checkModifiers, type Selection } from './modifiers.js';
import { checkQuantity } from './quantity.js';
import { isOnSale } from './sale-window.js';

const LONGEST_INSTRUCTIONS = 200;
/** Far beyond any menu; it only keeps hostile nesting away from the recursion. */
const DEEPEST_READ = 32;

export interface CartItemBody {
  readonly menu_item_id: string;
  readonly quantity: number;
  readonly modifier_selections: Selection[];
  readonly special_instructions: string | null;
}

/** Reads the body of an added or replaced item. Throws 400 for what is missing or of the wrong type. */
export function readCartItem(value: unknown, { strict }: { strict: boolean } = { strict: false }): CartItemBody {
  const body = readBody(value);
  return {
    menu_item_id: requireUuid(body, 'menu_item_id').toLowerCase(),
    quantity: readQuantity(body, ''),
    modifier_selections: readSelections(requireArray(body, 'modifier_selections'), {
      path: 'modifier_selections',
      level: 1,
      strict,
    }),
    special_instructions: readInstructions(body),
  };
}

function readQuantity(body: JsonObject, at: string): number {
  const quantity = requireInteger(body, 'quantity', at);
  if (quantity < 1) throw invalidBody(`${at}quantity`, `${at}quantity must be a positive integer.`);
  return quantity;
}

function readInstructions(body: JsonObject): string | null {
  const text = optionalString(body, 'special_instructions');
  // Counted as people count: one emoji is one character.
  if (text !== null && [...text].length > LONGEST_INSTRUCTIONS) {
    const detail = `special_instructions takes at most ${LONGEST_INSTRUCTIONS} characters.`;
    throw invalidBody('special_instructions', detail);
  }
  return text;
}

interface Place {
  readonly path: string;
  readonly level: number;
  /** Whether `nested_selections` must be sent, an empty list when there are none. */
  readonly strict: boolean;
}

function readSelections(entries: readonly unknown[], { path, level, strict }: Place): Selection[] {
  if (level > DEEPEST_READ) throw invalidBody(path, 'The selections nest too deep.');
  return entries.map((entry, index) => {
    const at = `${path}[${index}]`;
    if (!isObject(entry)) throw invalidBody(at, `${at} must be an object.`);
    const isLeftOut = (entry.nested_selections ?? null) === null;
    const nested = isLeftOut && !strict ? [] : requireArray(entry, 'nested_selections', `${at}.`);
    return {
      modifier_group_id: requireUuid(entry, 'modifier_group_id', `${at}.`).toLowerCase(),
      modifier_id: requireUuid(entry, 'modifier_id', `${at}.`).toLowerCase(),
      quantity: entry.quantity === undefined ? 1 : readQuantity(entry, `${at}.`),
      nested_selections: readSelections(nested, { path: `${at}.nested_selections`, level: level + 1, strict }),
    };
  });
}

export interface AvailabilityCheck {
  readonly item: MenuItem;
  /** `undefined` when the inventory does not return the item. */
  readonly stock: InventoryStatus | undefined;
  readonly timezone: string;
  readonly nowMs: number;
}

/** Why an item cannot be bought now; null when it can. */
export function unavailability({ item, stock, timezone, nowMs }: AvailabilityCheck): string | null {
  if (!item.available) return `"${item.name}" is disabled at this location.`;
  if (stock === undefined) return `"${item.name}" is not carried by this location.`;
  if (stock === 'OUT_OF_STOCK') return `"${item.name}" is out of stock.`;
  if (isOnSale(item, timezone, nowMs)) return null;
  const from = item.daily_sales_start_time ?? '00:00';
  const until = item.daily_sales_end_time ?? '24:00';
  return `"${item.name}" is sold from ${from} to ${until} local time (${timezone}).`;
}

export interface CartItemCheck extends AvailabilityCheck {
  readonly body: CartItemBody;
  readonly cartItems: readonly CartItem[];
  readonly replacedCartItemId?: string;
  readonly readings?: RuleReadings;
}

/** Cart rule 1, in the suggested order: availability and time window, quantity limit, modifiers (gap MENU-13). */
export function checkCartItem(check: CartItemCheck): void {
  const { item, body, cartItems, replacedCartItemId, readings = {} } = check;
  const reason = unavailability(check);
  if (reason) throw unprocessable('Item is not available', reason, 'menu_item_id');
  const { quantity } = body;
  if (readings['MENU-13'] === 'modifiers_first') checkModifiers(item, body.modifier_selections, readings);
  checkQuantity({ item, quantity, cartItems, ...(replacedCartItemId && { replacedCartItemId }) });
  checkModifiers(item, body.modifier_selections, readings);
}
