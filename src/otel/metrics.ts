import type { Counter, Histogram, Meter } from '@opentelemetry/api';
import type { BudgetFacts, CooldownFacts, DriftFacts, RetryFacts, TokenFacts } from '../http/events/events.js';
import type { CallTrace, TraceContext } from '../http/events/observer.js';
import type { WebhookTrace } from '../platform/webhook-trace.js';
import { ATTRIBUTE, known } from './attributes.js';
import { onFact, onTrace, type Stop } from './channels.js';
import { METRICS, type Metric } from './metric-names.js';
import { errorTypeOf } from './spans.js';

/** Buckets that the semantic conventions advise for durations in seconds. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60];

export function instrumentMetrics(meter: Meter): Stop[] {
  const counter = ({ name, unit, description }: Metric): Counter => meter.createCounter(name, { unit, description });
  const histogram = ({ name, unit, description }: Metric): Histogram =>
    meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: SECONDS } });

  const requestDuration = histogram(METRICS.requestDuration);
  const callDuration = histogram(METRICS.callDuration);
  const cooldownWait = histogram(METRICS.cooldownWait);
  const deliveryAge = histogram(METRICS.deliveryAge);
  const retries = counter(METRICS.retries);
  const tokens = counter(METRICS.tokens);
  const budget = counter(METRICS.budget);
  const unknownOutcomes = counter(METRICS.unknownOutcomes);
  const drift = counter(METRICS.drift);
  const deliveries = counter(METRICS.deliveries);
  const startedAt = new WeakMap<object, number>();

  return [
    onTrace<TraceContext>('request', {
      started() {},
      ended(message) {
        const attributes = {
          ...operation(message),
          ...(message.call && server(message.call)),
          ...known({ [ATTRIBUTE.status]: message.status, [ATTRIBUTE.errorType]: errorTypeOf(message) }),
        };
        requestDuration.record((message.durationMs ?? 0) / 1000, attributes);
      },
    }),
    onTrace<CallTrace>('call', {
      started(message) {
        startedAt.set(message, performance.now());
      },
      ended(message) {
        const seconds = (performance.now() - (startedAt.get(message) ?? performance.now())) / 1000;
        callDuration.record(seconds, {
          ...operation(message),
          ...known({ [ATTRIBUTE.errorType]: message.errorType }),
        });
        if (message.outcome === 'unknown') unknownOutcomes.add(1, operation(message));
      },
    }),
    onTrace<WebhookTrace>('webhook', {
      started() {},
      ended({ eventType, outcome, ageMs }) {
        deliveries.add(1, known({ [ATTRIBUTE.eventType]: eventType, [ATTRIBUTE.delivery]: outcome }));
        if (ageMs !== undefined && ageMs >= 0)
          deliveryAge.record(ageMs / 1000, known({ [ATTRIBUTE.eventType]: eventType }));
      },
    }),
    onFact<RetryFacts>('retry', (facts) => retries.add(1, { ...operation(facts), [ATTRIBUTE.reason]: facts.reason })),
    onFact<CooldownFacts>('cooldown', (facts) => cooldownWait.record(facts.pauseMs / 1000, operation(facts))),
    onFact<TokenFacts>('token', ({ state }) => tokens.add(1, { [ATTRIBUTE.state]: state })),
    onFact<BudgetFacts>('budget', (facts) => budget.add(1, operation(facts))),
    onFact<DriftFacts>('drift', (facts) => drift.add(1, operation(facts))),
  ];
}

const operation = ({ method, path }: { readonly method: string; readonly path: string }): Record<string, string> => ({
  [ATTRIBUTE.method]: method,
  [ATTRIBUTE.template]: path,
});

const server = ({ serverAddress, serverPort }: CallTrace): Record<string, string | number> => ({
  [ATTRIBUTE.serverAddress]: serverAddress,
  [ATTRIBUTE.serverPort]: serverPort,
});
