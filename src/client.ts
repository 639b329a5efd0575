import { Connection } from './connection.js';
import { ConfigurationError } from './errors/local.js';
import type { WriteOptions } from './http/call-options.js';
import type { CallPromise } from './http/call-promise.js';
import type { DriftSummary } from './http/drift/drift-log.js';
import type { ClientEvents } from './http/events/events.js';
import {
  type AdjustableOptions,
  type OnlineOrderingOptions,
  oddOptions,
  type ResolvedConnection,
  type ResolvedSettings,
  refuseFixedOptions,
  resolveConnection,
  resolveSettings,
} from './options.js';
import { Auth } from './resources/auth.js';
import type { Caller } from './resources/caller.js';
import { Carts } from './resources/carts/carts.js';
import { Locations } from './resources/locations.js';
import { Menus } from './resources/menus.js';
import { Orders } from './resources/orders/orders.js';
import { type RawRequest, rawRequest } from './resources/raw-request.js';
import { WebhookSubscriptions } from './resources/webhook-subscriptions.js';

declare global {
  // For programs whose `lib` lacks `esnext.disposable`; with it, this declares the same once more.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** What a view takes over from the client it was made of. */
interface Inherited {
  readonly connection: Connection;
  readonly options: ResolvedConnection;
  readonly settings: ResolvedSettings;
}

/**
 * The client of the online ordering service.
 *
 * It signs in, keeps the token, gives every write its idempotency key, sends again what may be sent again, honours rate
 * limits, and turns every failure into a typed error. One client serves a whole process.
 *
 * @example
 * const client = new OnlineOrdering({ baseUrl, clientId, clientSecret });
 * const cart = await client.carts.create({ location_id: locationId });
 */
export class OnlineOrdering {
  /** The access token, for those who need it themselves. */
  readonly auth: Auth;
  /** Stores of the partner, and what they have. */
  readonly locations: Locations;
  /** Menus of the locations. */
  readonly menus: Menus;
  /** Carts: filled, priced, and checked out into orders. */
  readonly carts: Carts;
  /** Orders: read, listed, paid, followed, cancelled and refunded. */
  readonly orders: Orders;
  /** Addresses that receive events. */
  readonly webhookSubscriptions: WebhookSubscriptions;
  readonly #inherited: Inherited;
  readonly #caller: Caller;
  readonly #isRoot: boolean;

  /**
   * @param options - `baseUrl`, `clientId` and `clientSecret` fall back to ONLINE_ORDERING_BASE_URL, _CLIENT_ID and
   *   _CLIENT_SECRET. Nothing is sent before the first call.
   * @throws {ConfigurationError} An option is missing or cannot work, or this is a browser.
   */
  constructor(options?: OnlineOrderingOptions);
  constructor(options: OnlineOrderingOptions = {}, inherited?: Inherited) {
    refuseBrowser();
    this.#isRoot = inherited === undefined;
    this.#inherited = inherited ?? connect(options);
    const { connection, settings, options: resolved } = this.#inherited;
    const caller = connection.callerFor(settings);
    this.#caller = caller;
    this.auth = new Auth(connection.tokens, connection.defaultsOf(settings), resolved.requestIdHeader);
    this.locations = new Locations(caller);
    this.menus = new Menus(caller);
    this.carts = new Carts(caller);
    const { payments, baseUrl, clientId, random } = resolved;
    const { journal, digestKeys } = connection;
    this.orders = new Orders(caller, { payments, journal, digestKeys, random, origin: { baseUrl, clientId } });
    this.webhookSubscriptions = new WebhookSubscriptions(caller);
  }

  /**
   * A client with other time-outs, retries, headers, logger or validation, over the same token, sockets and cool-downs.
   *
   * @throws {ConfigurationError} An option would change whom the client talks to; make another client for that.
   */
  withOptions(options: AdjustableOptions): OnlineOrdering {
    refuseFixedOptions(options);
    const settings = resolveSettings(options, this.#inherited.settings);
    return viewOf({ ...this.#inherited, settings });
  }

  /**
   * Sends a request to an endpoint that is newer than this package, over the whole way of the client.
   *
   * @throws {RequestValidationError} The path, a parameter or the body cannot be sent; nothing was sent.
   * @throws {APIError} The service refused it, or failed: the class that its status has everywhere.
   * @see Interface document, "Endpoints" and "Errors"
   * @example
   * await client.request({ method: 'POST', path: '/orders/{order_id}/notes', pathParams: { order_id }, body: { text } });
   */
  request<T = unknown>(request: RawRequest, options?: WriteOptions): CallPromise<T> {
    return rawRequest<T>(this.#caller, request, options);
  }

  /**
   * Listens to what the client does: attempts, retries, cool-downs, tokens, drifts. A listener that throws disturbs
   * nothing.
   *
   * @returns A function that removes the listener.
   */
  on<Name extends keyof ClientEvents>(name: Name, listener: (facts: ClientEvents[Name]) => void): () => void {
    return this.#inherited.connection.events.on(name, listener);
  }

  /**
   * How responses have differed from the contract so far, for a health page: each kind of difference at each place of an
   * operation with how often and when it was seen. Paths of fields only, never a value; at most 501 entries. A client and
   * its views (`withOptions`) have one summary. `client.on('drift')` tells each entry once, when it is new.
   */
  drift(): DriftSummary[] {
    return this.#inherited.connection.drifts.summary();
  }

  /**
   * Ends every cool-down at once, for all clients that share the store: for an operator who knows that a refusal is over,
   * or that its `Retry-After` was wrong (a proxy may ask for a day). Calls that wait go on.
   */
  endCooldowns(): void {
    this.#inherited.connection.endCooldowns();
  }

  /**
   * Closes the client: calls under way end within their time-outs; calls that wait for an attempt, and waits of `settle`,
   * `waitFor`, `checkoutWithPrice` and their handlers, end at once; later calls are refused (`ClientClosedError`); then the
   * sockets are released. The same over `fetch` and a dispatcher of your own,
   * which stay open themselves. Does nothing on a client made by `withOptions`.
   */
  async close(): Promise<void> {
    if (this.#isRoot) await this.#inherited.connection.close();
  }

  /** `await using client = …` closes the client at the end of its block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Outside the class: a class that names itself inside gets another name in the build. */
function viewOf(inherited: Inherited): OnlineOrdering {
  const View = OnlineOrdering as new (options: OnlineOrderingOptions, inherited: Inherited) => OnlineOrdering;
  return new View({}, inherited);
}

function connect(options: OnlineOrderingOptions): Inherited {
  const resolved = resolveConnection(options);
  const settings = resolveSettings(options);
  for (const problem of oddOptions(options, resolved)) {
    if (settings.validation === 'strict') throw new ConfigurationError(problem);
    if (settings.logLevel !== 'off' && settings.logLevel !== 'error') {
      settings.logger.warn(`online-ordering-sdk: ${problem}`);
    }
  }
  return { connection: new Connection(resolved, settings), options: resolved, settings };
}

function refuseBrowser(): void {
  const { window, document } = globalThis as { window?: unknown; document?: unknown };
  if (typeof window !== 'object' || typeof document !== 'object' || document === null) return;
  throw new ConfigurationError(
    'This is a browser, and the client secret is for servers only: anyone who opens the page could read it. ' +
      'Call the service from your backend. (In tests, use the "node" environment instead of "jsdom".)',
  );
}
