import { takeLease } from '../../concurrency/lease.js';
import { ConfigurationError } from '../../errors/configuration.js';
import { isClientClosed } from '../../platform/client-closed.js';
import type { Clock } from '../../platform/clock.js';
import { type Random, systemRandom } from '../../platform/random.js';
import { uniqueName } from '../../platform/unique-name.js';
import { unlessAborted } from '../../platform/unless-aborted.js';
import type { Store } from '../../stores/store.js';
import { milliseconds } from '../event/service-time.js';
import { accessOf, type ReceiverAccess, type WebhookReceiver } from '../receiver/receiver.js';
import { LocationsReading } from './reconcile-locations.js';
import { type OrdersScope, reconcileOrders, type SettledOrders } from './reconcile-orders.js';
import { type ReconcileReport, ReconcileRun } from './reconcile-run.js';
import type { ReconcilerClient } from './reconciler-client.js';

const RESOURCES = ['orders', 'menus', 'stock', 'hours'] as const;

/** What a reconciler reads. */
export type ReconciledResource = (typeof RESOURCES)[number];

/** Options of a reconciler. */
export interface ReconcilerOptions {
  /** Milliseconds between two runs, spread by a tenth in both directions. @defaultValue 300,000 (the document's 5 minutes) */
  everyMs?: number | undefined;
  /** Locations to look after, or a function that gives them. Left out: all that the client's account can see. */
  locations?: (readonly string[] | (() => readonly string[] | Promise<readonly string[]>)) | undefined;
  /** What is read. Leave out `menus` where `watchMenus` reads them already. @defaultValue all of it */
  resources?: readonly ReconciledResource[] | undefined;
  /**
   * Milliseconds between two readings of the menu and the stock of a location outside its business hours.
   *
   * @defaultValue 1,800,000 (30 minutes)
   */
  closedEveryMs?: number | undefined;
  /** Orders created since then count as missed at the very first run. @defaultValue none: that run notes what is there */
  since?: Date | string | undefined;
  /** How far back from the newest order all orders are listed, in milliseconds. @defaultValue 86,400,000 (a day) */
  orderWindowMs?: number | undefined;
  /** How far back orders are listed that are still `PENDING` or `CONFIRMED`, in milliseconds. @defaultValue 604,800,000 (7 days) */
  openOrderMs?: number | undefined;
  /** How far back returns and open orders are looked for, once a day, in milliseconds. @defaultValue 31,536,000,000 (a year) */
  pastOrderMs?: number | undefined;
  /** What was seen last. @defaultValue the receiver's store; a different one is refused, because both must share it */
  store?: Store | undefined;
  /** @defaultValue the receiver's clock */
  clock?: Clock | undefined;
  /** Where the spread of waits comes from; a test gives a fixed one. @defaultValue `Math.random` */
  random?: Random | undefined;
  /** Stops the reconciler. */
  signal?: AbortSignal | undefined;
}

/** The first run of `start` comes within this time, so that processes started together do not all read at once. */
const FIRST_RUN_WITHIN_MS = 10_000;
const LONGEST_RUN_MS = 3_600_000;
/** Up to so many chosen locations have their orders listed one by one; for more, the list of all orders costs less. */
const MOST_LOCATION_LISTS = 10;

const NUMBERS = {
  everyMs: 300_000,
  closedEveryMs: 1_800_000,
  orderWindowMs: 86_400_000,
  openOrderMs: 7 * 86_400_000,
  pastOrderMs: 365 * 86_400_000,
};

