import fc from 'fast-check';
import { addMoney, formatMoney, money, RequestValidationError, sumMoney } from 'online-ordering-sdk';
import { expect, test } from 'vitest';

test('money is whole minor units and a currency', () => {
  expect(money(1250)).toEqual({ amount: 1250, currency: 'USD' });
  expect(money(-5, 'EUR')).toEqual({ amount: -5, currency: 'EUR' });
});

test.each([12.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '1250' as unknown as number])(
  '%j is no amount',
  (cents) => {
    expect(() => money(cents)).toThrow(RequestValidationError);
    expect(() => formatMoney({ amount: cents, currency: 'USD' })).toThrow(RequestValidationError);
    expect(() => sumMoney([{ amount: cents, currency: 'USD' }])).toThrow(RequestValidationError);
  },
);

test('amounts of one currency are added exactly', () => {
  expect(addMoney(money(10), money(20))).toEqual(money(30));
  expect(sumMoney([money(1), money(2), money(-3)])).toEqual(money(0));
  expect(sumMoney([])).toEqual(money(0));
  expect(sumMoney([], 'EUR')).toEqual(money(0, 'EUR'));
  expect(() => addMoney(money(Number.MAX_SAFE_INTEGER), money(1))).toThrow(RequestValidationError);
});

test('currencies are not mixed', () => {
  expect(() => addMoney(money(1), money(1, 'EUR'))).toThrow('amounts in USD and EUR cannot be added');
  expect(() => sumMoney([money(1, 'EUR'), money(1)])).toThrow('amounts in EUR and USD cannot be added');
});

test.each([
  [money(1250), undefined, '$12.50'],
  [money(5), undefined, '$0.05'],
  [money(0), undefined, '$0.00'],
  [money(-1999), undefined, '-$19.99'],
  [money(123_456_789), undefined, '$1,234,567.89'],
  [money(Number.MAX_SAFE_INTEGER), undefined, '$90,071,992,547,409.91'],
  [money(1250, 'JPY'), 'en-US', '¥1,250'],
  [money(1250, 'KWD'), 'en-US', 'KWD\u00a01.250'],
  [money(1250, 'EUR'), 'de-DE', '12,50\u00a0€'],
])('%j in %s is written %j', (amount, locale, text) => {
  expect(formatMoney(amount, locale)).toBe(text);
});

test('every amount is written to the cent', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (cents) => {
      const digits = formatMoney(money(cents)).replaceAll(/[^\d-]/g, '');
      expect(BigInt(digits)).toBe(BigInt(cents));
    }),
  );
});

test('of the locales that browsers may name, the last hundred are kept', () => {
  const { NumberFormat } = Intl;
  let made = 0;
  Intl.NumberFormat = class extends NumberFormat {
    constructor(...given: ConstructorParameters<typeof NumberFormat>) {
      super(...given);
      made += 1;
    }
  } as typeof NumberFormat;
  try {
    for (let index = 0; index <= 100; index += 1) formatMoney(money(1), `en-x-${index + 1000}`);
    formatMoney(money(1), 'en-x-1100');
    expect(made).toBe(101);
    expect(formatMoney(money(1250), 'en-x-1000')).toBe('$12.50');
    expect(made).toBe(102);
  } finally {
    Intl.NumberFormat = NumberFormat;
  }
});
