import { describe, expect, test } from 'vitest';
import type { Cart, Order } from '../support/records.js';
import { expectRefusal, expectStatus, invalid, NO_SUCH_ID, notFound, unprocessable } from '../support/shapes.js';
import {
  ADDRESS,
  checkout,
  createCart,
  everyLocation,
  filledCart,
  found,
  HANDOFFS,
  MODES,
  type Mode,
  openLocation,
  readCart,
  readOrder,
  serves,
} from '../support/shop.js';
import { type Answer, openTarget } from '../support/target.js';

type Body = Record<string, unknown>;

async function setOn(mode: Mode, body: unknown): Promise<{ answer: Answer<Cart>; cart: Cart }> {
  const target = openTarget();
  const cart = await createCart(target, (await openLocation(target, mode)).id);
  return { answer: await target.put<Cart>(`/carts/${cart.id}/handoff`, body), cart };
}

const LATER = '2031-05-04T17:30:00Z';

const ACCEPTED: readonly (readonly [string, Mode, Body])[] = [
  ['PICKUP', 'PICKUP', HANDOFFS.PICKUP],
  ['PICKUP as soon as possible', 'PICKUP', { mode: 'PICKUP', pickup_time: null }],
  ['PICKUP at a time', 'PICKUP', { mode: 'PICKUP', pickup_time: LATER }],
  ['CURBSIDE', 'CURBSIDE', HANDOFFS.CURBSIDE],
  ['CURBSIDE as soon as possible', 'CURBSIDE', { ...HANDOFFS.CURBSIDE, pickup_time: null }],
  ['CURBSIDE at a time', 'CURBSIDE', { ...HANDOFFS.CURBSIDE, pickup_time: LATER }],
  ['DELIVERY', 'DELIVERY', HANDOFFS.DELIVERY],
  ['DELIVERY with instructions', 'DELIVERY', { ...HANDOFFS.DELIVERY, delivery_instructions: 'Ring twice' }],
  ['DELIVERY with null instructions', 'DELIVERY', { ...HANDOFFS.DELIVERY, delivery_instructions: null }],
  ['DELIVERY with a country', 'DELIVERY', { mode: 'DELIVERY', delivery_address: { ...ADDRESS, country: 'US' } }],
  ['KIOSK', 'KIOSK', HANDOFFS.KIOSK],
  ['KIOSK with null kiosk_id', 'KIOSK', { mode: 'KIOSK', kiosk_id: null }],
  ['KIOSK with a kiosk_id', 'KIOSK', { mode: 'KIOSK', kiosk_id: 'K-3' }],
];

const without = (body: Body, field: string): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));

const MISSING: readonly (readonly [Mode, string])[] = [
  ['CURBSIDE', 'vehicle_make'],
  ['CURBSIDE', 'vehicle_model'],
  ['CURBSIDE', 'vehicle_color'],
  ['DELIVERY', 'delivery_address'],
];

const EXTRA: readonly (readonly [Mode, string, unknown])[] = [
  ['PICKUP', 'vehicle_make', 'Honda'],
  ['PICKUP', 'delivery_address', ADDRESS],
  ['PICKUP', 'kiosk_id', 'K-3'],
  ['PICKUP', 'note', 'hello'],
  ['CURBSIDE', 'delivery_address', ADDRESS],
  ['CURBSIDE', 'kiosk_id', 'K-3'],
  ['CURBSIDE', 'vehicle_plate', 'ABC 123'],
  ['DELIVERY', 'pickup_time', LATER],
  ['DELIVERY', 'vehicle_color', 'blue'],
  ['DELIVERY', 'kiosk_id', 'K-3'],
  ['KIOSK', 'pickup_time', LATER],
  ['KIOSK', 'vehicle_model', 'Fit'],
  ['KIOSK', 'delivery_instructions', 'Ring twice'],
];