/** Finds changes that no delivery has reported. Made by {@link createReconciler}. */
export class Reconciler {
  readonly #client: ReconcilerClient;
  readonly #receiver: WebhookReceiver<never>;
  readonly #access: ReceiverAccess;
  readonly #numbers = { ...NUMBERS };
  readonly #since: number | undefined;
  readonly #resources: ReadonlySet<string>;
  readonly #chosen: (() => Promise<readonly string[]>) | undefined;
  readonly #locations: LocationsReading;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #settled = new Map<string, SettledOrders>();
  readonly #stopping = new AbortController();
  readonly #forgetSignal: () => void;
  #running: Promise<ReconcileReport> | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(client: ReconcilerClient, receiver: WebhookReceiver<never>, options: ReconcilerOptions) {
    this.#client = client;
    this.#receiver = receiver;
    this.#access = accessOf(receiver);
    this.#clock = options.clock ?? this.#access.engine.options.clock;
    this.#random = options.random ?? systemRandom;
    this.#since = milliseconds(options.since);
    for (const name of Object.keys(NUMBERS) as (keyof typeof NUMBERS)[]) {
      const value = options[name] ?? NUMBERS[name];
      this.#numbers[name] = value;
      if (!(value > 0)) throw new ConfigurationError(`The option ${name} is ${value}; it must be above 0.`);
    }
    if (options.store && options.store !== this.#access.store) {
      throw new ConfigurationError("The option store must be the receiver's: leave it out.");
    }
    this.#resources = new Set(options.resources ?? RESOURCES);
    for (const resource of this.#resources) {
      if (!(RESOURCES as readonly string[]).includes(resource)) {
        throw new ConfigurationError(`The option resources has ${resource}; it takes ${RESOURCES.join(', ')}.`);
      }
    }
    const { locations } = options;
    this.#chosen = locations && (async () => (typeof locations === 'function' ? locations() : locations));
    const { closedEveryMs } = this.#numbers;
    this.#locations = new LocationsReading({
      client,
      chosen: this.#chosen,
      resources: this.#resources,
      closedEveryMs,
    });
    const { signal } = options;
    const onAbort = (): void => void this.stop();
    if (signal?.aborted) this.#stopping.abort();
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#forgetSignal = () => signal?.removeEventListener('abort', onAbort);
  }

  /**
   * Runs now and then until it is stopped, or its client is closed: first within seconds, then every `everyMs`. Keeps no
   * process alive.
   */
  start(): this {
    const { everyMs } = this.#numbers;
    if (!this.#cancelTimer) this.#schedule(this.#random() * Math.min(FIRST_RUN_WITHIN_MS, everyMs));
    return this;
  }

  /** Ends the runs: a reading under way is aborted, a handler under way is waited for. */
  async stop(): Promise<void> {
    this.#forgetSignal();
    this.#cancelTimer?.();
    this.#stopping.abort();
    await this.#running?.catch(() => {});
  }

  /**
   * Runs once, at once. While a run is under way, gives that one's report.
   *
   * @param options - `onlyDue` keeps the polling limits, as the runs of `start()` do: a cron job every 5 minutes wants
   * it. Without it everything is read, closed locations too.
   * @throws What the store throws when it cannot be reached, and an error when another process has taken over the run.
   * @see Interface document, "Events" and "Limits"; docs/webhooks.md
   */
  runOnce(options: { onlyDue?: boolean } = {}): Promise<ReconcileReport> {
    this.#running ??= this.#runAlone(options.onlyDue ?? false).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  #schedule(delayMs: number): void {
    if (this.#stopping.signal.aborted) return;
    const run = async (): Promise<void> => {
      try {
        if (await this.#isDue()) await this.runOnce({ onlyDue: true });
      } catch (error) {
        this.#receiver.reportError(error, { stage: 'reconciler' });
        // No later run can go better.
        if (isClientClosed(error)) return void this.stop();
      }
      this.#schedule(this.#numbers.everyMs * (0.9 + 0.2 * this.#random()));
    };
    this.#cancelTimer = this.#clock.setTimer(() => void run(), delayMs, { background: true });
  }

  /** Several processes share the work: one that finds the mark of a recent run leaves it at that. */
  async #isDue(): Promise<boolean> {
    return (await this.#newRun(true).readMark(LAST_RUN)) === undefined;
  }

  async #runAlone(onlyDue: boolean): Promise<ReconcileReport> {
    const run = this.#newRun(onlyDue);
    if (this.#stopping.signal.aborted) return run.report('stopped');
    const { store, prefix, leaseMs } = this.#access.engine.options;
    const lease = await takeLease({
      store,
      clock: this.#clock,
      key: `${prefix}reconciler`,
      holder: uniqueName(),
      ttlMs: leaseMs,
      longestMs: LONGEST_RUN_MS,
    });
    if (!lease) return run.report('running_elsewhere');
    try {
      await unlessAborted(this.#readAll(run), lease.signal);
      // A length, not an instant: processes need not agree on the time. A failed run leaves no mark.
      if (!run.hasFailed) await run.writeMark(LAST_RUN, 1, this.#numbers.everyMs * 0.75);
      return run.report();
    } catch (error) {
      if (this.#stopping.signal.aborted) return run.report('stopped');
      throw error;
    } finally {
      await lease.release().catch(() => {});
    }
  }

  async #readAll(run: ReconcileRun): Promise<void> {
    let ids: readonly string[] = [];
    const readsLocations = this.#chosen || [...this.#resources].some((resource) => resource !== 'orders');
    if (readsLocations) {
      await run.attempt('locations', async () => {
        ids = await this.#locations.ids(run);
      });
    }
    if (this.#resources.has('orders')) {
      for (const scope of this.#orderScopes(ids)) {
        const settled: SettledOrders = this.#settled.get(scope.key) ?? new Map();
        this.#settled.set(scope.key, settled);
        const resource = scope.locationId === undefined ? 'orders' : `orders of ${scope.locationId}`;
        await run.attempt(resource, () => reconcileOrders(this.#client, run, scope, settled));
      }
    }
    await this.#locations.reconcile(run, ids);
  }

  #orderScopes(ids: readonly string[]): OrdersScope[] {
    if (!this.#chosen) return [{ key: '*' }];
    if (ids.length > MOST_LOCATION_LISTS) return [{ key: 'chosen', locations: new Set(ids) }];
    return ids.map((locationId) => ({ key: locationId, locationId }));
  }

  #newRun(onlyDue: boolean): ReconcileRun {
    const { orderWindowMs, openOrderMs, pastOrderMs } = this.#numbers;
    return new ReconcileRun({
      receiver: this.#access,
      clock: this.#clock,
      signal: this.#stopping.signal,
      since: this.#since,
      orderWindowMs,
      openOrderMs,
      pastOrderMs,
      onlyDue,
      onFailure: ({ resource, error }) => this.#receiver.reportError(error, { stage: 'reconciler', resource }),
    });
  }
}

/** Mark of a run that went well, in the store. */
const LAST_RUN = 'last-run';

/**
 * Makes a reconciler: the poll beside the webhooks that finds what no delivery has reported, and runs the receiver's handlers
 * for it. It reads orders, menu versions, inventories and opening hours, and compares them with what deliveries and earlier runs have
 * told. A delivery that comes late after all is recognised, and not handled again.
 *
 * Nothing is read before `start()` or `runOnce()`. The first run of all only notes what is there.
 *
 * @throws {ConfigurationError} An option cannot work.
 * @see Interface document, "Events", rule 3
 * @example
 * const reconciler = createReconciler(client, receiver, { locations, signal }).start();
 */
export function createReconciler<Tx>(
  client: ReconcilerClient,
  receiver: WebhookReceiver<Tx>,
  options: ReconcilerOptions = {},
): Reconciler {
  return new Reconciler(client, receiver as WebhookReceiver<never>, options);
}
