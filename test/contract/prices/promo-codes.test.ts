import { describe, expect, test } from 'vitest';
import { PROMO } from '../support/magic.js';
import type { AppliedPromo, Cart, PromoValidation } from '../support/records.js';
import {
  badRequest,
  cents,
  conflict,
  expectCart,
  expectMoney,
  expectRefusal,
  expectStatus,
  expectTimestamp,
  notFound,
  unprocessable,
} from '../support/shapes.js';
import {
  calculate,
  checkout,
  createCart,
  type FilledCart,
  filledCart,
  HANDOFFS,
  openLocation,
  readCart,
  readOrder,
  requestFor,
} from '../support/shop.js';
import { needs, openMock, openTarget, type Target } from '../support/target.js';

const needsPromo = needs('known promo codes');

/** A cart that is worth a discount. */
async function open(quantity = 6): Promise<FilledCart & { target: Target }> {
  const target = openTarget();
  return { target, ...(await filledCart(target, quantity)) };
}

async function applied(code: string = PROMO.any) {
  const opened = await open();
  const answer = await opened.target.post<Cart>(`/carts/${opened.cart.id}/promo-codes`, { code });
  expectStatus(answer, 200);
  return { ...opened, before: opened.cart, cart: answer.body };
}

const validate = (target: Target, cartId: string, code: string) =>
  target.get<PromoValidation>(`/carts/${cartId}/promo-codes/validate`, { query: { code } });

describe('POST /carts/{cart_id}/promo-codes', () => {
  test('Endpoints, apply: answers 200 with the updated cart', async () => {
    const { cart, before } = await applied();

    expectCart(cart);
    expect(cart.id).toBe(before.id);
    expect(cents(cart.total)).toBeLessThan(cents(before.total));
  });

  test('Other records, promo code (gap PROMO-2): the applied code is in promo_codes', async () => {
    const { cart } = await applied();

    expect(cart.promo_codes).toHaveLength(1);
    expect(cart.promo_codes[0]).toMatchObject({ code: PROMO.any, status: 'ACTIVE' });
    expectTimestamp(cart.promo_codes[0]!.applied_at);
  });

  test('Other records, promo code: a code in lower case is stored and returned in upper case', async () => {
    const { cart } = await applied(PROMO.any.toLowerCase());

    expect(cart.promo_codes[0]!.code).toBe(PROMO.any);
  });

  test('Endpoints, apply: the discount appears as a line with the source PROMO_CODE', async () => {
    const { target, cart } = await applied();

    const price = await calculate(target, cart.id);

    expect(price.discounts.filter((discount) => discount.source === 'PROMO_CODE')).toHaveLength(1);
    expect(cents(price.total_discount)).toBeGreaterThan(0);
  });

  test('Resources, Cart.total_discount: is the discount of the code', async () => {
    const { cart } = await applied(PROMO.any);

    expect(cents(cart.total_discount)).toBeGreaterThan(0);
    expect(cents(cart.total)).toBe(
      cents(cart.subtotal) + cents(cart.total_tax) + cents(cart.total_fees) - cents(cart.total_discount),
    );
  });

  needsPromo('Cart rules 5: applying a second promo code is refused with 409', async () => {
    const { target, cart } = await applied(PROMO.percentage);

    const answer = await target.post(`/carts/${cart.id}/promo-codes`, { code: PROMO.fixed });

    expectRefusal(answer, conflict('Promo code already applied'));
    expect((await readCart(target, cart.id)).promo_codes.map(({ code }) => code)).toEqual([PROMO.percentage]);
  });

  test('Cart rules 5 (gap PROMO-5): applying the same code again is refused with 409', async () => {
    const { target, cart } = await applied(PROMO.any);

    expectRefusal(
      await target.post(`/carts/${cart.id}/promo-codes`, { code: PROMO.any }),
      conflict('Promo code already applied'),
    );
  });

  test('Errors 422 (gap ERR-5): a code that nobody knows is refused', async () => {
    const { target, cart } = await open();

    expectRefusal(
      await target.post(`/carts/${cart.id}/promo-codes`, { code: PROMO.unknown }),
      unprocessable(/not recognized/i, 'code'),
    );
  });

  needsPromo.each([
    ['expired', PROMO.expired, /expired/i],
    ['already used', PROMO.alreadyUsed, /already used|already been used/i],
    ['below its minimum', PROMO.minimumNotMet, /minimum/i],
    ['not applicable', PROMO.someItems, /not applicable|does not apply/i],
  ])('Errors 422: a code that is %s is refused', async (_case, code, message) => {
    const { target, cart } = await open(1);

    const answer = await target.post(`/carts/${cart.id}/promo-codes`, { code });

    expectRefusal(answer, unprocessable(message, 'code'));
    expect(await readCart(target, cart.id)).toEqual(cart);
  });

  test('Errors 400 (gap PROMO-1): a request without a code is refused', async () => {
    const { target, cart } = await open();

    expectRefusal(
      await target.post(`/carts/${cart.id}/promo-codes`, {}),
      badRequest('Missing required field: code', 'code'),
    );
  });

  test('Errors 400: a code of the wrong type is refused', async () => {
    const { target, cart } = await open();

    expectRefusal(await target.post(`/carts/${cart.id}/promo-codes`, { code: 10 }), badRequest(undefined, 'code'));
  });

  needsPromo('Cart rules 3: the discount follows the cart', async () => {
    const { target, cart, plain } = await applied(PROMO.percentage);

    const answer = await target.put<Cart>(`/carts/${cart.id}/items/${cart.items[0]!.id}`, requestFor(plain, 12));

    expect(cents(answer.body.total_discount)).toBeGreaterThan(cents(cart.total_discount));
  });
});