describe('PUT /carts/{cart_id}/handoff', () => {
  test.each(ACCEPTED)('HandoffMode: %s is stored and answered with 200', async (_case, mode, body) => {
    const { answer } = await setOn(mode, body);

    expectStatus(answer, 200);
    expect(answer.body.handoff_mode).toMatchObject(body);
  });

  test.each(MISSING)('HandoffMode: %s without %s is refused with 422', async (mode, field) => {
    const { answer } = await setOn(mode, without(HANDOFFS[mode], field));

    expectRefusal(answer, unprocessable(undefined, field));
  });

  test.each(['street', 'city', 'state', 'postal_code'])(
    'HandoffMode: a delivery_address without %s is refused with 422',
    async (field) => {
      const { answer } = await setOn('DELIVERY', { mode: 'DELIVERY', delivery_address: without(ADDRESS, field) });

      expectRefusal(answer, unprocessable(undefined, `delivery_address.${field}`));
    },
  );

  test.each(EXTRA)('Errors rules 2: %s with %s is refused with 422', async (mode, field, value) => {
    const { answer } = await setOn(mode, { ...HANDOFFS[mode], [field]: value });

    expectRefusal(answer, unprocessable(undefined, field));
  });

  test('Errors rules 2: a delivery_address with a field of no meaning is refused with 422', async () => {
    const { answer } = await setOn('DELIVERY', { mode: 'DELIVERY', delivery_address: { ...ADDRESS, floor: '3' } });

    expectRefusal(answer, unprocessable(undefined, 'delivery_address.floor'));
  });

  test('HandoffMode: a body without mode is refused with 422', async () => {
    const { answer } = await setOn('PICKUP', {});

    expectRefusal(answer, unprocessable(undefined, 'mode'));
  });

  test.each(['DINE_IN', 'pickup', 'DRIVE_THRU', ''])('HandoffMode: the mode "%s" is none of the four', async (mode) => {
    const { answer } = await setOn('PICKUP', { mode });

    expectRefusal(answer, invalid('mode'));
  });

  test.each([
    ['CURBSIDE', 'vehicle_make', 7],
    ['CURBSIDE', 'vehicle_make', null],
    ['DELIVERY', 'delivery_address', '12 Elm Street'],
    ['PICKUP', 'pickup_time', 'soon'],
    ['PICKUP', 'pickup_time', 1_800_000_000],
    ['KIOSK', 'kiosk_id', 3],
  ] as const)('HandoffMode: %s with %s of the wrong kind (%j) is refused', async (mode, field, value) => {
    const { answer } = await setOn(mode, { ...HANDOFFS[mode], [field]: value });

    expectRefusal(answer, invalid(new RegExp(`^${field}`)));
  });

  test.each([
    ['state', 'Ohio'],
    ['country', 'USA'],
  ])('Errors 422 (gap CART-7): a delivery address whose %s is not two letters is invalid', async (field, value) => {
    const { answer } = await setOn('DELIVERY', { mode: 'DELIVERY', delivery_address: { ...ADDRESS, [field]: value } });

    expectRefusal(answer, unprocessable('Invalid delivery address', `delivery_address.${field}`));
  });

  test('HandoffMode: a delivery address is stored as given, not checked against the world', async () => {
    const address = { street: 'Nowhere 0', city: 'Atlantis', state: 'ZZ', postal_code: 'no code' };
    const { answer } = await setOn('DELIVERY', { mode: 'DELIVERY', delivery_address: address });

    expectStatus(answer, 200);
    expect(answer.body.handoff_mode!.delivery_address).toMatchObject(address);
  });

  test('HandoffMode: the country of a delivery address is US by default', async () => {
    const { answer } = await setOn('DELIVERY', HANDOFFS.DELIVERY);

    expect(answer.body.handoff_mode!.delivery_address).toMatchObject({ country: 'US' });
  });

  test('Endpoints, PUT handoff: may be repeated, the latest call wins', async () => {
    const target = openTarget();
    const location = await openLocation(target, 'CURBSIDE');
    const cart = await createCart(target, location.id);
    await target.put(`/carts/${cart.id}/handoff`, HANDOFFS.CURBSIDE);

    const answer = await target.put<Cart>(`/carts/${cart.id}/handoff`, HANDOFFS.PICKUP);

    expectStatus(answer, 200);
    expect(answer.body.handoff_mode!.mode).toBe('PICKUP');
    expect(answer.body.handoff_mode).not.toHaveProperty('vehicle_make');
  });

  test('Endpoints, PUT handoff: a refused body leaves the stored handoff', async () => {
    const target = openTarget();
    const cart = await createCart(target, (await openLocation(target)).id);
    await target.put(`/carts/${cart.id}/handoff`, HANDOFFS.PICKUP);
    await target.put(`/carts/${cart.id}/handoff`, { mode: 'CURBSIDE' });

    expect((await readCart(target, cart.id)).handoff_mode!.mode).toBe('PICKUP');
  });

  test('Errors 404: a handoff for an unknown cart is refused', async () => {
    expectRefusal(await openTarget().put(`/carts/${NO_SUCH_ID}/handoff`, HANDOFFS.PICKUP), notFound('Cart not found'));
  });

  test('Resources, Location (gap LOC-4): a mode that the location does not serve is refused with 422', async () => {
    const target = openTarget();
    const locations = (await everyLocation(target)).filter((location) => location.online_ordering_enabled);
    const location = found(
      locations.find((candidate) => MODES.some((mode) => !serves(candidate, mode))),
      'a location without some mode',
    );
    const cart = await createCart(target, location.id);
    const mode = MODES.find((candidate) => !serves(location, candidate))!;

    const answer = await target.put(`/carts/${cart.id}/handoff`, HANDOFFS[mode]);

    expectRefusal(answer, unprocessable(undefined, 'mode'));
  });
});

