import type { InventoryItem } from '../../contract/index.js';
import { ConfigurationError } from '../../errors/configuration.js';
import type { Clock } from '../../platform/clock.js';
import { type Random, systemRandom } from '../../platform/random.js';
import { unlessAborted } from '../../platform/unless-aborted.js';
import type { Store } from '../../stores/store.js';
import { menuSubject, milliseconds, stockSubject } from '../event/event-changes.js';
import type { EventEngine } from '../receiver/event-engine.js';
import { engineOf, type WebhookReceiver } from '../receiver/receiver.js';
import { takeLease } from '../state/lease.js';
import { reconcileSubject } from './missed-change.js';
import { planMenu } from './plan-menu.js';
import { planStock } from './plan-stock.js';
import { reconcileOrders, type SettledOrders } from './reconcile-orders.js';
import { type ReconcileReport, ReconcileRun } from './reconcile-run.js';
import type { ReconcilerClient } from './reconciler-client.js';

/** Options of a reconciler. */
export interface ReconcilerOptions {
  /** Milliseconds between two runs, spread by a tenth in both directions. @defaultValue 300,000 (the document's 5 minutes) */
  everyMs?: number | undefined;
  /** Locations to look after, or a function that gives them. Left out: all that the client's account can see. */
  locations?: (readonly string[] | (() => readonly string[] | Promise<readonly string[]>)) | undefined;
  /** Orders created after this instant count as missed at the very first run. @defaultValue the time of that run */
  since?: Date | string | undefined;
  /** How far back all orders are listed, in milliseconds. @defaultValue 86,400,000 (a day) */
  orderWindowMs?: number | undefined;
  /** How far back orders are listed that are still `PENDING` or `CONFIRMED`, in milliseconds. @defaultValue 604,800,000 (7 days) */
  openOrderMs?: number | undefined;
  /** What was seen last. @defaultValue the receiver's store; a different one is refused, because both must share it */
  store?: Store | undefined;
  /** @defaultValue the receiver's clock */
  clock?: Clock | undefined;
  random?: Random | undefined;
  /** Stops the reconciler. */
  signal?: AbortSignal | undefined;
}

/** The first run of `start` comes within this time, so that processes started together do not all read at once. */
const FIRST_RUN_WITHIN_MS = 10_000;
const LONGEST_RUN_MS = 3_600_000;

