/**
 * The gaps of the interface document that can be decided by asking the service, each with its readings; the first is the
 * one that this package chooses without a profile. `docs/interface-gaps.md` says what each row is about.
 *
 * A row that is not here cannot be decided from outside; the document says why in its row.
 */
export const GAPS = {
  'BODY-1': ['code_points', 'utf16'],
  'BODY-2': ['refused', 'accepted'],
  'BODY-3': ['refused', 'accepted'],
  'BODY-4': ['complete', 'partial'],
  'CART-1': ['204', '200'],
  'CART-2': ['404', '200'],
  'CART-7': ['refused', 'accepted'],
  'CART-8': ['accepted', 'refused'],
  'CART-13': ['422', '400'],
  'CART-15': ['404', '422'],
  'CART-18': ['fee', 'refused'],
  'ERR-1': ['error', 'top_level'],
  'ERR-2': ['x-request-id', 'request-id', 'x-correlation-id'],
  'ERR-4': ['404', '405'],
  'ERR-5': ['422', '404'],
  'ERR-6': ['400', 'accepted'],
  'ERR-8': ['409', 'executed'],
  'EVT-1': ['data', 'payload'],
  'FEE-1': ['money', 'cents'],
  'HOOK-1': ['event_types', 'events'],
  'HOOK-2': ['id', 'webhook_id'],
  'HOOK-3': ['204', '200'],
  'HOOK-4': ['422', '400'],
  'HOOK-5': ['400', '422'],
  'INV-1': ['item_id', 'menu_item_id'],
  'LIM-2': ['valid', 'revoked'],
  'LOC-1': ['id', 'location_id'],
  'LOC-2': ['list', 'by_day'],
  'LOC-3': ['money', 'cents'],
  'LOC-5': ['422', '409'],
  'LOC-6': ['400', 'clamped'],
  'MENU-1': ['last_modified', 'updated_at'],
  'MENU-2': ['items', 'menu_items'],
  'MENU-3': ['modifier_groups', 'modifierGroups', 'groups'],
  'MENU-4': ['modifiers', 'options'],
  'MENU-5': ['price', 'price_adjustment'],
  'MENU-10': ['modifier_groups', 'nested_modifier_groups', 'modifierGroups'],
  'ORD-3': ['items', 'line_items'],
  'ORD-4': ['with_tax', 'without_tax'],
  'ORD-6': ['date_time', 'date'],
  'ORD-7': ['optional', 'required'],
  'ORD-9': ['409', '200'],
  'ORD-11': ['sent', 'absent'],
  'ORD-12': ['400', 'empty'],
  'PAY-1': ['cents', 'money'],
  'PAY-2': ['payment', 'payment_200', 'order'],
  'PAY-3': ['money', 'cents'],
  'PAY-5': ['refunded', 'completed'],
  'PAY-7': ['recorded', 'not_recorded'],
  'PAY-8': ['refused', 'accepted'],
  'PAY-10': ['money', 'cents'],
  'PAY-12': ['409', '422'],
  'PAY-13': ['400', '422'],
  'PAY-17': ['hidden', 'shown'],
  'PAY-18': ['sent', 'absent'],
  'PAY-25': ['accepted', 'refused'],
  'PAY-30': ['same', 'not_found'],
  'PROMO-1': ['code', 'promo_code'],
  'PROMO-3': ['data', 'list'],
  'PROMO-4': ['200', '422'],
  'PROMO-6': ['404', '422'],
  'REF-1': ['cents', 'money'],
  'REF-2': ['optional', 'required'],
  'REF-4': ['refund', 'refund_200'],
  'REF-5': ['listed', 'not_listed'],
  'REF-7': ['required', 'optional'],
  'REF-8': ['exceeds_balance', 'payment_required'],
  'SIG-1': ['hex', 'base64', 'hex_with_timestamp', 'base64_with_timestamp'],
} as const satisfies Readonly<Record<string, readonly [ours: string, other: string, ...string[]]>>;

/** A row of `docs/interface-gaps.md` that can be decided by asking the service: `PAY-1`. */
export type GapRow = keyof typeof GAPS;

/** What a service may have chosen in a row: `'cents' | 'money'`. */
export type Reading<Row extends GapRow = GapRow> = (typeof GAPS)[Row][number];

/** The rows, in alphabetical order. */
export const GAP_ROWS = Object.keys(GAPS) as GapRow[];
