import type { Random } from '../../platform/random.js';

const STEP = 0x6d2b79f5;

/**
 * A stream of numbers that depends on the seed and the name of the stream alone (mulberry32); `drawn` of them were drawn
 * before.
 */
export function seededRandom(seed: number, stream: string, drawn = 0): Random {
  let state = seed >>> 0;
  for (const character of stream) state = (Math.imul(state ^ character.charCodeAt(0), 0x01000193) + 0x9e3779b9) >>> 0;
  state = (state + Math.imul(STEP, drawn)) >>> 0;
  return () => {
    state = (state + STEP) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A stream that counts, so that a later service can go on where it stood. */
export interface CountedStream {
  readonly next: Random;
  /** How many numbers were drawn so far. */
  drawn(): number;
}

export function countedStream(seed: number, stream: string, before = 0): CountedStream {
  const random = seededRandom(seed, stream, before);
  let drawn = before;
  const next = (): number => {
    drawn += 1;
    return random();
  };
  return { next, drawn: () => drawn };
}

/** A UUID v4 from a stream of numbers. */
export function uuidFrom(random: Random): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16));
  digits[12] = 4;
  digits[16] = 8 + (digits[16]! % 4);
  const hex = digits.map((digit) => digit.toString(16)).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function secretFrom(random: Random, prefix: string): string {
  return prefix + Array.from({ length: 32 }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('');
}
