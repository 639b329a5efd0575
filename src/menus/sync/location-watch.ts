import type { Semaphore } from '../../concurrency/semaphore.js';
import type { InventoryItem, Location, Menu } from '../../contract/index.js';
import { isOpen } from '../../hours/business-hours.js';
import { type Clock, monotonicNow } from '../../platform/clock.js';
import type { Random } from '../../platform/random.js';
import { indexMenu, type MenuIndex } from '../model/menu-index.js';
import { type Availability, joinAvailability, readInventory } from '../stock/availability.js';
import type { InventoryClient, LocationClient, MenuCallOptions, MenuClient } from '../stock/menu-client.js';
import { retryAfterMs } from './retry-after.js';

/** The part of a client that the watch uses; `OnlineOrdering` has it. */
export type WatchClient = MenuClient & InventoryClient & LocationClient;

/** Events of the service at which a watch looks at once. */
export type WakingEvent = 'menu.changed' | 'stock.updated' | 'location.hours_changed';

/** What made a watch look: its own poll, or an event. */
export type WatchReason = 'poll' | Exclude<WakingEvent, 'location.hours_changed'>;

/** A menu as the watch saw it, with its stock when that is watched. */
export interface SeenMenu {
  readonly index: MenuIndex;
  readonly availability: Availability | undefined;
}

export interface LocationWatchDeps {
  readonly client: WatchClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly openIntervalMs: number;
  readonly closedIntervalMs: number;
  /** Whether stock is watched, and whether each poll reads it (otherwise only an event does). */
  readonly inventory: boolean;
  readonly pollsInventory: boolean;
  /** Limits the requests of all locations at a time. */
  readonly requests: Semaphore;
  /** This location's part of the first interval, above 0 and up to 1: spreads the polls of many locations. */
  readonly share: number;
  readonly since: Menu | undefined;
  readonly onChange: (locationId: string, reason: WatchReason) => void;
  readonly onError: (error: unknown, locationId: string) => void;
}

/** What a look must read: the menu itself, only whether it changed, the stock. */
type Reading = 'menu' | 'metadata' | 'stock';

/** Up to this part of an interval is added to it by chance; never is a location polled more often than recommended. */
const JITTER = 0.1;
const FIRST_RETRY_MS = 5_000;
const NEVER = Number.POSITIVE_INFINITY;
/** Hours change seldom, and have an event; this is for a watch without events. */
const LOCATION_MAX_AGE_MS = 86_400_000;

/** Polls one location, and knows what was read last and what was reported last. */
export class LocationWatch {
  readonly #locationId: string;
  readonly #deps: LocationWatchDeps;
  readonly #ended = new AbortController();
  #reported: SeenMenu | undefined;
  #seen: SeenMenu | undefined;
  #inventory: ReadonlyMap<string, InventoryItem> | undefined;
  #location: { readonly value: Location; readonly readAt: number } | undefined;
  readonly #due = new Set<Reading>();
  #reason: WatchReason = 'poll';
  #looking = false;
  #failures = 0;
  #retryAt = Number.NEGATIVE_INFINITY;
  /** Since when the present interval runs, and by how much it is shortened or stretched. */
  #interval: { readonly from: number; readonly factor: number };
  /** A version that an event announced and the service has not shown yet: how often, and when it is looked for again. */
  #announced: { readonly versionHash: string; looks: number; lookAt: number } | undefined;
  #cancelTimer: () => void = () => {};

  constructor(locationId: string, deps: LocationWatchDeps) {
    this.#locationId = locationId;
    this.#deps = deps;
    // The first interval differs by location, so that the polls of many are spread over it.
    this.#interval = { from: monotonicNow(deps.clock), factor: deps.share + deps.random() * JITTER };
    if (deps.since) this.#reported = { index: indexMenu(deps.since), availability: undefined };
  }

  start(): void {
    this.#interval = { ...this.#interval, from: monotonicNow(this.#deps.clock) };
    this.#want(['menu', 'stock'], 'poll');
  }

  stop(): void {
    this.#cancelTimer();
    this.#ended.abort(new DOMException('The watch has ended.', 'AbortError'));
  }

  /** Reads at once, unless the event says what is known already. */
  wake(type: WakingEvent, versionHash?: string): void {
    if (type === 'location.hours_changed') this.#location = undefined;
    else if (type === 'stock.updated') this.#want(['stock'], type);
    else if (versionHash === undefined || versionHash !== this.#seen?.index.menu.version_hash) {
      this.#announced = versionHash === undefined ? undefined : { versionHash, looks: 0, lookAt: NEVER };
      this.#want(['menu'], type);
    }
  }

