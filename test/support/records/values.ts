/** When the records of the tests were made. */
export const CREATED_AT = '2026-01-31T10:00:00Z';

export const usd = (amount: number) => ({ amount, currency: 'USD' });
