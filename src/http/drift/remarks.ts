import type { EndpointName } from '../../endpoints/endpoints.js';
import type { ResponseIssue } from '../../errors/response.js';
import { ERROR_PLACES, newValues, PLACES, type Places } from './new-values.js';
import {
  addsUp,
  type Sums,
  sumsOfCart,
  sumsOfCheckout,
  sumsOfOrder,
  sumsOfPayment,
  sumsOfPrice,
  sumsOfRefund,
} from './sums.js';

interface Remarks {
  readonly places: Places;
  readonly sums?: Sums;
  /** Records on a page: each is looked at. */
  readonly isPage?: true;
}

/** What can be remarked in the responses of an operation beyond its schema: none of it makes a response unusable. */
export const REMARKS = /* @__PURE__ */ remarksByOperation();

/** A function, so that a bundle without the client drops the table. */
function remarksByOperation(): Readonly<Partial<Record<EndpointName, Remarks>>> {
  const CART: Remarks = { places: PLACES.cart, sums: sumsOfCart };
  const ORDER: Remarks = { places: PLACES.order, sums: sumsOfOrder };
  const PAYMENT: Remarks = { places: PLACES.payment, sums: sumsOfPayment };
  return {
    'GET /locations': { places: PLACES.location, isPage: true },
    'GET /locations/{location_id}': { places: PLACES.location },
    'GET /locations/{location_id}/inventory': { places: PLACES.inventoryItem, isPage: true },
    'GET /locations/{location_id}/menu': { places: PLACES.menu },
    'POST /carts': CART,
    'GET /carts/{cart_id}': CART,
    'PATCH /carts/{cart_id}': CART,
    'POST /carts/{cart_id}/items': CART,
    'PUT /carts/{cart_id}/items/{item_id}': CART,
    'DELETE /carts/{cart_id}/items/{item_id}': CART,
    'PUT /carts/{cart_id}/handoff': CART,
    'POST /carts/{cart_id}/promo-codes': CART,
    'DELETE /carts/{cart_id}/promo-codes/{code}': CART,
    'POST /carts/{cart_id}/calculate': { places: PLACES.price, sums: sumsOfPrice },
    'POST /carts/{cart_id}/checkout': { places: PLACES.checkout, sums: sumsOfCheckout },
    'GET /carts/{cart_id}/promo-codes': { places: PLACES.promoCodes },
    'GET /carts/{cart_id}/promo-codes/validate': { places: PLACES.promoCodeValidation },
    'GET /orders': { places: PLACES.orderSummary, sums: sumsOfOrder, isPage: true },
    'GET /orders/{order_id}': ORDER,
    'POST /orders/{order_id}/cancel': ORDER,
    'POST /orders/{order_id}/payments': PAYMENT,
    'POST /orders/{order_id}/refunds': { places: PLACES.refund, sums: sumsOfRefund },
    'POST /webhooks': { places: PLACES.subscription },
    'GET /webhooks': { places: PLACES.subscription, isPage: true },
  };
}

/** Codes and change reasons of an error that this version does not know. */
export const remarksOnError = (data: unknown): readonly ResponseIssue[] => newValues(ERROR_PLACES, data);

/** A body that was held against its schema. */
export interface Remarkable {
  readonly data: unknown;
  /** False when the check has met none: then they are not looked for. */
  readonly mayHaveNewValues: boolean;
}

/** Money that does not add up, and values that this version does not know. */
export function remarksOn(operation: string, { data, mayHaveNewValues }: Remarkable): readonly ResponseIssue[] {
  const found = remarksFor(operation, data);
  if (!found) return NONE;
  const { sums, isPage } = found;
  const remarks = { sums, places: mayHaveNewValues ? found.places : undefined };
  if (!isPage) return has(remarks, data) ? remarked(remarks, data, '') : NONE;
  const records = (data as { readonly data?: unknown } | null | undefined)?.data;
  if (!Array.isArray(records)) return NONE;
  const issues: ResponseIssue[] = [];
  for (let index = 0; index < records.length; index += 1) {
    if (has(remarks, records[index])) issues.push(...remarked(remarks, records[index], `data[${index}]`));
  }
  return issues;
}

/** A service may respond to a payment with its order (gap PAY-2). */
function remarksFor(operation: string, data: unknown): Remarks | undefined {
  const isOfOrder = operation === 'POST /orders/{order_id}/payments' && isOrder(data);
  const name = isOfOrder ? 'GET /orders/{order_id}' : operation;
  return Object.hasOwn(REMARKS, name) ? REMARKS[name as EndpointName] : undefined;
}

function isOrder(data: unknown): boolean {
  return Array.isArray((data as { readonly payments?: unknown } | null | undefined)?.payments);
}

/** What is looked for in a record: without `places`, no new values. */
type Looked = { readonly [Part in 'places' | 'sums']: Remarks[Part] | undefined };

/** False for nearly every record, and nothing is allocated for that. */
function has({ places, sums }: Looked, record: unknown): boolean {
  return places !== undefined || (sums !== undefined && !addsUp(sums, record));
}

function remarked({ places, sums }: Looked, record: unknown, at: string): readonly ResponseIssue[] {
  const wrong: ResponseIssue[] = [];
  sums?.(record, at === '' ? '' : `${at}.`, wrong);
  return places ? [...newValues(places, record, at), ...wrong] : wrong;
}

const NONE: readonly ResponseIssue[] = [];
