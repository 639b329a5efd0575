import type { WebhookEventType } from '../../contract/index.js';
import type { EventOf } from '../event/events.js';
import type { EventEngine } from '../receiver/event-engine.js';
import type { Known } from '../state/known-state.js';

/** One thing to do about a subject: tell handlers of an event, where there is one, then remember what is known. */
export interface ReconcileStep {
  readonly event?: EventOf<WebhookEventType>;
  readonly known: Known;
}

/**
 * Compares a reading with what is known of the subject, while nobody else touches it, and has what was missed handled.
 *
 * @returns The number of events handled; `busy` when a delivery about the subject takes too long.
 */
export function reconcileSubject(
  engine: EventEngine,
  subject: string,
  plan: (known: Known) => readonly ReconcileStep[],
): Promise<number | 'busy'> {
  const { handlers } = engine.options;
  return engine.alone(subject, async (signal) => {
    let reading = await engine.known.load(subject);
    let handled = 0;
    for (const { event, known } of plan(reading.known)) {
      if (event) {
        await handlers.run(event, { source: 'reconciler', stale: false, received: event, signal });
        handled += 1;
      }
      reading = await engine.known.save(subject, reading, known);
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
