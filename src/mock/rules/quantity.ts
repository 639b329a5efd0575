import type { CartItem, MenuItem } from '../../contract/index.js';
import { unprocessable } from '../refusals/refusal.js';

/** The document names no maximum for items without a limit; above this, amounts would stop being exact integers (gap CART-14). */
const MOST_EXACT_UNITS = 1_000_000;

export interface QuantityCheck {
  readonly item: Pick<MenuItem, 'id' | 'name' | 'max_allowed_quantity'>;
  readonly quantity: number;
  readonly cartItems: readonly Pick<CartItem, 'id' | 'menu_item_id' | 'quantity'>[];
  /** The line that the new one replaces; its units no longer count. */
  readonly replacedCartItemId?: string;
}

/** Holds the units of an item, over all lines of the cart, to its limit. Throws "Quantity exceeds limit". */
export function checkQuantity({ item, quantity, cartItems, replacedCartItemId }: QuantityCheck): void {
  const others = cartItems.filter((line) => line.menu_item_id === item.id && line.id !== replacedCartItemId);
  const units = others.reduce((count, line) => count + line.quantity, quantity);
  const limit = item.max_allowed_quantity ?? MOST_EXACT_UNITS;
  if (units <= limit) return;
  throw unprocessable(
    'Quantity exceeds limit',
    `A cart takes at most ${limit} of "${item.name}"; this would make ${units}.`,
    'quantity',
  );
}
