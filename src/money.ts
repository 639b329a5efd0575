import type { Money } from './contract/index.js';
import { RequestValidationError } from './errors/local.js';
import { BoundedMap } from './platform/bounded-map.js';

/**
 * An amount in the service's shape.
 *
 * @param cents - integer minor units: `money(1250)` is twelve dollars and fifty cents.
 * @throws {RequestValidationError} The amount has a fraction, or is too large to be exact.
 * @see Interface document, "Money"
 */
export function money(cents: number, currency = 'USD'): Money {
  return { amount: exact(cents), currency };
}

/** The sum of two amounts of one currency. */
export function addMoney(a: Money, b: Money): Money {
  return sumMoney([a, b]);
}

/**
 * The sum of amounts of one currency.
 *
 * @param currency - that of an empty sum. @defaultValue 'USD'
 * @throws {RequestValidationError} Currencies are mixed, or an amount has a fraction.
 */
export function sumMoney(amounts: readonly Money[], currency = 'USD'): Money {
  const [first] = amounts;
  const common = first?.currency ?? currency;
  const other = amounts.find((amount) => amount.currency !== common);
  if (other) throw refusal(`amounts in ${common} and ${other.currency} cannot be added`);
  return money(
    amounts.reduce((sum, { amount }) => exact(sum + exact(amount)), 0),
    common,
  );
}

/** A locale may come from a browser's header: of any number of them, the last ones are kept. */
const formats = new BoundedMap<string, Intl.NumberFormat>(100);

/** An amount for people: `formatMoney(money(1250))` is `$12.50`. */
export function formatMoney({ amount, currency }: Money, locale = 'en-US'): string {
  const key = `${locale} ${currency}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, { style: 'currency', currency });
    formats.set(key, format);
  }
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  // As text: a division would round amounts that a float cannot hold.
  return format.format(decimalText(exact(amount), digits) as unknown as number);
}

function decimalText(minorUnits: number, digits: number): string {
  const sign = minorUnits < 0 ? '-' : '';
  const text = String(Math.abs(minorUnits)).padStart(digits + 1, '0');
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function exact(amount: number): number {
  if (Number.isSafeInteger(amount)) return amount;
  throw refusal(`${String(amount)} is not a whole number of minor units (cents); write 1250 for twelve dollars fifty`);
}

function refusal(message: string): RequestValidationError {
  return new RequestValidationError(`Not an amount of money: ${message}.`, {
    problems: [{ field: 'amount', message }],
  });
}
