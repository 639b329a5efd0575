import { context, propagation } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { OnlineOrdering } from 'online-ordering-sdk';
import { createMockService } from 'online-ordering-sdk/mock';
import { type Instrumentation, instrument, METRICS } from 'online-ordering-sdk/otel';
import { createWebhookReceiver } from 'online-ordering-sdk/webhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const exporter = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const metricExporter = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 3_600_000 });
const meterProvider = new MeterProvider({ readers: [reader] });
let instrumentation: Instrumentation;

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});
afterAll(async () => {
  context.disable();
  propagation.disable();
  await meterProvider.shutdown();
});
beforeEach(() => {
  instrumentation = instrument({ tracerProvider, meterProvider });
});
afterEach(() => {
  instrumentation.disable();
  exporter.reset();
});

const setUp = (seed = 7) => {
  const service = createMockService({ seed });
  const client = new OnlineOrdering({
    ...service.credentials,
    dispatcher: service.dispatcher,
    clock: service.clock,
    logLevel: 'off',
  });
  return { service, client };
};

async function orderOf({ client, service }: ReturnType<typeof setUp>): Promise<string> {
  const cart = await client.carts.create({
    location_id: service.samples.locations.downtown,
    customer_id: 'CUST-12345',
  });
  await client.carts.items.add(cart.id, service.samples.cartItems.turkeySubCombo);
  await client.carts.setHandoff(cart.id, { mode: 'PICKUP' });
  const { order_id } = await client.carts.checkout(cart.id);
  return order_id;
}

const named = (name: string): ReadableSpan[] => exporter.getFinishedSpans().filter((span) => span.name === name);
const parentOf = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId;

async function metric(name: string): Promise<{ attributes: object }[]> {
  await reader.forceFlush();
  const found = metricExporter
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap(({ metrics }) => metrics)
    .filter(({ descriptor }) => descriptor.name === name);
  return found.flatMap(({ dataPoints }) => [...dataPoints] as { attributes: object }[]);
}

