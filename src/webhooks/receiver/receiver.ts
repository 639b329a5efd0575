import type { WebhookEventType } from '../../contract/index.js';
import { ConfigurationError } from '../../errors/configuration.js';
import { WebhookVerificationError } from '../../errors/webhook.js';
import { notify } from '../../platform/emitter.js';
import { traceDelivery, type WebhookTrace } from '../../platform/webhook-trace.js';
import { within } from '../../platform/within.js';
import type { Store } from '../../stores/store.js';
import { type FastifyLike, type FastifyRouteOptions, fastifyPlugin } from '../adapters/fastify.js';
import { type BackgroundWork, receiveFetch } from '../adapters/fetch.js';
import { type NodeHandler, nodeHandler } from '../adapters/node.js';
import { findSecret, findSecretAsync, noMatch, type OpenDelivery, openDelivery } from '../delivery/construct-event.js';
import type { Delivery } from '../delivery/delivery.js';
import { type DeliveryResult, deliveryResult } from '../delivery/delivery-result.js';
import { changesOf } from '../event/event-changes.js';
import { type EventOf, parseEvent, type ReceivedEvent, type UnknownEvent } from '../event/events.js';
import type { Inbox, InboxAttempt, InboxEntry } from '../inbox/inbox.js';
import { bodyTooLarge } from '../signature/raw-body.js';
import { nodeModules } from '../signature/runtime-crypto.js';
import type { SigningSecret } from '../signature/signing-secrets.js';
import type { EventLease } from '../state/event-lease.js';
import { EventEngine, type EventOrigin, type EventOutcome } from './event-engine.js';
import { type Handler, Handlers } from './handlers.js';
import {
  type ResolvedReceiverOptions,
  resolveReceiverOptions,
  type WebhookReceiverOptions,
} from './receiver-options.js';
import type { SecretSource } from './secret-source.js';

/** Where a failure happened. */
export interface ReceiverErrorContext {
  /**
   * `verification` of a delivery, a `handler` (or the store) while handling, the `inbox` while writing an event or
   * fetching one, or the `reconciler` while reading.
   */
  readonly stage: 'verification' | 'handler' | 'inbox' | 'reconciler';
  /** Of a verified event. */
  readonly eventId?: string;
  /** Of a verified event. */
  readonly eventType?: string;
  /** What the reconciler was reading: `orders`, `menu of <location id>`, … */
  readonly resource?: string;
}

/** Gets a failure; what it throws is ignored. */
export type ErrorListener = (error: unknown, context: ReceiverErrorContext) => unknown;

/** Where the reconciler finds its part of a receiver, also of one that another copy of the package made. */
const ACCESS = Symbol.for('online-ordering-sdk.webhooks.receiver');

/** The part of a receiver that the reconciler works with. */
export interface ReceiverAccess {
  readonly engine: EventEngine;
  /** As it was given to the receiver. */
  readonly store: Store | undefined;
  /** Writes an event into the inbox, where there is one. */
  readonly write: ((entry: InboxEntry) => Promise<unknown>) | undefined;
}

/**
 * Receives webhook deliveries: verifies them, drops duplicates, and runs your handlers once for each event.
 *
 * Made by {@link createWebhookReceiver}.
 */
export class WebhookReceiver<Tx = undefined> {
  readonly #options: ResolvedReceiverOptions<unknown>;
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
   * On Workers pass the execution context too, when the response is sent before the handlers run.
   */
  readonly fetch: (request: Request, background?: BackgroundWork) => Promise<Response>;

