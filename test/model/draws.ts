/**
 * What chance decides in one history, from one whole number.
 *
 * A draw depends on the seed, its name and how often that name was drawn, and on nothing else: what happens earlier or
 * later elsewhere does not move it. So a history can be replayed with some of its mishaps left out.
 */
export class Draws {
  /** Mishaps that took place, in their order. */
  readonly mishaps: string[] = [];
  readonly #seed: number;
  readonly #left: ReadonlySet<string>;
  readonly #counts = new Map<string, number>();

  constructor(seed: number, leftOut: ReadonlySet<string> = new Set()) {
    this.#seed = seed;
    this.#left = leftOut;
  }

  /** From 0 (included) to 1 (excluded). */
  number(name: string): number {
    return this.#next(name).value;
  }

  /** A whole number; both ends are included. */
  whole(name: string, from: number, to: number): number {
    return from + Math.floor(this.number(name) * (to - from + 1));
  }

  pick<T>(name: string, choices: readonly T[]): T {
    return choices[this.whole(name, 0, choices.length - 1)] as T;
  }

  chance(name: string, probability: number): boolean {
    return this.number(name) < probability;
  }

  /** Whether something goes wrong here; a replay may leave it out. */
  mishap(name: string, probability: number): boolean {
    const { value, id } = this.#next(name);
    if (value >= probability || this.#left.has(id)) return false;
    this.mishaps.push(id);
    return true;
  }

  /** One of the choices instead of what is usual; a replay may leave it out. */
  unusual<T>(name: string, probability: number, usual: T, choices: readonly T[]): T {
    return this.mishap(name, probability) ? this.pick(`${name}.which`, choices) : usual;
  }

  #next(name: string): { value: number; id: string } {
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    return { value: hash(this.#seed, name, count), id: `${name}#${count}` };
  }
}

function hash(seed: number, name: string, count: number): number {
  let h = (seed ^ 0x9e3779b9) >>> 0;
  for (let i = 0; i < name.length; i += 1) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193) >>> 0;
  h = Math.imul(h ^ (count + 0x85ebca6b), 0xc2b2ae35) >>> 0;
  for (const shift of [15, 13, 16]) h = Math.imul(h ^ (h >>> shift), 0x2c1b3c6d) >>> 0;
  return ((h ^ (h >>> 12)) >>> 0) / 2 ** 32;
}
