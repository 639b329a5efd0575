import { type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api';
import { instrumentMetrics } from './metrics.js';
import { instrumentSpans } from './spans.js';

export { METRICS, type Metric } from './metric-names.js';

/** Where spans and metrics go. */
export interface InstrumentOptions {
  /** @defaultValue the provider that is registered globally */
  tracerProvider?: TracerProvider | undefined;
  /** @defaultValue the provider that is registered globally */
  meterProvider?: MeterProvider | undefined;
}

/** What {@link instrument} has started. */
export interface Instrumentation {
  /** Ends it: nothing more is recorded. */
  disable(): void;
}

const SCOPE = 'online-ordering-sdk';

/**
 * Records every client and webhook receiver of this process with OpenTelemetry.
 *
 * One span a logical call with its attempts as children, after the stable semantic conventions of HTTP; spans for `settle`,
 * `waitFor`, `checkoutWithPrice` and webhook deliveries, linked by order; the metrics of {@link METRICS}. The context goes
 * out with each attempt (`traceparent`). No attribute holds a personal value or a text of the service.
 *
 * Calling it twice records everything twice. It needs `@opentelemetry/api`, and Node, Bun or Deno.
 *
 * @example
 * import { instrument } from 'online-ordering-sdk/otel';
 *
 * const instrumentation = instrument(); // after the SDK of OpenTelemetry was started
 */
export function instrument({ tracerProvider, meterProvider }: InstrumentOptions = {}): Instrumentation {
  const stops = [
    ...instrumentSpans((tracerProvider ?? trace).getTracer(SCOPE)),
    ...instrumentMetrics((meterProvider ?? metrics).getMeter(SCOPE)),
  ];
  return {
    disable() {
      for (const stop of stops.splice(0)) stop();
    },
  };
}