describe('GET /carts/{cart_id}/promo-codes', () => {
  test('Endpoints, promo codes (gap PROMO-3): is an empty list while none is applied', async () => {
    const { target, cart } = await open();

    const answer = await target.get<{ data: AppliedPromo[] }>(`/carts/${cart.id}/promo-codes`);

    expectStatus(answer, 200);
    expect(answer.body).toEqual({ data: [] });
  });

  test('Endpoints, promo codes: lists the codes of the cart', async () => {
    const { target, cart } = await applied();

    const answer = await target.get<{ data: AppliedPromo[] }>(`/carts/${cart.id}/promo-codes`);

    expect(answer.body).toEqual({ data: cart.promo_codes });
  });

  test('Other records, promo code (gap PROMO-2): an active code has a preview of its discount', async () => {
    const { target, cart } = await applied();

    const answer = await target.get<{ data: AppliedPromo[] }>(`/carts/${cart.id}/promo-codes`);

    const preview = answer.body.data[0]!.discount_preview!;
    expect(preview.estimated_discount).toEqual(cart.total_discount);
    expect(preview.description).toMatch(/\S/);
  });
});

describe('GET /carts/{cart_id}/promo-codes/validate', () => {
  test('Endpoints, validate (gap PROMO-4): a valid code is answered with a preview', async () => {
    const { target, cart } = await open();

    const answer = await validate(target, cart.id, PROMO.any);

    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({
      code: PROMO.any,
      valid: true,
      rejection_reason: null,
      rejection_message: null,
    });
    expectMoney(answer.body.discount_preview!.estimated_discount);
    expect(answer.body.discount_preview!.description).toMatch(/\S/);
    expect(Array.isArray(answer.body.discount_preview!.applicable_items)).toBe(true);
  });

  test('Endpoints, validate: does not apply the code', async () => {
    const { target, cart } = await open();
    await validate(target, cart.id, PROMO.any);

    expect(await readCart(target, cart.id)).toEqual(cart);
  });

  test('Endpoints, validate: the estimate is the discount that applying gives', async () => {
    const { target, cart } = await open();
    const preview = await validate(target, cart.id, PROMO.any);

    const answer = await target.post<Cart>(`/carts/${cart.id}/promo-codes`, { code: PROMO.any });

    expect(answer.body.total_discount).toEqual(preview.body.discount_preview!.estimated_discount);
  });

  test('Other records, promo code: validation answers in upper case', async () => {
    const { target, cart } = await open();

    expect((await validate(target, cart.id, PROMO.any.toLowerCase())).body.code).toBe(PROMO.any);
  });

  needsPromo.each([
    ['INVALID_CODE', PROMO.unknown],
    ['EXPIRED', PROMO.expired],
    ['ALREADY_USED', PROMO.alreadyUsed],
    ['MINIMUM_NOT_MET', PROMO.minimumNotMet],
    ['NOT_APPLICABLE', PROMO.someItems],
  ])('Cart rules 5: validation rejects with the reason %s', async (reason, code) => {
    const { target, cart } = await open(1);

    const answer = await validate(target, cart.id, code);

    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({ valid: false, rejection_reason: reason, discount_preview: null });
    expect(answer.body.rejection_message).toMatch(/\S/);
  });

  needsPromo.each([
    ['the same code', PROMO.percentage],
    ['another code', PROMO.fixed],
  ])('Cart rules 5: validation rejects %s with ALREADY_APPLIED while one is applied', async (_case, code) => {
    const { target, cart } = await applied(PROMO.percentage);

    const answer = await validate(target, cart.id, code);

    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({ valid: false, rejection_reason: 'ALREADY_APPLIED' });
  });

  test('Errors 400: validation without a code is refused', async () => {
    const { target, cart } = await open();

    expectRefusal(await target.get(`/carts/${cart.id}/promo-codes/validate`), badRequest(undefined, 'code'));
  });
});

