/** One of the four invariants does not hold. */
export class Violation extends Error {}
