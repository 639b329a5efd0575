import type { GapRow, Reading } from '../../profile/gaps.js';
import type { Answer } from '../../wire/wire.js';
import { CannotTry, Differs } from '../result.js';
import { described, type Scene } from '../scene.js';

/** How one gap is decided: by asking the service, never by guessing. */
export interface Decider<Row extends GapRow = GapRow> {
  /** What the gap is about, in a few words. */
  readonly about: string;
  /** What each reading means, in words. */
  readonly readings: { readonly [One in Reading<Row>]: string };
  /** @throws CannotTry why it could not be decided, Differs when the service does neither. */
  decide(scene: Scene): Promise<Reading<Row>>;
}

export type Deciders = { readonly [Row in GapRow]?: Decider<Row> };

/** The reading that belongs to a status. */
export function byStatus<T extends string>(answer: Answer, readings: Readonly<Record<number, T>>): T {
  const reading = readings[answer.status];
  if (reading !== undefined) return reading;
  throw neither(answer);
}

/** `taken` for a success, `refused` for a 4xx. */
export function takenOrRefused<T extends string>(answer: Answer, taken: T, refused: T): T {
  if (isSuccess(answer)) return taken;
  if (answer.status >= 400 && answer.status < 500 && answer.status !== 401 && answer.status !== 429) return refused;
  throw neither(answer);
}

export const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;

export const neither = (answer: Answer): Differs =>
  new Differs(`the answer is none of the readings: ${described(answer)}`);

/** Which of some names an object has. */
export function nameIn<const T extends string>(object: unknown, names: readonly T[], where: string): T {
  if (typeof object !== 'object' || object === null) throw new CannotTry(`there is no ${where}`);
  const found = names.find((name) => name in object);
  if (found !== undefined) return found;
  throw new Differs(`${where} has none of ${names.join(', ')}, but ${Object.keys(object).slice(0, 12).join(', ')}`);
}

/** Money, or integer cents. */
export function moneyOrCents(value: unknown, where: string): 'money' | 'cents' {
  if (typeof value === 'number') return 'cents';
  if (typeof value === 'object' && value !== null && 'amount' in value) return 'money';
  throw new Differs(`${where} is neither Money nor cents`);
}
