import type { WebhookEventType } from '../../contract/index.js';
import type { EventOf } from '../event/events.js';
import type { ReceiverAccess } from '../receiver/receiver.js';
import type { Known } from '../state/known-state.js';

/** One thing to do about a subject: have an event handled, where there is one, then remember what is known. */
export interface ReconcileStep {
  readonly event?: EventOf<WebhookEventType>;
  readonly known: Known;
}

/** A subject, and how a reading of it compares with what is known. */
export interface SubjectReading {
  readonly subject: string;
  readonly plan: (known: Known) => readonly ReconcileStep[];
  /** Remember an order for longer, even if nothing changed. */
  readonly touch?: boolean;
}

/**
 * Compares a reading with what is known of the subject, under its lock, and has what was missed handled:
 * by the inbox where there is one, otherwise at once.
 *
 * @returns The number of events; `busy` when a delivery about the subject takes too long.
 */
export function reconcileSubject(
  { engine, write }: ReceiverAccess,
  { subject, plan, touch }: SubjectReading,
): Promise<number | 'busy'> {
  const { handlers } = engine.options;
  const source = 'reconciler' as const;
  return engine.alone(subject, async (signal) => {
    let reading = await engine.known.load(subject);
    let handled = 0;
    for (const { event, known } of plan(reading.known)) {
      if (event) {
        // A process that dies after the write finds the same change again: it has the same id, and is a duplicate.
        if (write) await write({ id: event.event_id, subject, source, event });
        else await handlers.run(event, { source, stale: false, received: event, signal, tx: undefined });
        handled += 1;
      }
      reading = await engine.known.save(subject, reading, known, touch);
    }
    return handled;
  });
}

/** An event in the service's shape. Its id is the identity of the change, so that a repetition has the same one. */
export function missedEvent<Type extends WebhookEventType>(
  type: Type,
  identity: string,
  at: string,
  data: EventOf<Type>['data'],
): EventOf<WebhookEventType> {
  const event = { known: true, event_id: `reconciled:${identity}`, event_type: type, created_at: at, data };
  return event as unknown as EventOf<WebhookEventType>;
}
