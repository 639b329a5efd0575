import type { CartItemRequest, HandoffMode, ModifierSelectionRequest } from '../../contract/index.js';

/** What the checks read of a line in a cart; a `CartItem` of a cart response fits. */
export interface CartLine {
  /** Id of the line in the cart; absent before the cart was sent. */
  readonly id?: string;
  /** Id of the item on the menu. */
  readonly menu_item_id: string;
  /** How many; a whole number from 1 on (interface document, "CartItem"). */
  readonly quantity: number;
  /** What is chosen of its modifiers, nested selections included. */
  readonly modifier_selections?: readonly ModifierSelectionRequest[];
}

/** What the checks read of a cart; a `Cart` fits, and so does `{ items }` put together before there is one. */
export interface CartLines {
  /** The lines of the cart in their order. */
  readonly items: readonly CartLine[];
  /** How the order is handed over; absent or `null` while that is not chosen. */
  readonly handoff_mode?: HandoffMode | HandoffName | null;
}

/** The part of a hand-over that the checks read. */
export interface HandoffName {
  /** `PICKUP`, `CURBSIDE`, `DELIVERY`, … (interface document, "HandoffMode"). */
  readonly mode: string;
}

/** How an order is handed over: the name of the mode, or the object that has it. */
export type Handoff = HandoffMode | HandoffName | HandoffMode['mode'] | (string & {}) | null | undefined;

/** A cart item that is about to be sent; lists may be read-only. */
export type CartItemDraft = Omit<CartItemRequest, 'modifier_selections'> & {
  /** What is chosen of its modifiers, nested selections included. */
  readonly modifier_selections?: readonly ModifierSelectionRequest[];
};

/** Name of the mode, or `undefined` while none is chosen. */
export function modeOf(handoff: Handoff): string | undefined {
  if (typeof handoff === 'string') return handoff;
  return handoff?.mode;
}

/** The service reads a selection without a quantity as one. */
export function quantityOf(selection: ModifierSelectionRequest): number {
  return selection.quantity ?? 1;
}

export function isPositiveInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}
