import type { Link, SpanContext } from '@opentelemetry/api';

const MOST_ORDERS = 1000;

/** The last span that worked on an order, so that the next one can name it: settlements, waits and deliveries. */
export class OrderLinks {
  readonly #spans = new Map<string, SpanContext>();

  /** Links to what was last seen of the order. */
  of(orderId: string | undefined): Link[] {
    const last = orderId === undefined ? undefined : this.#spans.get(orderId.toLowerCase());
    return last ? [{ context: last }] : [];
  }

  note(orderId: string | undefined, span: SpanContext): void {
    if (orderId === undefined) return;
    const id = orderId.toLowerCase();
    this.#spans.delete(id);
    this.#spans.set(id, span);
    if (this.#spans.size <= MOST_ORDERS) return;
    const [oldest] = this.#spans.keys();
    if (oldest !== undefined) this.#spans.delete(oldest);
  }
}