/** Finds changes that no delivery told of. Made by {@link createReconciler}. */
export class Reconciler {
  readonly #client: ReconcilerClient;
  readonly #receiver: WebhookReceiver;
  readonly #engine: EventEngine;
  readonly #options: ReconcilerOptions;
  readonly #everyMs: number;
  readonly #clock: Clock;
  readonly #settled = new Map<string, SettledOrders>();
  readonly #stopping = new AbortController();
  #running: Promise<ReconcileReport> | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(client: ReconcilerClient, receiver: WebhookReceiver, options: ReconcilerOptions) {
    this.#client = client;
    this.#receiver = receiver;
    this.#engine = engineOf(receiver);
    this.#options = options;
    this.#clock = options.clock ?? this.#engine.options.clock;
    this.#everyMs = options.everyMs ?? 300_000;
    if (!(this.#everyMs > 0))
      throw new ConfigurationError(`The option everyMs is ${options.everyMs}; it must be above 0.`);
    if (options.store && options.store !== this.#engine.options.store) {
      throw new ConfigurationError("The option store must be the receiver's: leave it out.");
    }
    if (options.signal?.aborted) this.#stopping.abort();
    options.signal?.addEventListener('abort', () => void this.stop(), { once: true });
  }

  /** Runs now and then until it is stopped: first within seconds, then every `everyMs`. Keeps no process alive. */
  start(): this {
    const { random = systemRandom } = this.#options;
    if (!this.#cancelTimer) this.#schedule(random() * Math.min(FIRST_RUN_WITHIN_MS, this.#everyMs));
    return this;
  }

  /** Ends the runs: a reading under way is aborted, a handler under way is waited for. */
  async stop(): Promise<void> {
    this.#cancelTimer?.();
    this.#stopping.abort();
    await this.#running?.catch(() => {});
  }

  /** Runs once, at once: for cron jobs and tests. While a run is under way, gives that one's report. */
  runOnce(): Promise<ReconcileReport> {
    this.#running ??= this.#runAlone().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  #schedule(delayMs: number): void {
    if (this.#stopping.signal.aborted) return;
    const { random = systemRandom } = this.#options;
    const tick = async (): Promise<void> => {
      try {
        if (await this.#isDue()) await this.runOnce();
      } catch (error) {
        this.#receiver.reportError(error, { stage: 'reconciler' });
      }
      this.#schedule(this.#everyMs * (0.9 + 0.2 * random()));
    };
    this.#cancelTimer = this.#clock.setTimer(() => void tick(), delayMs, { background: true });
  }

  /** Several processes share the work: who finds a recent run leaves it at that. */
  async #isDue(): Promise<boolean> {
    const lastRun = await this.#newRun().readMark<number>('last-run');
    return lastRun === undefined || this.#clock.now() - lastRun >= this.#everyMs * 0.75;
  }

  async #runAlone(): Promise<ReconcileReport> {
    const run = this.#newRun();
    if (this.#stopping.signal.aborted) return run.report('stopped');
    const { options } = this.#engine;
    const key = `${options.prefix}reconciler`;
    const lease = await takeLease({ ...options, clock: this.#clock, key, longestHandlerMs: LONGEST_RUN_MS });
    if (typeof lease === 'string') return run.report('running_elsewhere');
    try {
      await run.writeMark('last-run', this.#clock.now());
      await unlessAborted(this.#readAll(run), lease.signal);
      return run.report();
    } catch (error) {
      if (this.#stopping.signal.aborted) return run.report('stopped');
      throw error;
    } finally {
      await lease.release().catch(() => {}); // It expires by itself.
    }
  }

  async #readAll(run: ReconcileRun): Promise<void> {
    const chosen = this.#options.locations;
    const locations: string[] = [];
    await run.attempt('locations', async () => {
      locations.push(
        ...(chosen ? await (typeof chosen === 'function' ? chosen() : chosen) : await this.#allLocations()),
      );
    });
    // Chosen locations are asked for one by one; all of them are one list.
    for (const locationId of chosen ? locations : [undefined]) {
      const settled = this.#settled.get(locationId ?? '*') ?? new Map<string, string>();
      this.#settled.set(locationId ?? '*', settled);
      const resource = locationId === undefined ? 'orders' : `orders of ${locationId}`;
      await run.attempt(resource, () => reconcileOrders(this.#client, run, locationId, settled));
    }
    for (const locationId of locations) {
      await run.attempt(`menu of ${locationId}`, () => this.#reconcileMenu(locationId));
      await run.attempt(`stock of ${locationId}`, () => this.#reconcileStock(locationId));
    }
  }

  async #reconcileMenu(locationId: string): Promise<number | 'busy'> {
    const readAt = this.#clock.now();
    const metadata = await this.#client.menus.retrieveMetadata(locationId, { signal: this.#stopping.signal });
    const menu = { ...metadata, location_id: locationId };
    return reconcileSubject(this.#engine, menuSubject(locationId), (known) => planMenu(known, menu, readAt));
  }

  async #reconcileStock(locationId: string): Promise<number | 'busy'> {
    const readAt = this.#clock.now();
    const items: InventoryItem[] = [];
    const list = this.#client.locations.listInventory(locationId, { limit: 500 }, { signal: this.#stopping.signal });
    for await (const item of list) items.push(item);
    return reconcileSubject(this.#engine, stockSubject(locationId), (known) =>
      planStock(known, { locationId, items, readAt }),
    );
  }

  async #allLocations(): Promise<string[]> {
    const ids: string[] = [];
    for await (const { id } of this.#client.locations.list({ limit: 100 }, { signal: this.#stopping.signal }))
      ids.push(id);
    return ids;
  }

  #newRun(): ReconcileRun {
    const { since, orderWindowMs = 86_400_000, openOrderMs = 7 * 86_400_000 } = this.#options;
    return new ReconcileRun({
      engine: this.#engine,
      clock: this.#clock,
      signal: this.#stopping.signal,
      since: milliseconds(since),
      orderWindowMs,
      openOrderMs,
      onFailure: ({ resource, error }) => this.#receiver.reportError(error, { stage: 'reconciler', resource }),
    });
  }
}

/**
 * Makes a reconciler: the poll beside the webhooks that finds what no delivery told of, and runs the receiver's handlers
 * for it. It reads orders, menu versions and inventories, and compares them with what deliveries and earlier runs have
 * told. A delivery that comes late after all is recognised, and not handled again.
 *
 * Nothing is read before `start()` or `runOnce()`. The first run of all only notes what is there.
 *
 * @throws {ConfigurationError} An option cannot work.
 * @see Interface document, "Events", rule 3
 * @example
 * const reconciler = createReconciler(client, receiver, { locations, signal }).start();
 */
export function createReconciler(
  client: ReconcilerClient,
  receiver: WebhookReceiver,
  options: ReconcilerOptions = {},
): Reconciler {
  return new Reconciler(client, receiver, options);
}
