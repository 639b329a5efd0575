const CAPACITY = 500;
const COST = 5;
const COST_AFTER_TIMEOUT = 10;

/**
 * Ends a storm: when many calls fail at once, retries stop before they become the load that keeps the service down.
 * A retry takes from the bucket, a success pays back.
 */
export class RetryBudget {
  #left = CAPACITY;

  /** Takes the cost of one retry; `false` when the bucket holds too little. */
  take(afterTimeout: boolean): boolean {
    const cost = afterTimeout ? COST_AFTER_TIMEOUT : COST;
    if (this.#left < cost) return false;
    this.#left -= cost;
    return true;
  }

  /** A success pays back what its last retry cost, or one when it needed none. */
  payBack(retried: boolean): void {
    this.#left = Math.min(CAPACITY, this.#left + (retried ? COST : 1));
  }

  get left(): number {
    return this.#left;
  }
}
