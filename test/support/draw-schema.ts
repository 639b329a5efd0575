import type { Schema } from '../../build/zod-definition.js';

/** One for each rule of a text in the contract; what fits is tried out. */
const TEXTS = [
  'text',
  'Café 🍵',
  '2026-01-15T14:30:00Z',
  '2026-01-15 14:30:00.123+01:00',
  'https://shop.example.com/webhooks',
  '3f8a1c52-6f6e-4c1e-9d0f-3f1c2a7b8d11',
  'TX',
  'order.created',
];
/** What a service that has changed, or a slip of a caller, may put anywhere. */
const ODD: readonly unknown[] = [
  null,
  undefined,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '',
  ' ',
  'PICKUP',
  'DELIVERY',
  'CURBSIDE',
  '2026-01-15',
  '2026-13-45T99:99:99Z',
  'http://shop.example.com',
  'x'.repeat(201),
  '🍵'.repeat(150),
  [],
  [null],
  {},
  { amount: 5, currency: 'USD' },
  { amount: 5, currency: '' },
];
const DEEPEST = 12;

/** Draws values from schemas, and changes them; the same seed draws the same. */
export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A value that fits the schema. */
  value(schema: Schema, depth = 0): unknown {
    const { def } = schema._zod;
    switch (def.type) {
      case 'object':
        return this.#object(schema, depth);
      case 'optional':
        return this.#below(3) === 0 ? undefined : this.value(def.innerType!, depth);
      case 'nullable':
        return this.#below(3) === 0 ? null : this.value(def.innerType!, depth);
      case 'array':
        return this.#array(schema, depth);
      case 'record':
        return Object.fromEntries(['PICKUP', 'other'].map((name) => [name, this.value(def.valueType!, depth + 1)]));
      case 'union':
        return this.value(this.#oneOf(def.options!), depth);
      case 'string':
        return this.#fitting(schema, () => this.#oneOf(TEXTS));
      case 'number':
        return this.#fitting(schema, () => this.#oneOf([0, 1, 250, -3, 30.27, 9_007_199_254_740_991]));
      case 'boolean':
        return this.#below(2) === 0;
      case 'literal':
        return this.#oneOf(def.values!);
      case 'enum':
        return this.#oneOf(Object.values(def.entries!));
      default:
        return this.#oneOf(ODD);
    }
  }

  /** A copy in which one place is another: left out, of another kind, from elsewhere, or with one more field. */
  changed(body: unknown): unknown {
    const copy = structuredClone(body);
    const places: { holder: Record<string, unknown>; key: string }[] = [];
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const holder = value as Record<string, unknown>;
      for (const key of Object.keys(holder)) {
        places.push({ holder, key });
        collect(holder[key]);
      }
    };
    collect(copy);
    if (places.length === 0 || this.#below(40) === 0) return this.#oneOf(ODD);
    const { holder, key } = this.#oneOf(places);
    switch (this.#below(4)) {
      case 0:
        delete holder[key];
        break;
      case 1:
        holder[`new_${key}`] = this.#oneOf(ODD);
        break;
      case 2: {
        const other = this.#oneOf(places);
        holder[key] = structuredClone(other.holder[other.key]);
        break;
      }
      default:
        holder[key] = structuredClone(this.#oneOf(ODD));
    }
    return copy;
  }

  #object(schema: Schema, depth: number): unknown {
    const { shape = {}, catchall } = schema._zod.def;
    return this.#fitting(schema, () => {
      const made: Record<string, unknown> = {};
      for (const [field, inner] of Object.entries(shape)) {
        const value = this.value(inner, depth + 1);
        if (value !== undefined || this.#below(2) === 0) made[field] = value;
      }
      if (catchall?._zod.def.type === 'unknown' && this.#below(4) === 0) made.newer = 'field';
      return made;
    });
  }

  #array(schema: Schema, depth: number): unknown {
    const { element } = schema._zod.def;
    return this.#fitting(schema, () =>
      Array.from({ length: depth > DEEPEST ? 0 : this.#below(3) }, () => this.value(element!, depth + 1)),
    );
  }

  /** Draws until the schema, with all its rules, takes what is drawn. */
  #fitting(schema: Schema, draw: () => unknown): unknown {
    const parse = schema as unknown as { safeParse(value: unknown): { success: boolean } };
    for (let attempt = 0; attempt < 1000; attempt += 1) {
      const value = draw();
      if (parse.safeParse(value).success) return value;
    }
    throw new Error(`Nothing drawn fits a schema of type ${schema._zod.def.type}; add a text to TEXTS.`);
  }

  #oneOf<T>(values: readonly T[]): T {
    return values[this.#below(values.length)] as T;
  }

  /** A whole number from 0 to below `limit` (mulberry32). */
  #below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }
}
