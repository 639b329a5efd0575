import type { Money } from '../../contract/index.js';

const CURRENCY = 'USD';
const BASIS_POINTS = 10_000;

export function usd(cents: number): Money {
  return { amount: cents, currency: CURRENCY };
}

/** A share of an amount, rounded half up to a cent (gap DISC-4). 825 basis points are 8.25 %. */
export function shareOf(cents: number, basisPoints: number): number {
  return Math.floor((cents * basisPoints + BASIS_POINTS / 2) / BASIS_POINTS);
}

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/**
 * Spreads an amount over weights in proportion, so that the parts add up to it exactly: each part is rounded down, and
 * the cents left over go to the largest remainders, the earlier one first among equals (gap DISC-3).
 */
export function spread(cents: number, weights: readonly number[]): number[] {
  const whole = BigInt(sum(weights));
  if (whole === 0n) return weights.map(() => 0);

  // Products of two amounts leave the range in which numbers are exact.
  const products = weights.map((weight) => BigInt(cents) * BigInt(weight));
  const parts = products.map((product) => Number(product / whole));
  const byRemainder = products
    .map((product, index) => ({ remainder: product % whole, index }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  for (const { index } of byRemainder.slice(0, cents - sum(parts))) parts[index]! += 1;
  return parts;
}

/** Cents or basis points as the decimal string of a discount's `value`: 1000 is `10.00` (gap DISC-2). */
export function decimal(hundredths: number): string {
  return (hundredths / 100).toFixed(2);
}
