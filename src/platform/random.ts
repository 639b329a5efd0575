/** Chance as a parameter: a number from 0 (included) to 1 (excluded). It spreads waits, and never makes keys. */
export type Random = () => number;

export const systemRandom: Random = () => Math.random();