  constructor(options: WebhookReceiverOptions<Tx>) {
    // Only handlers need to know what their transaction is.
    this.#options = resolveReceiverOptions(options) as ResolvedReceiverOptions<unknown>;
    this.#engine = new EventEngine({ ...this.#options, handlers: this.#handlers });
    const access: ReceiverAccess = {
      engine: this.#engine,
      store: this.#options.givenStore,
      write: this.#options.inbox && ((entry) => this.#write(entry)),
    };
    Object.defineProperty(this, ACCESS, { value: access });
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
   * Handlers run one after the other. When one fails, the response is 500, and the next delivery of the event runs all of them
   * again: let each be safe to repeat.
   */
  on<Type extends WebhookEventType>(type: Type, handler: Handler<EventOf<Type>, Tx>): () => void {
    return this.#handlers.add(type, handler);
  }

  /** Adds a handler for every event, those of unknown types included. */
  onAny(handler: Handler<ReceivedEvent, Tx>): () => void {
    return this.#handlers.add('any', handler);
  }

  /** Adds a handler for events of types that this package does not know. */
  onUnknown(handler: Handler<UnknownEvent, Tx>): () => void {
    return this.#handlers.add('unknown', handler);
  }

  /** Adds a listener for failures: refused deliveries, handlers that threw, a store that did not respond. */
  onError(listener: ErrorListener): () => void {
    this.#errorListeners.add(listener);
    return () => void this.#errorListeners.delete(listener);
  }

  /**
   * Receives a delivery from any server: pass the raw body and the headers, and respond with the result's `status`,
   * `headers` and `body`. Never throws.
   */
  handle(delivery: Delivery): Promise<DeliveryResult> {
    return traceDelivery(
      (trace) => this.#receive(delivery, trace),
      ({ outcome }) => outcome,
    );
  }

  async #receive(delivery: Delivery, trace: WebhookTrace): Promise<DeliveryResult> {
    let event: ReceivedEvent | undefined;
    try {
      event = await this.#verify(delivery);
    } catch (error) {
      return this.#refuse(error);
    }
    if (!event) return deliveryResult('retired_secret');
    describeEvent(trace, event, this.#options.clock.now());
    const eventId = event.event_id;
    if (this.#options.inbox) return this.#keep(event);
    try {
      const lease = await this.#engine.take(eventId);
      if (lease === 'done') return deliveryResult('duplicate', { eventId });
      if (lease === 'busy') return deliveryResult('busy', { eventId });
      if (this.#options.respond === 'after_handlers') return await this.#finish(event, lease);
      this.#inBackground(event, this.#finish(event, lease));
      return deliveryResult('accepted', { eventId });
    } catch (error) {
      return this.#fail(error, event);
    }
  }

  /**
   * Starts to handle the events of the inbox in this process. Call it in the processes that have the handlers; they may
   * be others than those that receive.
   *
   * @throws {ConfigurationError} The receiver has no inbox.
   */
  async startWorkers(): Promise<void> {
    const { inbox } = this.#options;
    if (!inbox)
      throw new ConfigurationError('startWorkers() needs the option inbox: createWebhookReceiver({ inbox }).');
    await inbox.start({
      handle: (entry, attempt) => this.#work(entry, attempt),
      onError: (error) => this.reportError(error, { stage: 'inbox' }),
    });
  }

  /** Takes no further events from the inbox, and resolves when those under way are handled. */
  async stopWorkers(): Promise<void> {
    await this.#options.inbox?.stop();
  }

  /** Resolves once nothing is being handled after its response any more (`respond: 'before_handlers'`). */
  async idle(): Promise<void> {
    while (this.#background.size > 0) await Promise.all(this.#background);
  }

  /** Passes a failure to the listeners, or to the logger while there are none; the reconciler's come here too. */
  reportError(error: unknown, context: ReceiverErrorContext): void {
    const listeners = this.#errorListeners.size > 0 ? [...this.#errorListeners] : [this.#logError];
    for (const listener of listeners) notify(listener, error, context);
  }

  readonly #logError: ErrorListener = (error, { stage, eventType, eventId }) => {
    const about = eventType ? ` of ${eventType} (${eventId})` : '';
    this.#options.logger.error(`Webhook ${stage}${about} failed (receiver.onError).`, error);
  };

  async #finish(event: ReceivedEvent, lease: EventLease): Promise<DeliveryResult> {
    try {
      return deliveryResult(await this.#engine.finish(event, lease), { eventId: event.event_id });
    } catch (error) {
      return this.#fail(error, event);
    }
  }

  /** The event, or `undefined` when it was signed with a retired secret. */
  async #verify({ body, headers, refusal }: Delivery): Promise<ReceivedEvent | undefined> {
    const { scheme, content, clock, maxBodyBytes, secrets, retiredSecrets } = this.#options;
    if (refusal) throw refusal;
    const delivery = openDelivery(body, headers, { scheme, clock });
    if (sizeOf(delivery.body) > maxBodyBytes) throw bodyTooLarge(maxBodyBytes);
    if (await isSignedBy(delivery, secrets)) return parseEvent(delivery.body, content);
    if (await isSignedBy(delivery, retiredSecrets)) return undefined;
    throw noMatch(scheme);
  }

  /** Acknowledges an event once the inbox has it. */
  async #keep(event: ReceivedEvent): Promise<DeliveryResult> {
    const eventId = event.event_id;
    try {
      const subject = event.known ? changesOf(event).subject : `event:${eventId}`;
      const written = await this.#write({ id: eventId, subject, source: 'webhook', event });
      return deliveryResult(written === 'duplicate' ? 'duplicate' : 'accepted', { eventId });
    } catch (error) {
      this.reportError(error, { stage: 'inbox', eventId, eventType: event.event_type });
      return deliveryResult('failed', { eventId });
    }
  }

  #write(entry: InboxEntry): Promise<'written' | 'duplicate'> {
    const { inbox, clock, storeTimeoutMs } = this.#options;
    return within(clock, storeTimeoutMs, 'the inbox', () => inbox!.write(entry));
  }

