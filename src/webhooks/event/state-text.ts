/**
 * A state as one text, as events, readings and the store share it: `CONFIRMED|PENDING|PAID` of an order, `OUT_OF_STOCK`
 * of an item. Only this file joins and splits it. An unknown field is empty, and equals any.
 */
export type StateText = string;

const SEPARATOR = '|';

export function joinState(...fields: readonly (string | null | undefined)[]): StateText {
  return fields.map((field) => field ?? '').join(SEPARATOR);
}

export function splitState(state: StateText): string[] {
  return state.split(SEPARATOR);
}

/** Two states are the same when all their fields are. */
export function sameState(one: StateText, other: StateText): boolean {
  if (one === other) return true;
  const fields = splitState(one);
  const others = splitState(other);
  return (
    fields.length === others.length &&
    fields.every((field, index) => field === others[index] || field === '' || others[index] === '')
  );
}

/** A state whose empty fields are taken from the one before. */
export function fillState(state: StateText, before: StateText | undefined): StateText {
  if (before === undefined || !state.includes(SEPARATOR)) return state;
  const old = splitState(before);
  return joinState(...splitState(state).map((field, index) => field || old[index]));
}

/** How far along a value of one of the three fields is. Values that may follow each other either way are equal. */
const RANK: Readonly<Record<string, number>> = {
  PENDING: 0,
  CONFIRMED: 1,
  COMPLETED: 2,
  FAILED: 2,
  VOIDED: 2,
  IN_PROGRESS: 1,
  PREPARING: 2,
  READY_FOR_PICKUP: 3,
  FULFILLED: 4,
  DELIVERED: 4,
  RETURNED: 5,
  CANCELLED: 5,
  UNPAID: 0,
  PROCESSING: 0,
  PARTIALLY_PAID: 0,
  PAID: 1,
};

/** Whether an order in the first state can only be on its way to the second one ("States and transitions"). */
export function isBehind(state: StateText, other: StateText): boolean {
  const others = splitState(other);
  // A value without a rank compares with none but itself: the difference is then no number.
  const steps = splitState(state).map((field, index) => {
    const after = others[index] as string;
    return field === after ? 0 : RANK[after]! - RANK[field]!;
  });
  return steps.every((step) => step >= 0) && steps.some((step) => step > 0);
}
