import type { WebhookEventType } from '../../contract/index.js';
import type { KnownEvent, ReceivedEvent, UnknownEvent } from '../event/events.js';

/** What a handler learns beside the event. */
export interface HandlerContext<Tx = undefined> {
  /** Where the event comes from: a delivery, or the reconciler, which found a change that no delivery had reported. */
  readonly source: 'webhook' | 'reconciler';
  /**
   * True when a newer state of the same order, item, menu or hours is known already. With `ordering: 'latest'` only
   * `order.created` and `order.cancelled` still come with it, which are facts rather than states.
   */
  readonly stale: boolean;
  /** The event as it was received; `event` may hold fewer stock items, without those already handled or outdated. */
  readonly received: ReceivedEvent;
  /** Ends when another process may have taken over the event, or when handling took longer than it may. */
  readonly signal: AbortSignal;
  /**
   * The transaction in which the inbox marks the event as handled, where the inbox has one (`postgresInbox`): what a
   * handler writes with it is committed together with the mark, or not at all. `undefined` otherwise.
   */
  readonly tx: Tx;
}

/** Handles an event. It is done when the returned promise resolves; when it rejects, the event comes again. */
export type Handler<Event, Tx = undefined> = (event: Event, context: HandlerContext<Tx>) => unknown;

/** The handlers of a receiver, run one after the other in the order in which they were added. */
export class Handlers {
  readonly #entries = new Set<{ readonly kind: string; readonly handler: Handler<never, never> }>();

  /** Adds a handler for a type of event, for `any` or for `unknown` ones; gives a function that removes it. */
  add(kind: WebhookEventType | 'any' | 'unknown', handler: Handler<never, never>): () => void {
    const entry = { kind, handler };
    this.#entries.add(entry);
    return () => void this.#entries.delete(entry);
  }

  /** Runs every handler that wants the event; the first failure ends it. */
  async run(event: ReceivedEvent, context: HandlerContext<unknown>): Promise<void> {
    const wanted = event.known ? event.event_type : 'unknown';
    for (const { kind, handler } of [...this.#entries]) {
      if (kind !== wanted && kind !== 'any') continue;
      await (handler as Handler<KnownEvent | UnknownEvent, unknown>)(event, context);
      // The lease is gone: what follows may be run by another process at this moment.
      context.signal.throwIfAborted();
    }
  }
}
