import { createMockService, type MockService } from 'online-ordering-sdk/mock';
import { describe, expect, test } from 'vitest';

// What plain JavaScript lets pass.
// biome-ignore lint/suspicious/noExplicitAny: calls that TypeScript refuses
type Loose = any;

describe('A slip is refused by name', () => {
  test.each([
    [{ sede: 1 }, 'createMockService: it has no option "sede"; write one of seed, clock'],
    [{ rateLimits: { perkey: 1 } }, '"rateLimits" has no rate limit "perkey"; write one of perKey'],
    [{ deliveries: { retryDelays: [] } }, '"deliveries" has no option "retryDelays"'],
    [{ clock: 'system' }, `"clock" is "system"; write 'virtual' or 'real'`],
    [{ keep: { orders: 0 } }, '"keep.orders" is 0; write a whole number from 1 on'],
    [{ enforceTenders: 'yes' }, '"enforceTenders" is "yes"'],
    [{ autoAdvance: 'soon' }, 'The duration "soon"'],
    [null, 'createMockService: it is null'],
  ])('among the options: %j', (options, text) => {
    expect(() => createMockService(options as Loose)).toThrow(text);
  });

  const coffee = (service: MockService) => service.samples.items.houseCoffee;
  const store = (service: MockService) => service.samples.locations.downtown;

  test.each<[string, (service: Loose) => unknown, string]>([
    ['a method', (service) => service.payments.declineNext('CREDITCARD'), "write 'CREDIT_CARD' or 'DEBIT_CARD'"],
    [
      'an option',
      (service) => service.payments.declineNext('*', { why: 'x' }),
      'it has no option "why"; write one of reason',
    ],
    ['an outcome', (service) => service.payments.settleAfter(5, { outcome: 'DONE' }), '"outcome" is "DONE"'],
    [
      'a stock status',
      (service) => service.stock.set(store(service), coffee(service), 'SOLD_OUT'),
      "write 'IN_STOCK' or",
    ],
    ['a location', (service) => service.stock.set('downtown', coffee(service), 'IN_STOCK'), 'no location downtown'],
    ['hours', (service) => service.hours.set(store(service), 'MONDAY'), 'hours.set: it is "MONDAY"; write a list'],
    [
      'a day',
      (service) =>
        service.hours.set(store(service), [
          { day_of_week: 'MON', open_time: '08:00', close_time: '9', is_closed: false },
        ]),
      `"[0].day_of_week" is "MON"; write 'MONDAY' or`,
    ],
    ['a fault', (service) => service.faults.next('*', { stat: 500 }), 'it has no field "stat"; write one of fail'],
    ['a kind of fault', (service) => service.faults.next('*', { fail: 'reset' }), '"fail" is "reset"'],
    ['a partner', (service) => service.partners.add({ location: [] }), 'it has no option "location"'],
    ['a change of a location', (service) => service.locations.update(store(service), { timezone: 'Texas' }), 'IANA'],
    [
      'its hours',
      (service) => service.locations.update(store(service), { business_hours: [] }),
      'no field "business_hours"',
    ],
  ])('%s', (_, slip, text) => {
    expect(() => slip(createMockService())).toThrow(text);
  });

  test('of a delivery', async () => {
    const service = createMockService();

    const slip = service.webhooks.deliverTo(() => new Response(), { duplicate: 2 } as Loose);

    await expect(slip).rejects.toThrow('deliverTo: it has no option "duplicate"; write one of duplicates');
  });
});