describe('handoff_mode of checkout', () => {
  test.each(MODES)('Endpoints, checkout (gap CART-18): a %s handoff in the body is enough', async (mode) => {
    const target = openTarget();
    const { cart } = await filledCart(target, 2, mode);

    const result = await checkout(target, cart.id, { handoff_mode: HANDOFFS[mode] });

    expect(result.handoff_mode).toBe(mode);
  });

  test.each(MODES)(
    'Resources, Checkout result (gap CART-18): the order of a %s checkout has the handoff as an object',
    async (mode) => {
      const target = openTarget();
      const { cart } = await filledCart(target, 2, mode);
      const result = await checkout(target, cart.id, { handoff_mode: HANDOFFS[mode] });

      const order: Order = await readOrder(target, result.order_id);

      expect(order.handoff).toMatchObject(HANDOFFS[mode]);
      expect(order.handoff_mode).toBe(mode);
    },
  );

  test('Endpoints, checkout: the handoff of the body replaces the stored one completely', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target, 2, 'CURBSIDE');
    await target.put(`/carts/${cart.id}/handoff`, HANDOFFS.CURBSIDE);

    const result = await checkout(target, cart.id, { handoff_mode: HANDOFFS.PICKUP });

    const order = await readOrder(target, result.order_id);
    expect(order.handoff.mode).toBe('PICKUP');
    expect(order.handoff).not.toHaveProperty('vehicle_make');
  });

  test.each(MISSING)('Errors rules 2: checkout with %s without %s is refused with 422', async (mode, field) => {
    const target = openTarget();
    const { cart } = await filledCart(target, 1, mode);

    const answer = await target.post(`/carts/${cart.id}/checkout`, { handoff_mode: without(HANDOFFS[mode], field) });

    expectRefusal(answer, unprocessable(undefined, new RegExp(`${field}$`)));
  });

  test('Errors rules 2: checkout with an extra field in the handoff is refused with 422', async () => {
    const target = openTarget();
    const { cart } = await filledCart(target);

    const answer = await target.post(`/carts/${cart.id}/checkout`, {
      handoff_mode: { mode: 'PICKUP', kiosk_id: 'K-3' },
    });

    expectRefusal(answer, unprocessable(undefined, /kiosk_id$/));
    expect((await readCart(target, cart.id)).status).toBe('ACTIVE');
  });
});
