import type { Order } from '../../contract/index.js';
import { LONGEST_LAG_MS } from '../behaviour/switches.js';

/** An order as it stood at earlier instants, for reads from a replica. Instants are those of a monotonic clock. */
export class OrderVersions {
  readonly #bornMs: number;
  /** Earlier versions, oldest first; the present one is the order itself. */
  #earlier: { readonly untilMs: number; readonly order: Order }[] = [];

  constructor(bornMs: number) {
    this.#bornMs = bornMs;
  }

  /** Keeps the order as it is before a change. */
  keep(order: Order, nowMs: number): void {
    // Of several changes in one instant, no read falls between.
    if (this.#earlier.at(-1)?.untilMs === nowMs) return;
    this.#earlier = this.#earlier.filter(({ untilMs }) => untilMs > nowMs - LONGEST_LAG_MS * 2);
    // What is bought never changes after the checkout; what is paid does.
    const { payments, refunds } = structuredClone({ payments: order.payments, refunds: order.refunds ?? [] });
    this.#earlier.push({ untilMs: nowMs, order: { ...order, payments, refunds } });
  }

  /** The order at an instant; before its birth, as it was born. */
  at(instantMs: number, present: Order): Order {
    return this.#earlier.find(({ untilMs }) => untilMs > instantMs)?.order ?? present;
  }

  existed(instantMs: number): boolean {
    return instantMs >= this.#bornMs;
  }
}