describe('spans', () => {
  test('a call is one span, with its attempts as children', async () => {
    const { service, client } = setUp();
    await client.auth.accessToken();
    exporter.reset();
    service.faults.next('GET /locations', { status: 503 });

    await service.clock.runUntil(client.locations.list().toArray({ limit: 1 }));

    const all = named('GET /locations');
    const [call] = all.filter(({ kind }) => kind === 0);
    const attempts = all.filter(({ kind }) => kind === 2);
    expect(call?.attributes).toMatchObject({
      'http.request.method': 'GET',
      'url.template': '/locations',
      'server.address': expect.any(String),
      'http.response.status_code': 200,
      'online_ordering.attempts': 2,
    });
    expect(attempts.map(parentOf)).toEqual([call?.spanContext().spanId, call?.spanContext().spanId]);
    expect(attempts.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([503, 200]);
    expect(attempts.map(({ attributes }) => attributes['http.request.resend_count'])).toEqual([undefined, 1]);
    expect(attempts[0]?.attributes['error.type']).toBe('503');
    expect(attempts[0]?.status.code).toBe(2);
  });

  test('an attempt carries the context of its span to the service', async () => {
    const { service, client } = setUp();
    const seen: (string | undefined)[] = [];
    const fetch: typeof globalThis.fetch = (input, init) => {
      seen.push(new Headers(init?.headers).get('traceparent') ?? undefined);
      return service.fetch(input, init);
    };
    const over = new OnlineOrdering({ ...service.credentials, fetch, clock: service.clock });

    await over.locations.list().toArray({ limit: 1 });

    const attempts = exporter.getFinishedSpans().filter(({ kind }) => kind === 2);
    expect(seen).toEqual(attempts.map((span) => `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`));
    await client.close();
  });

  test('a failed call names the class of its error and what became of the write', async () => {
    const { service, client } = setUp();
    const cart = await client.carts.create({ location_id: service.samples.locations.downtown });

    await client.carts.checkout(cart.id).catch(() => {});

    const [call] = named('POST /carts/{cart_id}/checkout').filter(({ kind }) => kind === 0);
    expect(call?.attributes).toMatchObject({
      'error.type': 'UnprocessableEntityError',
      'online_ordering.outcome': 'refused',
    });
  });

  test('a settlement is the parent of its payments, and a wait for the same order is linked to it', async () => {
    const world = setUp();
    const orderId = await orderOf(world);
    exporter.reset();

    await world.service.clock.runUntil(
      world.client.orders.settle(orderId, {
        tenders: [{ payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' }],
      }),
    );
    await world.service.clock.runUntil(world.client.orders.waitFor(orderId, 'paid'));

    const [settlement] = named('online_ordering settle');
    const [wait] = named('online_ordering wait_for');
    const [payment] = named('POST /orders/{order_id}/payments').filter(({ kind }) => kind === 0);
    expect(settlement?.attributes).toMatchObject({
      'online_ordering.order.id': orderId,
      'online_ordering.result': 'PAID',
    });
    expect(payment?.spanContext().traceId).toBe(settlement?.spanContext().traceId);
    expect(wait?.links.map(({ context: { spanId } }) => spanId)).toEqual([settlement?.spanContext().spanId]);
  });

  test('a delivery is a span that is linked to the order it tells of, and the parent of what its handler does', async () => {
    const world = setUp();
    const receiver = createWebhookReceiver({ secrets: 'whsec_of_the_test', clock: world.service.clock });
    receiver.on('order.created', async ({ data }) => {
      await world.client.orders.retrieve(data.order_id);
    });
    const orderId = await orderOf(world);
    await world.client.orders.waitFor(orderId, () => true);
    exporter.reset();

    await world.service.webhooks.deliverTo(receiver.fetch, { signWith: 'whsec_of_the_test' });

    const [delivery] = named('online_ordering webhook order.created');
    const [read] = named('GET /orders/{order_id}').filter(({ kind }) => kind === 0);
    expect(delivery?.attributes).toMatchObject({
      'online_ordering.delivery': 'handled',
      'online_ordering.order.id': orderId,
    });
    expect(delivery?.links).toHaveLength(1);
    expect(read?.spanContext().traceId).toBe(delivery?.spanContext().traceId);
  });

  test('no attribute holds a secret, a token, an address or a customer id', async () => {
    const world = setUp();
    const orderId = await orderOf(world);
    await world.service.clock.runUntil(
      world.client.orders.settle(orderId, {
        tenders: [{ payment_method: 'CREDIT_CARD', payment_token: 'tok_declined', amount: 'remaining' }],
      }),
    );
    await world.client.orders.list({ customer_id: 'CUST-12345' }).toArray({ limit: 1 });

    const told = JSON.stringify(
      exporter.getFinishedSpans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
    );
    const { clientSecret } = world.service.credentials;
    const token = await world.client.auth.accessToken();
    for (const secret of [clientSecret, token, 'CUST-12345', 'tok_declined']) expect(told).not.toContain(secret);
  });

  test('after disable nothing is recorded', async () => {
    const { client } = setUp();
    instrumentation.disable();

    await client.locations.list().toArray({ limit: 1 });

    expect(exporter.getFinishedSpans()).toEqual([]);
  });
});

describe('metrics', () => {
  test('durations, retries, cool-downs and tokens are counted by operation', async () => {
    const { service, client } = setUp();
    service.faults.next('GET /locations', { status: 429, retryAfterSeconds: 2 });

    await service.clock.runUntil(client.locations.list().toArray({ limit: 1 }));

    const operation = { 'http.request.method': 'GET', 'url.template': '/locations' };
    expect(await metric(METRICS.requestDuration.name)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          attributes: expect.objectContaining({ ...operation, 'http.response.status_code': 200 }),
        }),
        expect.objectContaining({
          attributes: expect.objectContaining({ ...operation, 'http.response.status_code': 429 }),
        }),
      ]),
    );
    for (const { name } of [METRICS.retries, METRICS.cooldownWait]) {
      expect(await metric(name)).toEqual(
        expect.arrayContaining([expect.objectContaining({ attributes: expect.objectContaining(operation) })]),
      );
    }
    const states = (await metric(METRICS.tokens.name)).map(({ attributes }) => attributes);
    expect(states).toEqual(expect.arrayContaining([{ 'online_ordering.state': 'obtained' }]));
  });
});
