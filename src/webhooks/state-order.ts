/** Two states are the same when all their fields are; a field that one of them does not know equals any. */
export function sameState(one: string, other: string): boolean {
  if (one === other) return true;
  const fields = one.split('|');
  const others = other.split('|');
  return (
    fields.length > 1 &&
    fields.length === others.length &&
    fields.every((field, index) => field === '' || others[index] === '' || field === others[index])
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

/** How far along a value is. Values that may follow each other in either direction are left out. */
const RANKS: readonly Readonly<Record<string, number>>[] = [
  { PENDING: 0, CONFIRMED: 1, COMPLETED: 2, FAILED: 2, VOIDED: 2, CANCELLED: 2 },
  {
    PENDING: 0,
    IN_PROGRESS: 1,
    PREPARING: 2,
    READY_FOR_PICKUP: 3,
    FULFILLED: 4,
    DELIVERED: 4,
    RETURNED: 5,
    CANCELLED: 5,
  },
  { UNPAID: 0, PROCESSING: 0, PARTIALLY_PAID: 0, PAID: 1 },
];

/** Whether an order in the first state can only be on its way to the second one ("States and transitions"). */
export function isBehind(state: string, other: string): boolean {
  const others = other.split('|');
  const steps = state.split('|').map((field, index) => {
    const after = others[index] ?? '';
    // A value without a rank compares with none: the difference is then no number.
    return field === after ? 0 : (RANKS[index]?.[after] ?? Number.NaN) - (RANKS[index]?.[field] ?? Number.NaN);
  });
  return steps.every((step) => step >= 0) && steps.some((step) => step > 0);
}
