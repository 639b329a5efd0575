import type { GapRow, Reading } from '../../profile/gaps.js';
import type { WireResponse } from '../../wire/wire.js';
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
export function byStatus<T extends string>(response: WireResponse, readings: Readonly<Record<number, T>>): T {
  const reading = readings[response.status];
  if (reading !== undefined) return reading;
  throw neither(response);
}

/** `taken` for a success, `refused` for a 4xx. */
export function takenOrRefused<T extends string>(response: WireResponse, taken: T, refused: T): T {
  if (isSuccess(response)) return taken;
  if (response.status >= 400 && response.status < 500 && response.status !== 401 && response.status !== 429)
    return refused;
  throw neither(response);
}

export const isSuccess = ({ status }: WireResponse): boolean => status >= 200 && status < 300;

export const neither = (response: WireResponse): Differs =>
  new Differs(`the response is none of the readings: ${described(response)}`);

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
