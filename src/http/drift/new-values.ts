import {
  CART_STATUSES,
  CHANGE_REASONS,
  DAYS_OF_WEEK,
  DISCOUNT_SCOPES,
  DISCOUNT_SOURCES,
  DISCOUNT_TYPES,
  ERROR_CODES,
  FEE_TYPES,
  FULFILLMENT_STATUSES,
  HANDOFF_MODES,
  INVENTORY_STATUSES,
  ORDER_STATUSES,
  PAYMENT_RECORD_STATUSES,
  PAYMENT_STATUSES,
  PROMO_CODE_STATUSES,
  PROMO_REJECTION_REASONS,
  REFUND_REASONS,
  REFUND_STATUSES,
  TENDER_RESTRICTION_LEVELS,
  TENDER_TYPES,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_SUBSCRIPTION_STATUSES,
} from '../../contract/records/index.js';
import type { ResponseIssue } from '../../errors/response.js';

/** Where open enumerations stand in a record: the known values, those of each entry of a list, or those of its fields. */
export type Places = { readonly known: ReadonlySet<string> } | { readonly each: Places } | { readonly fields: Fields };
type Fields = Readonly<Record<string, Places>>;

const known = (values: readonly string[]): Places => ({ known: new Set(values) });
const each = (places: Places): Places => ({ each: places });
const fields = (inner: Fields): Places => ({ fields: inner });

/** The open enumerations of each record, as its schema has them: a test holds the two together. */
export const PLACES = /* @__PURE__ */ placesOfRecords();

/** The open enumerations of an error; its change reasons stand in it, or beside it (gap ERR-1). */
export const ERROR_PLACES = /* @__PURE__ */ placesOfErrors();

function placesOfErrors(): Places {
  const reasons = { change_reasons: each(known(CHANGE_REASONS)) };
  return fields({ error: fields({ code: known(ERROR_CODES), ...reasons }), ...reasons });
}

/** A function, so that a bundle without the client drops the table. */
function placesOfRecords() {
  const DISCOUNT = fields({
    type: known(DISCOUNT_TYPES),
    source: known(DISCOUNT_SOURCES),
    application_scope: known(DISCOUNT_SCOPES),
  });
  const FEES = each(fields({ type: known(FEE_TYPES) }));
  const PROMO_CODES = each(fields({ status: known(PROMO_CODE_STATUSES) }));
  const HANDOFF = fields({ mode: known(HANDOFF_MODES) });
  const LINES = each(fields({ discounts: each(DISCOUNT) }));

  const SUMMARY_FIELDS: Fields = {
    status: known(ORDER_STATUSES),
    payment_status: known(PAYMENT_STATUSES),
    fulfillment_status: known(FULFILLMENT_STATUSES),
    handoff_mode: known(HANDOFF_MODES),
  };

  const SUBSCRIPTION_FIELDS: Fields = {
    event_types: each(known(WEBHOOK_EVENT_TYPES)),
    status: known(WEBHOOK_SUBSCRIPTION_STATUSES),
  };

  const PAYMENT_FIELDS: Fields = { payment_method: known(TENDER_TYPES), status: known(PAYMENT_RECORD_STATUSES) };

  return {
    cart: fields({
      status: known(CART_STATUSES),
      handoff_mode: HANDOFF,
      promo_codes: PROMO_CODES,
      fees: FEES,
    }),
    price: fields({ line_items: LINES, discounts: each(DISCOUNT), fees: FEES }),
    checkout: fields({ status: known(ORDER_STATUSES), handoff_mode: known(HANDOFF_MODES) }),
    promoCodes: fields({ data: PROMO_CODES }),
    promoCodeValidation: fields({ rejection_reason: known(PROMO_REJECTION_REASONS) }),
    location: fields({
      business_hours: each(fields({ day_of_week: known(DAYS_OF_WEEK) })),
      handoff_modes: each(known(HANDOFF_MODES)),
    }),
    inventoryItem: fields({ availability_status: known(INVENTORY_STATUSES) }),
    menu: fields({
      categories: each(
        fields({
          items: each(
            fields({
              tender_restriction_level: known(TENDER_RESTRICTION_LEVELS),
              allowed_tenders: each(known(TENDER_TYPES)),
            }),
          ),
        }),
      ),
    }),
    orderSummary: fields(SUMMARY_FIELDS),
    order: fields({
      ...SUMMARY_FIELDS,
      handoff: HANDOFF,
      items: LINES,
      discounts: each(DISCOUNT),
      fees: FEES,
      promo_codes: PROMO_CODES,
      payments: each(fields(PAYMENT_FIELDS)),
      refunds: each(refund()),
    }),
    payment: fields(PAYMENT_FIELDS),
    refund: refund(),
    subscription: fields(SUBSCRIPTION_FIELDS),
  } as const;
}

function refund(): Places {
  return fields({
    status: known(REFUND_STATUSES),
    reason: known(REFUND_REASONS),
    distributions: each(fields({ payment_method: known(TENDER_TYPES) })),
  });
}

/** Values of open enumerations that this version does not know: where, never which. */
export function newValues(places: Places, value: unknown, at = ''): readonly ResponseIssue[] {
  if (!hasNewValue(places, value)) return NONE;
  const issues: ResponseIssue[] = [];
  collect(places, value, at, issues);
  return issues;
}

const NONE: readonly ResponseIssue[] = [];

/** Every response passes here, and nearly none has one: paths are written only for those. */
function hasNewValue(places: Places, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if ('known' in places) return typeof value === 'string' && !places.known.has(value);
  if ('each' in places) {
    if (!Array.isArray(value)) return false;
    for (let index = 0; index < value.length; index += 1) if (hasNewValue(places.each, value[index])) return true;
    return false;
  }
  if (typeof value !== 'object') return false;
  for (const field in places.fields) {
    if (hasNewValue(places.fields[field]!, (value as Readonly<Record<string, unknown>>)[field])) return true;
  }
  return false;
}

function collect(places: Places, value: unknown, at: string, issues: ResponseIssue[]): void {
  if (value === undefined || value === null) return;
  if ('known' in places) {
    if (typeof value === 'string' && !places.known.has(value)) issues.push({ path: at, kind: 'new_value' });
  } else if ('each' in places) {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length; index += 1) {
      collect(places.each, value[index], `${at}[${index}]`, issues);
    }
  } else if (typeof value === 'object') {
    for (const field in places.fields) {
      const path = at === '' ? field : `${at}.${field}`;
      collect(places.fields[field]!, (value as Readonly<Record<string, unknown>>)[field], path, issues);
    }
  }
}
