import { TENDER_TYPES, type TenderType } from '../../contract/records/payment.js';
import { type CartLines, type Handoff, modeOf } from '../model/cart-lines.js';
import { givenLines, givenOptions } from '../model/given.js';
import { type IndexedItem, type MenuIndex, type MenuOrIndex, toIndex } from '../model/menu-index.js';

/** With which tenders a cart can be paid. */
export interface AllowedTenders {
  /** Tenders that every item accepts, in the order of the interface document. Empty: the cart cannot be paid as it is. */
  readonly tenders: readonly TenderType[];
  /** True when an item of the cart restricts them; false means that tenders to come are accepted too. */
  readonly restricted: boolean;
  /** When `tenders` is empty, the items that cause it: each of them excludes what others leave. Otherwise empty. */
  readonly conflicts: readonly TenderConflict[];
}

/** An item that leaves no tender for all. */
export interface TenderConflict {
  /** Id of the item on the menu, not of the line in the cart. */
  readonly menuItemId: string;
  /** Name on the menu. */
  readonly name: string;
  /** What the item accepts, as the menu says. */
  readonly allowedTenders: readonly TenderType[];
}

/** What decides on tenders beside the items. */
export interface AllowedTendersOptions {
  /** How the order is handed over; without it the `handoff_mode` of the cart. CASH is not supported for `DELIVERY`. */
  handoff?: Handoff | undefined;
}

/**
 * Finds the tenders with which a whole cart can be paid: those that all its restricted items accept.
 *
 * An item restricts only when its level is `RESTRICTED` and its list is known: null, `NONE`, levels and tenders that this
 * package does not know leave it unrestricted, and so does an item that is not on the menu. The service plans to enforce
 * tenders and does not yet.
 *
 * @throws {RequestValidationError} The cart is no object with a list of lines; `field` says where.
 * @throws {ConfigurationError} What was given for the menu or the options is none.
 * @see Interface document, "MenuItem", and cart rule 7; docs/interface-gaps.md, MENU-11
 */
export function allowedTenders(
  menu: MenuOrIndex,
  cart: CartLines,
  options: AllowedTendersOptions = {},
): AllowedTenders {
  const lines = givenLines(cart);
  givenOptions('allowedTenders', options, "{ handoff: 'PICKUP' }");
  const possible = tendersFor(modeOf(options.handoff ?? cart.handoff_mode));
  const restrictions = restrictionsOf(toIndex(menu), lines);
  const tenders = intersection(possible, restrictions);
  const conflicts = tenders.length > 0 ? [] : restrictions.filter((one) => causes(one, restrictions, possible));
  return { tenders, restricted: restrictions.length > 0, conflicts };
}

function tendersFor(mode: string | undefined): readonly TenderType[] {
  return mode === 'DELIVERY' ? TENDER_TYPES.filter((tender) => tender !== 'CASH') : TENDER_TYPES;
}

function restrictionsOf(index: MenuIndex, lines: CartLines['items']): TenderConflict[] {
  const itemIds = new Set(lines.map(({ menu_item_id: id }) => index.item(id)?.id ?? id));
  return [...itemIds].flatMap((itemId) => {
    const item = index.item(itemId);
    const accepted = item && tenderRestriction(item);
    return accepted ? [{ menuItemId: itemId, name: item.name, allowedTenders: accepted }] : [];
  });
}

/** The tenders to which an item is restricted, or `undefined` when it takes all. */
export function tenderRestriction({ raw }: IndexedItem): readonly TenderType[] | undefined {
  if (raw.tender_restriction_level !== 'RESTRICTED' || !Array.isArray(raw.allowed_tenders)) return undefined;
  const listed = raw.allowed_tenders as readonly unknown[];
  return listed.every(isKnownTender) ? listed : undefined;
}

function isKnownTender(value: unknown): value is TenderType {
  return (TENDER_TYPES as readonly unknown[]).includes(value);
}

function intersection(possible: readonly TenderType[], restrictions: readonly TenderConflict[]): TenderType[] {
  return possible.filter((tender) => restrictions.every(({ allowedTenders: accepted }) => accepted.includes(tender)));
}

/**
 * An item causes an empty set when it excludes all that some other items leave. For each tender that it refuses, the items
 * that accept that tender leave the least they can; if nothing of it suits the item, they cannot be paid together.
 */
function causes(
  item: TenderConflict,
  restrictions: readonly TenderConflict[],
  possible: readonly TenderType[],
): boolean {
  const refused = possible.filter((tender) => !item.allowedTenders.includes(tender));
  return refused.some((tender) => {
    const accepting = restrictions.filter(({ allowedTenders: accepted }) => accepted.includes(tender));
    return intersection(possible, [...accepting, item]).length === 0;
  });
}