  /** Handles an entry of the inbox; rejects when it has to be tried again. */
  async #work(
    { event, source }: InboxEntry,
    { signal, ...attempt }: InboxAttempt<unknown>,
  ): Promise<'handled' | 'busy'> {
    const origin = { source, ...attempt };
    try {
      if (attempt.commit) return handledOrBusy(await this.#handleInTransaction(event, signal, origin));
      const lease = await this.#engine.take(event.event_id);
      if (lease === 'done' || lease === 'busy') return handledOrBusy(lease);
      return handledOrBusy(await this.#engine.finish(event, lease, origin));
    } catch (error) {
      this.reportError(error, { stage: 'handler', eventId: event.event_id, eventType: event.event_type });
      throw error;
    }
  }

  /** The transaction is the lease; it ends when the handlers take too long. */
  async #handleInTransaction(event: ReceivedEvent, signal: AbortSignal, origin: EventOrigin): Promise<EventOutcome> {
    const { clock, longestHandlerMs } = this.#options;
    const ending = new AbortController();
    const both = AbortSignal.any([signal, ending.signal]);
    try {
      return await within(clock, longestHandlerMs, 'the handlers', () => this.#engine.handle(event, both, origin));
    } catch (error) {
      ending.abort(error);
      throw error;
    }
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
      // The service delivers it no more.
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
export function createWebhookReceiver<Tx>(
  options: WebhookReceiverOptions<Tx> & { inbox: Inbox<Tx> },
): WebhookReceiver<Tx>;
export function createWebhookReceiver(options: WebhookReceiverOptions): WebhookReceiver;
export function createWebhookReceiver<Tx>(options: WebhookReceiverOptions<Tx>): WebhookReceiver<Tx> {
  return new WebhookReceiver(options);
}

/** The part of a receiver that the reconciler works with. */
export function accessOf(receiver: object): ReceiverAccess {
  return (receiver as Record<symbol, ReceiverAccess>)[ACCESS]!;
}

async function isSignedBy(delivery: OpenDelivery, source: SecretSource): Promise<boolean> {
  const { known } = source;
  const isKnown = await hasSigned(delivery, known);
  // Those known may have been replaced, or withdrawn.
  const current = await (isKnown ? source.current() : source.forUnknown());
  return current === known ? isKnown : hasSigned(delivery, current);
}

async function hasSigned(delivery: OpenDelivery, secrets: readonly SigningSecret[]): Promise<boolean> {
  if (secrets.length === 0) return false;
  const find = nodeModules() ? findSecret : findSecretAsync;
  return (await find(delivery, secrets)) !== undefined;
}

function handledOrBusy(outcome: EventOutcome | 'done'): 'handled' | 'busy' {
  return outcome === 'busy' ? 'busy' : 'handled';
}

/** Characters never outnumber bytes; a text near the limit is not worth an exact count. */
function sizeOf(body: string | Uint8Array): number {
  return typeof body === 'string' ? body.length : body.byteLength;
}

/** What the trace of a verified event contains. */
function describeEvent(trace: WebhookTrace, { event_type, created_at, data }: ReceivedEvent, nowMs: number): void {
  trace.eventType = event_type;
  const { order_id: orderId } = (data ?? {}) as { order_id?: unknown };
  if (typeof orderId === 'string') trace.orderId = orderId;
  const ageMs = nowMs - Date.parse(created_at ?? '');
  if (Number.isFinite(ageMs)) trace.ageMs = ageMs;
}
