import type { WebhookEventType } from '../../contract/index.js';
import { WebhookVerificationError } from '../../errors/webhook.js';
import { type FastifyLike, type FastifyRouteOptions, fastifyPlugin } from '../adapters/fastify.js';
import { type BackgroundWork, receiveFetch } from '../adapters/fetch.js';
import { type NodeHandler, nodeHandler } from '../adapters/node.js';
import { type EventOf, parseEvent, type ReceivedEvent, type UnknownEvent } from '../event/events.js';
import { findSecret, findSecretAsync, noMatch, openDelivery } from '../signature/construct-event.js';
import { bodyTooLarge } from '../signature/raw-body.js';
import { nodeModules } from '../signature/runtime-crypto.js';
import type { Lease } from '../state/lease.js';
import type { Delivery } from './delivery.js';
import { type DeliveryResult, deliveryResult } from './delivery-result.js';
import { EventEngine } from './event-engine.js';
import { type Handler, Handlers } from './handlers.js';
import {
  type ResolvedReceiverOptions,
  resolveReceiverOptions,
  type WebhookReceiverOptions,
} from './receiver-options.js';

/** Where a failure happened. */
export interface ReceiverErrorContext {
  /** `verification` of a delivery, a `handler` (or the store) while handling, or the `reconciler` while reading. */
  readonly stage: 'verification' | 'handler' | 'reconciler';
  /** Of a verified event. */
  readonly eventId?: string;
  /** Of a verified event. */
  readonly eventType?: string;
  /** What the reconciler was reading: `orders`, `menu of <location id>`, … */
  readonly resource?: string;
}

/** Told of a failure; what it throws is ignored. */
export type ErrorListener = (error: unknown, context: ReceiverErrorContext) => unknown;

/** Where the reconciler finds the engine, also in a receiver that another copy of the package made. */
const ENGINE = Symbol.for('online-ordering-sdk.webhooks.engine');

/**
 * Receives webhook deliveries: verifies them, drops duplicates, and runs your handlers once for each event.
 *
 * Made by {@link createWebhookReceiver}.
 */
export class WebhookReceiver {
  readonly #options: ResolvedReceiverOptions;
  readonly #handlers = new Handlers();
  readonly #errorListeners = new Set<ErrorListener>();
  readonly #background = new Set<Promise<unknown>>();
  readonly #engine: EventEngine;

  /** Handler for `node:http` (and Connect): reads the raw body by itself, up to `maxBodyBytes`. */
  readonly nodeHandler: NodeHandler;
  /** Handler for a route of Express 5 or 4. Mount it before `app.use(express.json())`, or use `express.raw` on it. */
  readonly express: NodeHandler;
  /** Plugin for Fastify 5: `app.register(receiver.fastify, { url: '/webhooks' })`. Other routes keep their parsers. */
  readonly fastify: (app: FastifyLike, options: FastifyRouteOptions, done: (error?: Error) => void) => void;
  /**
   * Handler in fetch style, for Hono, Next, Workers, Bun and Deno: `app.post('/webhooks', (c) => receiver.fetch(c.req.raw))`.
   * On Workers pass the execution context too, when answering before the handlers.
   */
  readonly fetch: (request: Request, background?: BackgroundWork) => Promise<Response>;

