import type { InventoryStatus, TenderType } from '../../contract/index.js';

/** One row of the sample menu's tables. Keys of items come from their table, keys below them from their names. */
export interface ItemRow {
  readonly name: string;
  readonly description: string;
  readonly cents: number;
  readonly groups?: readonly GroupRow[];
  readonly minimumAge?: number;
  readonly maximum?: number;
  /** The item is RESTRICTED to these. */
  readonly tenders?: readonly TenderType[];
  readonly nonDiscountable?: boolean;
  /** `HH:MM`, from and until. */
  readonly sold?: readonly [from: string | null, until: string | null];
  /** False: taken off sale by the store. */
  readonly available?: boolean;
  /** Null: not in the inventory at all. @defaultValue 'IN_STOCK' */
  readonly stock?: InventoryStatus | null;
  readonly untaxed?: boolean;
}

export interface GroupRow {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly duplicates: boolean;
  readonly modifiers: readonly ModifierRow[];
}

export interface ModifierRow {
  readonly name: string;
  readonly cents: number;
  readonly groups: readonly GroupRow[];
}

export interface CategoryRow {
  readonly name: string;
  readonly description: string;
  readonly items: Readonly<Record<string, ItemRow>>;
}

/** A modifier: free and plain, or with its cents, or with groups of its own, too. */
export type Choice = string | readonly [name: string, cents: number, ...groups: GroupRow[]];

/** Exactly one of the choices; the first is the default. */
export function one(name: string, ...choices: Choice[]): GroupRow {
  return { name, min: 1, max: 1, duplicates: false, modifiers: choices.map(modifier) };
}

/** Up to `max` different choices. */
export function some(name: string, max: number, ...choices: Choice[]): GroupRow {
  return { name, min: 0, max, duplicates: false, modifiers: choices.map(modifier) };
}

/** Up to `max` choices, one of them as often as you like. */
export function many(name: string, max: number, ...choices: Choice[]): GroupRow {
  return { name, min: 0, max, duplicates: true, modifiers: choices.map(modifier) };
}

/** `Italian herb` is `italianHerb`, and `Jalapeño cheddar` is `jalapenoCheddar`. */
export function keyOf(name: string): string {
  const plain = name.normalize('NFD').replace(/\p{Mark}/gu, '');
  const words = plain.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.map((word, index) => (index === 0 ? word : word[0]!.toUpperCase() + word.slice(1))).join('');
}

function modifier(choice: Choice): ModifierRow {
  if (typeof choice === 'string') return { name: choice, cents: 0, groups: [] };
  const [name, cents, ...groups] = choice;
  return { name, cents, groups };
}
