/** Two states are the same when all their fields are; a field that one of them does not know equals any. */
export function sameState(one: string, other: string): boolean {
  const fields = one.split('|');
  const others = other.split('|');
  return (
    fields.length === others.length &&
    fields.every((field, index) => field === others[index] || field === '' || others[index] === '')
  );
}

/**
 * Below zero when the first time is earlier, above when it is later, zero when nobody can tell: one is missing, or both
 * lie in one second and one of them was cut to whole seconds.
 */
export function compareTimes(one: number | undefined, other: number | undefined): number {
  if (one === undefined || other === undefined) return 0;
  if (one % 1000 === 0 || other % 1000 === 0) return Math.floor(one / 1000) - Math.floor(other / 1000);
  return one - other;
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
export function isBehind(state: string, other: string): boolean {
  const others = other.split('|');
  // A value without a rank compares with none but itself: the difference is then no number.
  const steps = state.split('|').map((field, index) => {
    const after = others[index] as string;
    return field === after ? 0 : RANK[after]! - RANK[field]!;
  });
  return steps.every((step) => step >= 0) && steps.some((step) => step > 0);
}
