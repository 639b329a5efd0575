import { describe, expect, test } from 'vitest';
import type { Location, Page } from '../support/records.js';
import {
  badRequest,
  expectMoney,
  expectPage,
  expectRefusal,
  expectStatus,
  NO_SUCH_ID,
  notFound,
  TIME_OF_DAY,
  UUID,
} from '../support/shapes.js';
import { everyLocation, found, MODES } from '../support/shop.js';
import { needs, openMock, openTarget } from '../support/target.js';

const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];

async function firstLocation(): Promise<Location> {
  return (await everyLocation(openTarget()))[0]!;
}

describe('GET /locations', () => {
  test('Endpoints, GET /locations: answers 200 with the pagination envelope', async () => {
    const page = expectPage(await openTarget().get<Page<Location>>('/locations'));

    expect(page.data.length).toBeGreaterThan(0);
  });

  test('General conventions: every location has a UUID of its own', async () => {
    const ids = (await everyLocation(openTarget())).map((location) => location.id);

    for (const id of ids) expect(id).toMatch(UUID);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('Resources, Location: a listed location is the one that is read by its id', async () => {
    const target = openTarget();
    const [listed] = expectPage(await target.get<Page<Location>>('/locations')).data;

    const answer = await target.get<Location>(`/locations/${listed!.id}`);

    expect(answer.body).toMatchObject({ id: listed!.id, name: listed!.name, timezone: listed!.timezone });
  });
});

describe('GET /locations/{location_id}', () => {
  test('Endpoints, GET /locations/{location_id}: answers 200 with the location', async () => {
    const target = openTarget();
    const [location] = await everyLocation(target);

    const answer = await target.get<Location>(`/locations/${location!.id}`);

    expectStatus(answer, 200);
    expect(answer.body.id).toBe(location!.id);
  });

  test('Resources, Location (gap LOC-1): address has street, city, state, postal code and country', async () => {
    const location = await firstLocation();

    for (const part of ['street', 'city', 'state', 'postal_code', 'country'] as const) {
      expect(location.address[part]).toMatch(/\S/);
    }
  });

  test('Resources, Location: online_ordering_enabled is a boolean at every location', async () => {
    for (const location of await everyLocation(openTarget())) {
      expect(typeof location.online_ordering_enabled).toBe('boolean');
    }
  });

  test('Resources, Location: timezone names a zone of the IANA database', async () => {
    for (const location of await everyLocation(openTarget())) {
      expect(() => new Intl.DateTimeFormat('en-US', { timeZone: location.timezone })).not.toThrow();
    }
  });

  test('Resources, Location (gap LOC-3): minimum_order_amounts holds Money or null per handoff mode', async () => {
    for (const location of await everyLocation(openTarget())) {
      expect(location).toHaveProperty('minimum_order_amounts');
      for (const [mode, minimum] of Object.entries(location.minimum_order_amounts ?? {})) {
        expect(MODES).toContain(mode);
        if (minimum !== null) expectMoney(minimum);
      }
    }
  });

  test('Resources, Location (gap LOC-2): business hours name a day of the week', async () => {
    for (const hours of (await firstLocation()).business_hours) expect(DAYS).toContain(hours.day_of_week);
  });

  test('Resources, Location (gap LOC-2): business hours open and close at HH:MM, 24-hour', async () => {
    for (const hours of (await firstLocation()).business_hours) {
      expect(hours.open_time).toMatch(TIME_OF_DAY);
      expect(hours.close_time).toMatch(TIME_OF_DAY);
    }
  });

  test('Resources, Location (gap LOC-2): business hours say whether the day is closed', async () => {
    for (const hours of (await firstLocation()).business_hours) expect(typeof hours.is_closed).toBe('boolean');
  });

  test('Resources, Location: business hours cover the whole week', async () => {
    const days = (await firstLocation()).business_hours.map((hours) => hours.day_of_week);

    expect([...new Set(days)].sort()).toEqual([...DAYS].sort());
  });

  test('Resources, Location (gap LOC-4): handoff_modes are modes of the document', async () => {
    for (const location of await everyLocation(openTarget())) {
      for (const mode of location.handoff_modes ?? []) expect(MODES).toContain(mode);
    }
  });

  test('Errors 404: an unknown location is not found', async () => {
    expectRefusal(await openTarget().get(`/locations/${NO_SUCH_ID}`), notFound('Location not found'));
  });

  test('Errors 400: a location id that is no UUID is an invalid parameter', async () => {
    expectRefusal(await openTarget().get('/locations/store-1'), badRequest(undefined, 'location_id'));
  });

  needs('changed opening hours')('Resources, Location: changed business hours are read back', async () => {
    const { target, mock } = openMock();
    const [before] = await everyLocation(target);
    const hours = found(before, 'a location').business_hours.map((day) => ({
      ...day,
      open_time: '05:30',
      close_time: '21:15',
    }));
    await mock.hours.set(before!.id, hours);

    const after = await target.get<Location>(`/locations/${before!.id}`);

    expect(after.body.business_hours).toEqual(hours);
  });
});
