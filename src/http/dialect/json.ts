/** Changes of JSON values that leave the value itself as it is: each gives a copy of what differs. */

export type Fields = Readonly<Record<string, unknown>>;
export type Change = (value: unknown) => unknown;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object with some fields changed, each where the object has it; anything else stays as it is. */
export function inFields(changes: Readonly<Record<string, Change>>): Change {
  return (value) => {
    if (!isFields(value)) return value;
    const changed = Object.entries(changes).filter(([name]) => value[name] !== undefined && value[name] !== null);
    return { ...value, ...Object.fromEntries(changed.map(([name, change]) => [name, change(value[name])])) };
  };
}

/** Every entry of a list. */
export const inEach =
  (change: Change): Change =>
  (value) =>
    Array.isArray(value) ? value.map(change) : value;

/** A field under another name, unless the object has that name already. */
export const renamed =
  (from: string, to: string): Change =>
  (value) => {
    if (from === to || !isFields(value) || value[from] === undefined || value[to] !== undefined) return value;
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name === from ? to : name, entry]));
  };

/** Integer cents as Money ("`USD` is the value in use"). */
export const centsToMoney: Change = (value) => (typeof value === 'number' ? { amount: value, currency: 'USD' } : value);

/** Money as integer cents. */
export const moneyToCents: Change = (value) => (isFields(value) && 'amount' in value ? value.amount : value);

/** One change after the other. */
export const inTurn =
  (...changes: readonly Change[]): Change =>
  (value) =>
    changes.reduce((result, change) => change(result), value);
