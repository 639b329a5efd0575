/**
 * One order against the embedded mock, with its trace printed as a tree. No collector is needed.
 *
 *   npx tsx examples/observability/traced-order.ts
 *
 * In your service the SDK of OpenTelemetry exports instead: start it, then call `instrument()` once.
 */
import { context, type HrTime } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { OnlineOrdering } from 'online-ordering-sdk';
import { createMockService } from 'online-ordering-sdk/mock';
import { instrument } from 'online-ordering-sdk/otel';

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const exporter = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
instrument({ tracerProvider });

const service = createMockService();
const client = new OnlineOrdering({ ...service.credentials, dispatcher: service.dispatcher, clock: service.clock });

await tracerProvider.getTracer('example').startActiveSpan('a customer orders', async (span) => {
  const cart = await client.carts.create({ location_id: service.samples.locations.downtown });
  await client.carts.items.add(cart.id, service.samples.cartItems.turkeySubCombo);
  await client.carts.setHandoff(cart.id, { mode: 'PICKUP' });
  // A failure on the way, to be seen as a second attempt.
  service.faults.next('POST /carts/{cart_id}/checkout', { status: 503 });
  const { order_id } = await service.clock.runUntil(client.carts.checkout(cart.id));
  const tenders = [{ payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' }] as const;
  await service.clock.runUntil(client.orders.settle(order_id, { tenders: [...tenders] }));
  span.end();
});

const spans = [...exporter.getFinishedSpans()].sort((a, b) => milliseconds(a.startTime) - milliseconds(b.startTime));
print(undefined, '');
await client.close();

function print(parent: string | undefined, indent: string): void {
  for (const span of spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)) {
    console.log(`${indent}${span.name}${told(span)}`);
    print(span.spanContext().spanId, `${indent}  `);
  }
}

/** What an attempt or a call came to. */
function told({ attributes }: ReadableSpan): string {
  const status = attributes['http.response.status_code'];
  const resend = attributes['http.request.resend_count'];
  const result = attributes['online_ordering.result'];
  return [status && ` ${status}`, resend && ` (retry ${resend})`, result && ` ${result}`].filter(Boolean).join('');
}

function milliseconds([seconds, nanoseconds]: HrTime): number {
  return seconds * 1000 + nanoseconds / 1e6;
}