  constructor(options: WebhookReceiverOptions) {
    this.#options = resolveReceiverOptions(options);
    this.#engine = new EventEngine({ ...this.#options, handlers: this.#handlers });
    Object.defineProperty(this, ENGINE, { value: this.#engine });
    const { maxBodyBytes } = this.#options;
    const receive = (delivery: Delivery) => this.handle(delivery);
    this.nodeHandler = nodeHandler(receive, maxBodyBytes);
    this.express = this.nodeHandler;
    this.fastify = fastifyPlugin(receive, maxBodyBytes);
    this.fetch = async (request, background) => {
      const response = await receiveFetch(receive, maxBodyBytes, request);
      background?.waitUntil(this.idle());
      return response;
    };
  }

  /**
   * Adds a handler for one type of event, and returns a function that removes it.
   *
   * Handlers run one after the other. When one fails, the delivery is answered 500, and its repetition runs all of them
   * again: let each be safe to repeat.
   */
  on<Type extends WebhookEventType>(type: Type, handler: Handler<EventOf<Type>>): () => void {
    return this.#handlers.add(type, handler);
  }

  /** Adds a handler for every event, those of unknown types included. */
  onAny(handler: Handler<ReceivedEvent>): () => void {
    return this.#handlers.add('any', handler);
  }

  /** Adds a handler for events of types that this package does not know. */
  onUnknown(handler: Handler<UnknownEvent>): () => void {
    return this.#handlers.add('unknown', handler);
  }

  /** Adds a listener for failures: refused deliveries, handlers that threw, a store that did not answer. */
  onError(listener: ErrorListener): () => void {
    this.#errorListeners.add(listener);
    return () => void this.#errorListeners.delete(listener);
  }

  /**
   * Receives a delivery from any server: pass the raw body and the headers, and answer with the result's `status`,
   * `headers` and `body`. Never throws.
   */
  async handle(delivery: Delivery): Promise<DeliveryResult> {
    let event: ReceivedEvent | undefined;
    try {
      event = await this.#verify(delivery);
    } catch (error) {
      return this.#refuse(error);
    }
    if (!event) return deliveryResult('retired_secret');
    try {
      const lease = await this.#engine.take(event.event_id);
      if (lease === 'done') return deliveryResult('duplicate', { eventId: event.event_id });
      if (lease === 'busy') return deliveryResult('busy', { eventId: event.event_id });
      if (this.#options.respond === 'after_handlers') return await this.#finish(event, lease);
      this.#inBackground(event, this.#finish(event, lease));
      return deliveryResult('accepted', { eventId: event.event_id });
    } catch (error) {
      return this.#fail(error, event);
    }
  }

  /** Resolves once nothing is being handled after its answer any more (`respond: 'before_handlers'`). */
  async idle(): Promise<void> {
    while (this.#background.size > 0) await Promise.all(this.#background);
  }

  /** Tells the listeners of a failure, or the logger while there are none; the reconciler's come here too. */
  reportError(error: unknown, context: ReceiverErrorContext): void {
    const listeners = this.#errorListeners.size > 0 ? [...this.#errorListeners] : [this.#logError];
    for (const listener of listeners) {
      try {
        const result = listener(error, context);
        if (result instanceof Promise) result.catch(() => {});
      } catch {
        // An observer must never change what it observes.
      }
    }
  }

  readonly #logError: ErrorListener = (error, { stage, eventType, eventId }) => {
    const about = eventType ? ` of ${eventType} (${eventId})` : '';
    this.#options.logger.error(`Webhook ${stage}${about} failed (receiver.onError).`, error);
  };

  async #finish(event: ReceivedEvent, lease: Lease): Promise<DeliveryResult> {
    try {
      return deliveryResult(await this.#engine.finish(event, lease), { eventId: event.event_id });
    } catch (error) {
      return this.#fail(error, event);
    }
  }

  /** The event, or `undefined` when it was signed with a retired secret. */
  async #verify({ body, headers, refusal }: Delivery): Promise<ReceivedEvent | undefined> {
    const { scheme, clock, maxBodyBytes, secrets, retiredSecrets } = this.#options;
    if (refusal) throw refusal;
    const delivery = openDelivery(body, headers, { scheme, clock });
    if (sizeOf(delivery.body) > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
    const find = nodeModules() ? findSecret : findSecretAsync;
    if ((await find(delivery, await secrets())) !== undefined) return parseEvent(delivery.body);
    if ((await find(delivery, await retiredSecrets())) !== undefined) return undefined;
    throw noMatch(scheme);
  }

  #refuse(error: unknown): DeliveryResult {
    this.reportError(error, { stage: 'verification' });
    if (!(error instanceof WebhookVerificationError)) return deliveryResult('failed');
    const { reason } = error;
    return deliveryResult('refused', { reason, message: reason === 'body_parsed' ? error.message : undefined });
  }

  #fail(error: unknown, event: ReceivedEvent): DeliveryResult {
    this.reportError(error, { stage: 'handler', eventId: event.event_id, eventType: event.event_type });
    return deliveryResult('failed', { eventId: event.event_id });
  }

  #inBackground(event: ReceivedEvent, work: Promise<DeliveryResult>): void {
    const settled = work.then(({ outcome }) => {
      this.#background.delete(settled);
      // Nobody will deliver it again.
      if (outcome === 'busy')
        this.#fail(new Error('Another event of the same order or location took too long.'), event);
    });
    this.#background.add(settled);
  }
}

/**
 * Makes a receiver for webhook deliveries.
 *
 * @throws {ConfigurationError} A secret is empty, or an option cannot work.
 * @see Interface document, "Events"
 * @example
 * const receiver = createWebhookReceiver({ secrets: process.env.WEBHOOK_SECRET!, store });
 * receiver.on('order.status_changed', async ({ data }) => update(data.order_id, data.current_status));
 * app.post('/webhooks', receiver.express);
 */
export function createWebhookReceiver(options: WebhookReceiverOptions): WebhookReceiver {
  return new WebhookReceiver(options);
}

/** The part of a receiver that the reconciler works with. */
export function engineOf(receiver: WebhookReceiver): EventEngine {
  return (receiver as unknown as Record<symbol, EventEngine>)[ENGINE]!;
}

/** Characters never outnumber bytes; a text near the limit is not worth an exact count. */
function sizeOf(body: string | Uint8Array): number {
  return typeof body === 'string' ? body.length : body.byteLength;
}
