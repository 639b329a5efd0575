import type { CartItemRequest, HandoffMode, ModifierSelectionRequest } from '../../contract/index.js';

/** What the checks read of a line in a cart; a `CartItem` of a cart response fits. */
export interface CartLine {
  readonly id?: string;
  readonly menu_item_id: string;
  readonly quantity: number;
  readonly modifier_selections?: readonly ModifierSelectionRequest[];
}

/** What the checks read of a cart; a `Cart` fits, and so does `{ items }` put together before there is one. */
export interface CartLines {
  readonly items: readonly CartLine[];
  readonly handoff_mode?: HandoffMode | { readonly mode: string } | null;
}

/** How an order is handed over: the name of the mode, or the object that has it. */
export type Handoff = HandoffMode | { readonly mode: string } | HandoffMode['mode'] | (string & {}) | null | undefined;

/** A cart item that is about to be sent; lists may be read-only. */
export type CartItemDraft = Omit<CartItemRequest, 'modifier_selections'> & {
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
