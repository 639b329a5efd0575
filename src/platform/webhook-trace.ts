import { type Ended, TraceChannel, type TraceMessage } from './tracing.js';

/** The message of one delivery in the tracing channel `online-ordering-sdk:webhook`. */
export interface WebhookTrace extends TraceMessage {
  /** Known once the delivery is verified. */
  eventType?: string | undefined;
  orderId?: string | undefined;
  /** What became of it: `handled`, `duplicate`, a refusal, or `failed`. */
  outcome?: string | undefined;
  /** Milliseconds between the event and its delivery, as the event's own time says. */
  ageMs?: number | undefined;
}

const deliveries = /* @__PURE__ */ new TraceChannel<WebhookTrace>('webhook');

/** Runs the work of one delivery; `work` writes into the message what it learns. */
export function traceDelivery<T>(
  work: (trace: WebhookTrace) => Promise<T>,
  outcomeOf: (value: T) => string,
): Promise<T> {
  const trace: WebhookTrace = {};
  if (!deliveries.isTraced) return work(trace);
  return deliveries.trace(
    trace,
    () => work(trace),
    (ended: Ended<T>) => {
      trace.outcome = 'value' in ended ? outcomeOf(ended.value) : 'failed';
      return 'value' in ended ? undefined : trace.outcome;
    },
  );
}
