import { describe, expect, test } from 'vitest';
import type { Location } from '../../../../src/contract/index.js';
import { checkServedMode, readHandoff } from '../../../../src/mock/rules/handoff.js';
import { refusalOf } from './refusal.js';

const address = { street: '4521 Congress Ave, Apt 3', city: 'Austin', state: 'TX', postal_code: '78745' };
const vehicle = { vehicle_make: 'Honda', vehicle_model: 'Fit', vehicle_color: 'blue' };

describe('the four modes', () => {
  test.each([
    [{ mode: 'PICKUP' }],
    [{ mode: 'PICKUP', pickup_time: null }],
    [{ mode: 'PICKUP', pickup_time: '2026-03-10T18:30:00Z' }],
    [{ mode: 'PICKUP', pickup_time: '2026-03-10T18:30:00.000+01:00' }],
    [{ mode: 'CURBSIDE', ...vehicle }],
    [{ mode: 'CURBSIDE', ...vehicle, pickup_time: null }],
    [{ mode: 'KIOSK' }],
    [{ mode: 'KIOSK', kiosk_id: 'K-2' }],
    [{ mode: 'KIOSK', kiosk_id: null }],
  ])('%j is kept as it is', (body) => {
    expect(readHandoff(body)).toEqual(body);
  });

  test('a delivery address without a country is in the US', () => {
    expect(readHandoff({ mode: 'DELIVERY', delivery_address: address })).toEqual({
      mode: 'DELIVERY',
      delivery_address: { ...address, country: 'US' },
    });
  });

  test('content of an address is stored as given', () => {
    const odd = { street: '', city: '???', state: 'tx', postal_code: 'none', country: 'us' };

    expect(readHandoff({ mode: 'DELIVERY', delivery_address: odd, delivery_instructions: 'Ring twice' })).toEqual({
      mode: 'DELIVERY',
      delivery_address: odd,
      delivery_instructions: 'Ring twice',
    });
  });
});

describe('missing and extra fields give 422 with their field', () => {
  test.each([
    [{}, 'mode'],
    [{ mode: 'CURBSIDE', vehicle_model: 'Fit', vehicle_color: 'blue' }, 'vehicle_make'],
    [{ mode: 'CURBSIDE', vehicle_make: 'Honda', vehicle_color: 'blue' }, 'vehicle_model'],
    [{ mode: 'CURBSIDE', vehicle_make: 'Honda', vehicle_model: 'Fit', vehicle_color: null }, 'vehicle_color'],
    [{ mode: 'DELIVERY' }, 'delivery_address'],
    [{ mode: 'DELIVERY', delivery_address: { ...address, street: undefined } }, 'delivery_address.street'],
    [{ mode: 'DELIVERY', delivery_address: { ...address, postal_code: null } }, 'delivery_address.postal_code'],
  ])('%j lacks %s', (body, field) => {
    expect(refusalOf(() => readHandoff(body))).toMatchObject({
      status: 422,
      code: 'INVALID_REQUEST_ERROR',
      message: `Missing required field: ${field}`,
      field,
    });
  });

  test.each([
    [{ mode: 'PICKUP', vehicle_make: 'Honda' }, 'vehicle_make'],
    [{ mode: 'CURBSIDE', ...vehicle, kiosk_id: 'K-2' }, 'kiosk_id'],
    [{ mode: 'DELIVERY', delivery_address: address, pickup_time: null }, 'pickup_time'],
    [{ mode: 'DELIVERY', delivery_address: { ...address, unit: '3' } }, 'delivery_address.unit'],
    [{ mode: 'KIOSK', pickup_time: null }, 'pickup_time'],
    [{ mode: 'PICKUP', constructor: 1 }, 'constructor'],
  ])('%j has %s too many', (body, field) => {
    expect(refusalOf(() => readHandoff(body))).toMatchObject({ status: 422, message: 'Unexpected field', field });
  });

  test('an unknown mode is refused, names of objects too', () => {
    expect(refusalOf(() => readHandoff({ mode: 'DINE_IN' }))).toMatchObject({ status: 422, field: 'mode' });
    expect(refusalOf(() => readHandoff({ mode: 'constructor' }))).toMatchObject({ status: 422, field: 'mode' });
  });

  test('a path in front of the field says where the handoff was', () => {
    const facts = refusalOf(() => readHandoff({ mode: 'CURBSIDE' }, 'handoff_mode.'));

    expect(facts.field).toBe('handoff_mode.vehicle_make');
  });
});

describe('wrong types give 400', () => {
  test.each([
    ['a text', null],
    [{ mode: 7 }, 'mode'],
    [{ mode: 'PICKUP', pickup_time: 'noon' }, 'pickup_time'],
    [{ mode: 'PICKUP', pickup_time: '2026-13-45T00:00:00Z' }, 'pickup_time'],
    [{ mode: 'PICKUP', pickup_time: '2026-02-30T12:00:00Z' }, 'pickup_time'],
    [{ mode: 'PICKUP', pickup_time: '2026-03-10' }, 'pickup_time'],
    [{ mode: 'PICKUP', pickup_time: 1773160200 }, 'pickup_time'],
    [{ mode: 'CURBSIDE', ...vehicle, vehicle_color: 5 }, 'vehicle_color'],
    [{ mode: 'DELIVERY', delivery_address: 'Congress Ave' }, 'delivery_address'],
    [{ mode: 'KIOSK', kiosk_id: 2 }, 'kiosk_id'],
  ])('%j: %s', (body, field) => {
    expect(refusalOf(() => readHandoff(body))).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST_ERROR',
      message: 'Request validation failed',
      field,
    });
  });
});

test.each([
  [{ state: 'Texas' }, 'delivery_address.state'],
  [{ country: 'USA' }, 'delivery_address.country'],
])('codes have two letters: %j is an invalid delivery address (gap CART-7)', (change, field) => {
  const body = { mode: 'DELIVERY', delivery_address: { ...address, ...change } };

  expect(refusalOf(() => readHandoff(body))).toMatchObject({ status: 422, message: 'Invalid delivery address', field });
});

describe('modes that a location serves (gap LOC-4)', () => {
  const store = (modes?: string[]) => ({ name: 'Harbor Point', handoff_modes: modes }) as Location;

  test('another mode is refused on mode', () => {
    const check = () => checkServedMode(store(['PICKUP', 'KIOSK']), { mode: 'DELIVERY', delivery_address: address });

    expect(refusalOf(check)).toMatchObject({ status: 422, field: 'mode' });
  });

  test('a location that lists none serves all', () => {
    expect(() => checkServedMode(store(), { mode: 'KIOSK' })).not.toThrow();
  });
});
