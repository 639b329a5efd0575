import type { PromoCodeValidation } from '../../contract/index.js';
import type { Handler, Route } from '../kernel/route.js';
import { modifiableCart, readableCart } from '../operations/carts/cart-access.js';
import { modifyCart, promoLines, readCart } from '../operations/carts/cart-pricing.js';
import { activeCodes, isUsed } from '../operations/carts/cart-promos.js';
import { readBody, requireString } from '../refusals/read-fields.js';
import { conflict, missingField, notFound } from '../refusals/refusal.js';
import {
  normalizeCode,
  type PromoCheck,
  previewOf,
  promoRefusal,
  promoRejection,
  rejectionMessage,
} from '../rules/promo.js';
import type { CartRecord, ServiceState } from '../state/state.js';
import { timestampNow } from '../time/timestamp.js';

const apply: Handler = (request, state) => {
  const record = modifiableCart(request, state);
  const code = normalizeCode(requireString(readBody(request.body), 'code')); // gap PROMO-1
  const [applied] = activeCodes(state, record);
  if (applied) throw alreadyApplied(applied);

  const check = promoCheck(state, record, code);
  const rejection = promoRejection(check);
  if (rejection === 'ALREADY_APPLIED') throw alreadyApplied(code);
  if (rejection) throw promoRefusal(rejection, check.promo);
  const promo = { code, status: 'ACTIVE', applied_at: timestampNow(state.clock) };
  return { status: 200, body: modifyCart(state, record, { promo_codes: [promo] }) };
};

const list: Handler = (request, state) => ({
  status: 200,
  body: { data: readCart(state, readableCart(request, state)).promo_codes }, // gap PROMO-3
});

const validate: Handler = (request, state) => {
  const record = readableCart(request, state);
  const text = request.query.get('code');
  if (text === null || text.trim() === '') throw missingField('code');
  const code = normalizeCode(text);
  const check = promoCheck(state, record, code);
  const rejection = promoRejection(check);
  const result: PromoCodeValidation = {
    code,
    valid: rejection === null,
    discount_preview: rejection === null && check.promo ? previewOf(check.promo, check.lines) : null,
    rejection_reason: rejection,
    rejection_message: rejection && rejectionMessage(rejection, check.promo),
  };
  return { status: 200, body: result };
};

const remove: Handler = (request, state) => {
  const record = modifiableCart(request, state);
  const code = normalizeCode(request.params.code ?? '');
  const others = record.cart.promo_codes.filter((applied) => applied.code !== code);
  if (others.length === record.cart.promo_codes.length) throw notFound('Promo code'); // gap PROMO-6
  return { status: 200, body: modifyCart(state, record, { promo_codes: others }) };
};

function promoCheck(state: ServiceState, record: CartRecord, code: string): PromoCheck {
  const promo = state.promoCodes.get(code);
  return {
    promo,
    lines: promoLines(state, record),
    appliedCodes: activeCodes(state, record),
    isUsed: promo !== undefined && isUsed(state, record.partnerId, promo),
    nowMs: state.clock.now(),
  };
}

function alreadyApplied(code: string) {
  const detail = `"${code}" is on the cart, and a cart takes one promo code. Remove it to apply another.`;
  return conflict('Promo code already applied', detail, 'code'); // gap PROMO-5
}

export const routes: readonly Route[] = [
  { method: 'POST', path: '/carts/{cart_id}/promo-codes', handler: apply, idempotency: 'required', scope: 'partner' },
  { method: 'GET', path: '/carts/{cart_id}/promo-codes', handler: list, idempotency: 'none', scope: 'partner' },
  {
    method: 'GET',
    path: '/carts/{cart_id}/promo-codes/validate',
    handler: validate,
    idempotency: 'none',
    scope: 'partner',
  },
  {
    method: 'DELETE',
    path: '/carts/{cart_id}/promo-codes/{code}',
    handler: remove,
    idempotency: 'required',
    scope: 'partner',
  },
];
