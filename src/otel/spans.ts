import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { CallTrace, TraceContext } from '../http/events/observer.js';
import { BoundedMap } from '../platform/bounded-map.js';
import type { WebhookTrace } from '../platform/webhook-trace.js';
import type { WorkflowTrace } from '../platform/workflow-trace.js';
import { ATTRIBUTE, known } from './attributes.js';
import { onTrace, type Stop } from './channels.js';

/** One span a call, with its attempts as children, and spans for workflows and deliveries, linked by order. */
export function instrumentSpans(tracer: Tracer): Stop[] {
  const spans = new WeakMap<object, Span>();
  const links = new OrderLinks();

  const start = (
    message: object & { run?: unknown },
    begin: (parent: ReturnType<typeof activeContext>) => Span,
  ): Span => {
    const parent = activeContext();
    const span = begin(parent);
    spans.set(message, span);
    message.run = within(trace.setSpan(parent, span));
    return span;
  };
  const end = (message: object, describe: (span: Span) => void): void => {
    const span = spans.get(message);
    if (!span) return;
    describe(span);
    span.end();
    spans.delete(message);
  };

  return [
    onTrace<CallTrace>('call', {
      started(message) {
        start(message, (parent) =>
          tracer.startSpan(nameOf(message), { kind: SpanKind.INTERNAL, attributes: ofCall(message) }, parent),
        );
      },
      ended(message) {
        end(message, (span) => {
          span.setAttributes(
            known({
              [ATTRIBUTE.status]: message.status,
              [ATTRIBUTE.attempts]: message.attempts,
              [ATTRIBUTE.outcome]: message.outcome,
            }),
          );
          fail(span, message.errorType);
        });
      },
    }),
    onTrace<TraceContext>('request', {
      started(message) {
        const span = start(message, (parent) => {
          const attributes = {
            ...(message.call ? ofCall(message.call) : ofAttempt(message)),
            ...known({
              [ATTRIBUTE.resendCount]: message.attempt > 1 ? message.attempt - 1 : undefined,
              [ATTRIBUTE.waitMs]: message.waitMs > 0 ? message.waitMs : undefined,
            }),
          };
          return tracer.startSpan(nameOf(message), { kind: SpanKind.CLIENT, attributes }, parent);
        });
        const headers: Record<string, string> = {};
        propagation.inject(trace.setSpan(activeContext(), span), headers);
        message.headers = { ...message.headers, ...headers };
      },
      ended(message) {
        end(message, (span) => {
          span.setAttributes(known({ [ATTRIBUTE.status]: message.status, [ATTRIBUTE.requestId]: message.requestId }));
          fail(span, errorTypeOf(message));
        });
      },
    }),
    onTrace<WorkflowTrace>('workflow', {
      started(message) {
        const { name, orderId } = message;
        const span = start(message, (parent) =>
          tracer.startSpan(
            `online_ordering ${name}`,
            { attributes: known({ [ATTRIBUTE.orderId]: orderId }), links: links.of(orderId) },
            parent,
          ),
        );
        links.note(orderId, span.spanContext());
      },
      ended(message) {
        end(message, (span) => {
          span.setAttributes(known({ [ATTRIBUTE.result]: message.ending }));
          fail(span, message.errorType);
        });
      },
    }),
    onTrace<WebhookTrace>('webhook', {
      started(message) {
        start(message, (parent) => tracer.startSpan('online_ordering webhook', { kind: SpanKind.CONSUMER }, parent));
      },
      ended(message) {
        end(message, (span) => {
          const { eventType, orderId, outcome } = message;
          if (eventType) span.updateName(`online_ordering webhook ${eventType}`);
          for (const link of links.of(orderId)) span.addLink(link);
          links.note(orderId, span.spanContext());
          span.setAttributes(
            known({
              [ATTRIBUTE.eventType]: eventType,
              [ATTRIBUTE.orderId]: orderId,
              [ATTRIBUTE.delivery]: outcome,
            }),
          );
          fail(span, outcome === 'failed' ? 'handler' : undefined);
        });
      },
    }),
  ];
}

const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

const ofAttempt = ({ method, path }: { method: string; path: string }): Record<string, string | number> =>
  known({ [ATTRIBUTE.method]: method, [ATTRIBUTE.template]: path });

const ofCall = (call: CallTrace): Record<string, string | number> => ({
  ...ofAttempt(call),
  ...known({ [ATTRIBUTE.serverAddress]: call.serverAddress, [ATTRIBUTE.serverPort]: call.serverPort }),
});

/** The class of the failure: the kind where no response arrived, else the status. */
export function errorTypeOf({ failure, status }: Pick<TraceContext, 'failure' | 'status'>): string | undefined {
  return failure ?? (status !== undefined && status >= 400 ? String(status) : undefined);
}

function fail(span: Span, errorType: string | undefined): void {
  if (errorType === undefined) return;
  span.setAttribute(ATTRIBUTE.errorType, errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Keeps the parent of a span where no context manager is registered. */
const own = new AsyncLocalStorage<Context>();

function activeContext(): Context {
  const active = context.active();
  return active === ROOT_CONTEXT ? (own.getStore() ?? ROOT_CONTEXT) : active;
}

/** Runs work so that what it starts, here and in other instrumentations, has `parent` as its context. */
function within(parent: Context): <T>(work: () => T) => T {
  return (work) => own.run(parent, () => context.with(parent, work));
}

const MOST_ORDERS = 1000;

/** The last span that worked on an order, so that the next one can name it: settlements, waits and deliveries. */
class OrderLinks {
  readonly #spans = new BoundedMap<string, SpanContext>(MOST_ORDERS);

  /** Links to the last span of the order. */
  of(orderId: string | undefined): Link[] {
    const last = orderId === undefined ? undefined : this.#spans.get(orderId.toLowerCase());
    return last ? [{ context: last }] : [];
  }

  note(orderId: string | undefined, span: SpanContext): void {
    if (orderId !== undefined) this.#spans.set(orderId.toLowerCase(), span);
  }
}