  /** What was reported last and what was read last, which then counts as reported. `undefined` when both are the same. */
  takeSeen(): { before: SeenMenu; after: SeenMenu } | undefined {
    const [before, after] = [this.#reported, this.#seen];
    this.#reported = after;
    return before && after && before !== after ? { before, after } : undefined;
  }

  #want(readings: readonly Reading[], reason: WatchReason): void {
    const possible = this.#deps.inventory ? readings : readings.filter((reading) => reading !== 'stock');
    if (possible.length === 0 || this.#ended.signal.aborted) return;
    for (const reading of possible) this.#due.add(reading);
    this.#reason = reason;
    if (!this.#looking && monotonicNow(this.#deps.clock) >= this.#retryAt) void this.#look();
  }

  /** Reads what is due, and again what became due meanwhile: an event may concern something later than what was read. */
  async #look(): Promise<void> {
    this.#looking = true;
    this.#cancelTimer();
    while (this.#due.size > 0 && !this.#ended.signal.aborted) {
      const due = new Set(this.#due);
      const reason = this.#reason;
      this.#due.clear();
      try {
        await this.#deps.requests.run(() => this.#read(due, reason));
        this.#failures = 0;
        this.#planLook();
      } catch (error) {
        for (const reading of due) this.#due.add(reading);
        this.#failed(error);
        break;
      }
    }
    this.#looking = false;
    this.#schedule();
  }

  /** Readings may lag behind events: an announced version is looked for after 5 s, 10 s, … up to a regular interval. */
  #planLook(): void {
    const { clock, openIntervalMs } = this.#deps;
    if (!this.#announced) return;
    const waitMs = FIRST_RETRY_MS * 2 ** this.#announced.looks;
    const isShown = this.#announced.versionHash === this.#seen?.index.menu.version_hash;
    if (isShown || waitMs >= openIntervalMs) this.#announced = undefined;
    else {
      this.#announced.looks += 1;
      this.#announced.lookAt = monotonicNow(clock) + waitMs;
    }
  }

  #failed(error: unknown): void {
    if (this.#ended.signal.aborted) return;
    const { clock, openIntervalMs, onError } = this.#deps;
    const backoffMs = Math.min(openIntervalMs, FIRST_RETRY_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#retryAt = monotonicNow(clock) + Math.max(backoffMs, retryAfterMs(error));
    onError(error, this.#locationId);
  }

  #schedule(): void {
    if (this.#ended.signal.aborted) return;
    const { clock, openIntervalMs } = this.#deps;
    const now = monotonicNow(clock);
    const retriesIn = this.#due.size > 0 ? this.#retryAt - now : Number.POSITIVE_INFINITY;
    const pollsIn = this.#interval.from + this.#interval.factor * this.#intervalMs() - now;
    const looksIn = (this.#announced?.lookAt ?? NEVER) - now;
    // A closed location looks at the clock meanwhile, so that its opening is not slept through.
    const waitMs = Math.min(retriesIn, pollsIn, looksIn, openIntervalMs * this.#interval.factor);
    this.#cancelTimer = clock.setTimer(() => this.#tick(), Math.max(0, waitMs));
  }

  #tick(): void {
    const { clock, random, pollsInventory } = this.#deps;
    const { from, factor } = this.#interval;
    const now = monotonicNow(clock);
    if (now >= from + factor * this.#intervalMs()) {
      this.#interval = { from: now, factor: 1 + random() * JITTER };
      this.#want(pollsInventory ? ['metadata', 'stock'] : ['metadata'], 'poll');
    }
    if (this.#announced && now >= this.#announced.lookAt) {
      this.#announced.lookAt = NEVER;
      this.#want(['metadata'], 'menu.changed');
    }
    // The clock may have woken for another reason: what failed is not tried again before its time.
    if (this.#due.size > 0 && !this.#looking && now >= this.#retryAt) void this.#look();
    if (!this.#looking) this.#schedule();
  }

  #intervalMs(): number {
    const { clock, openIntervalMs, closedIntervalMs } = this.#deps;
    const isClosed = this.#location !== undefined && isOpen(this.#location.value, clock.now()) === false;
    return isClosed ? closedIntervalMs : openIntervalMs;
  }

  async #read(due: ReadonlySet<Reading>, reason: WatchReason): Promise<void> {
    const { client, inventory } = this.#deps;
    const call = { signal: this.#ended.signal };
    // Its turn may have come after the end.
    call.signal.throwIfAborted();
    await this.#readHours(call);
    const index = await this.#readMenu(due, call);
    // Of an item that is new on the menu an older inventory cannot know anything.
    const readsStock = due.has('stock') || (inventory && hasNewItems(index, this.#seen?.index));
    if (readsStock) this.#inventory = await readInventory(client, this.#locationId, call);
    const isSame = index === this.#seen?.index && !readsStock;
    if (isSame || this.#ended.signal.aborted) return;
    const availability =
      inventory && this.#inventory ? joinAvailability(this.#locationId, index, this.#inventory) : undefined;
    this.#seen = { index, availability };
    this.#reported ??= this.#seen;
    if (this.#reported !== this.#seen) this.#deps.onChange(this.#locationId, reason);
  }

  /** The hours only decide how often to look: without them the location counts as open. */
  async #readHours(call: MenuCallOptions): Promise<void> {
    const { client, clock, onError } = this.#deps;
    if (this.#location && monotonicNow(clock) - this.#location.readAt < LOCATION_MAX_AGE_MS) return;
    try {
      this.#location = { value: await client.locations.retrieve(this.#locationId, call), readAt: monotonicNow(clock) };
    } catch (error) {
      if (!this.#ended.signal.aborted) onError(error, this.#locationId);
    }
  }

  async #readMenu(due: ReadonlySet<Reading>, call: MenuCallOptions): Promise<MenuIndex> {
    const { menus } = this.#deps.client;
    const known = this.#seen?.index;
    if (known && !due.has('menu')) {
      if (!due.has('metadata')) return known;
      const { version_hash } = await menus.retrieveMetadata(this.#locationId, call);
      if (version_hash === known.menu.version_hash) return known;
    }
    return indexMenu(await menus.retrieve(this.#locationId, call));
  }
}

function hasNewItems(index: MenuIndex, before: MenuIndex | undefined): boolean {
  return index !== before && index.items.some(({ id }) => !before?.item(id));
}