describe('DELETE /carts/{cart_id}/promo-codes/{code}', () => {
  test('Endpoints, remove: answers with the cart without the code and its discount', async () => {
    const { target, cart, before } = await applied();

    const answer = await target.delete<Cart>(`/carts/${cart.id}/promo-codes/${PROMO.any}`);

    expectStatus(answer, 200);
    expect(answer.body.promo_codes).toEqual([]);
    expect(answer.body.total_discount.amount).toBe(0);
    expect(answer.body.total).toEqual(before.total);
  });

  test('Endpoints, remove: the code is matched case-insensitively', async () => {
    const { target, cart } = await applied();

    const answer = await target.delete<Cart>(`/carts/${cart.id}/promo-codes/${PROMO.any.toLowerCase()}`);

    expectStatus(answer, 200);
    expect(answer.body.promo_codes).toEqual([]);
  });

  test('Endpoints, remove (gap PROMO-6): a code that is not applied is not found', async () => {
    const { target, cart } = await open();

    expectRefusal(
      await target.delete(`/carts/${cart.id}/promo-codes/${PROMO.percentage}`),
      notFound('Promo code not found'),
    );
  });

  needsPromo('Cart rules 5: after removal another code may be applied', async () => {
    const { target, cart } = await applied(PROMO.percentage);
    await target.delete(`/carts/${cart.id}/promo-codes/${PROMO.percentage}`);

    expectStatus(await target.post(`/carts/${cart.id}/promo-codes`, { code: PROMO.fixed }), 200);
  });
});

describe('Promo codes over time', () => {
  const needsClock = needs('the clock');

  needsClock('Cart rules 5: validation checks the expiry', async () => {
    const { target, advance } = openMock();
    const { cart } = await filledCart(target, 6);
    await advance('25h');

    expect((await validate(target, cart.id, PROMO.percentage)).body).toMatchObject({
      valid: false,
      rejection_reason: 'EXPIRED',
    });
  });

  needsClock('Other records, promo code (gap PROMO-2): a code that ran out while applied is EXPIRED', async () => {
    const { target, advance } = openMock();
    const { cart } = await filledCart(target, 6);
    expectStatus(await target.post(`/carts/${cart.id}/promo-codes`, { code: PROMO.percentage }), 200);
    await advance('25h');

    const answer = await target.get<{ data: AppliedPromo[] }>(`/carts/${cart.id}/promo-codes`);

    expect(answer.body.data.map(({ code, status }) => [code, status])).toEqual([[PROMO.percentage, 'EXPIRED']]);
  });

  needsClock('Endpoints, calculate: a code that ran out takes nothing off', async () => {
    const { target, advance } = openMock();
    const { cart } = await filledCart(target, 6);
    await target.post(`/carts/${cart.id}/promo-codes`, { code: PROMO.percentage });
    await advance('25h');

    expect(cents((await calculate(target, cart.id)).total_discount)).toBe(0);
  });

  needsClock('Cart rules 6: a code that ran out is told as PROMO_EXPIRED at checkout', async () => {
    const { target, advance } = openMock();
    const { cart } = await filledCart(target, 6);
    await target.post(`/carts/${cart.id}/promo-codes`, { code: PROMO.percentage });
    await target.put(`/carts/${cart.id}/handoff`, HANDOFFS.PICKUP);
    const { total } = await calculate(target, cart.id);
    await advance('25h');

    const answer = await target.post(`/carts/${cart.id}/checkout`, { expected_total: cents(total) });

    expect(expectRefusal(answer, conflict('Expected total mismatch')).change_reasons).toContain('PROMO_EXPIRED');
  });

  needsPromo('Cart rules 5: a code for one order is ALREADY_USED after that order', async () => {
    const target = openTarget();
    const first = await filledCart(target, 6);
    expectStatus(await target.post(`/carts/${first.cart.id}/promo-codes`, { code: PROMO.singleUse }), 200);
    await checkout(target, first.cart.id, { handoff_mode: HANDOFFS.PICKUP });
    const second = await filledCart(target, 6);

    expect((await validate(target, second.cart.id, PROMO.singleUse)).body.rejection_reason).toBe('ALREADY_USED');
    expectRefusal(
      await target.post(`/carts/${second.cart.id}/promo-codes`, { code: PROMO.singleUse }),
      unprocessable(/used/i, 'code'),
    );
  });

  needsPromo('Other records, promo code (gap PROMO-2): a single-use code is REDEEMED by checkout', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target, 6);
    await target.post(`/carts/${cart.id}/promo-codes`, { code: PROMO.singleUse });
    await checkout(target, cart.id, { handoff_mode: HANDOFFS.PICKUP });

    expect((await readCart(target, cart.id)).promo_codes.map(({ status }) => status)).toEqual(['REDEEMED']);
  });
});

describe('Promo codes at checkout', () => {
  test('Resources, Order (gap ORD-3): the order keeps code and discount', async () => {
    const { target, cart } = await applied(PROMO.any);
    const result = await checkout(target, cart.id, { handoff_mode: HANDOFFS.PICKUP });

    const order = await readOrder(target, result.order_id);

    expect(result.total_discount).toEqual(cart.total_discount);
    expect(order.total_discount).toEqual(cart.total_discount);
    expect(order.promo_codes.map(({ code }) => code)).toEqual([PROMO.any]);
  });

  test('Resources, Cart.promo_codes: a promo code of one cart is not in another', async () => {
    const target = openTarget();
    const location = await openLocation(target);
    const first = await createCart(target, location.id);
    await target.post(`/carts/${first.id}/promo-codes`, { code: PROMO.percentage });

    expect((await createCart(target, location.id)).promo_codes).toEqual([]);
  });
});
