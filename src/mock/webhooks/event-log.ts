import type { WebhookEvent, WebhookEventType } from '../../contract/index.js';
import type { Clock } from '../../platform/clock.js';
import { Latest } from '../state/keep.js';
import { timestampNow } from '../time/timestamp.js';

export interface RecordedEvent {
  readonly partnerId: string;
  readonly event: WebhookEvent;
  /** The bytes that are signed and sent, the same in every delivery. */
  readonly body: string;
}

export interface EventLogDeps {
  readonly clock: Clock;
  readonly nextId: () => string;
  readonly keep: number;
  readonly onEvent: (recorded: RecordedEvent) => void;
}

/** Every event of the service, in order, with or without a subscription to it. */
export class EventLog {
  readonly #clock: Clock;
  readonly #nextId: () => string;
  readonly #onEvent: (recorded: RecordedEvent) => void;
  readonly #events: Latest<RecordedEvent>;

  constructor({ clock, nextId, keep, onEvent }: EventLogDeps) {
    this.#clock = clock;
    this.#nextId = nextId;
    this.#onEvent = onEvent;
    this.#events = new Latest(keep);
  }

  emit(partnerId: string, type: WebhookEventType, data: WebhookEvent['data']): void {
    // gap EVT-1
    const envelope = { event_id: this.#nextId(), event_type: type, created_at: timestampNow(this.#clock), data };
    const body = JSON.stringify(envelope);
    const recorded = { partnerId, event: JSON.parse(body) as WebhookEvent, body };
    this.#events.push(recorded);
    this.#onEvent(recorded);
  }

  restore(events: readonly RecordedEvent[]): void {
    for (const recorded of events) this.#events.push(recorded);
  }

  list(): readonly RecordedEvent[] {
    return this.#events.list();
  }
}
