import { Semaphore } from '../../concurrency/semaphore.js';
import type { Menu } from '../../contract/index.js';
import { ConfigurationError } from '../../errors/local.js';
import { isClientClosed } from '../../platform/client-closed.js';
import { type Clock, systemClock } from '../../platform/clock.js';
import { notAs } from '../../platform/kind-of.js';
import { type Random, systemRandom } from '../../platform/random.js';
import { diffMenus, type MenuDiff } from '../diff/diff.js';
import { givenMilliseconds, givenOptions, givenParts } from '../model/given.js';
import type { MenuIndex } from '../model/menu-index.js';
import { LocationWatch, type WakingEvent, type WatchClient, type WatchReason } from './location-watch.js';

/** What changed at one location. */
export interface MenuChange {
  /** Id of the location whose menu or stock changed. */
  readonly locationId: string;
  /** What made the watch look: its own poll, or an event. */
  readonly reason: WatchReason;
  /** What changed since the last change that was told, or since the first look. */
  readonly diff: MenuDiff;
  /** The menu as it is now, ready for the checks. */
  readonly menu: MenuIndex;
}

/** An event as far as the watch reads it. */
export interface MenuEvent {
  /** Content of the event. */
  readonly data: {
    /** Id of the location that it is about. */
    readonly location_id: string;
    /** Of `menu.changed`: the version of the menu, which the watch need not read when it has it. */
    readonly version_hash?: string;
  };
}

/** Where events come from; the webhook receiver fits. */
export interface MenuEventSource {
  /** Adds a handler for an event type. */
  on(type: WakingEvent, listener: (event: MenuEvent) => void): unknown;
}

/** Options of a watch. */
export interface WatchMenusOptions {
  /** Ends the watch: the loop over it ends without an error. */
  signal?: AbortSignal | undefined;
  /** Events that wake the watch before its next poll. With them, stock is read on `stock.updated` and not at each poll. */
  events?: MenuEventSource | undefined;
  /** Menus known before, by location: the first diff is against them. Without one, the first menu is where it begins. */
  since?: ReadonlyMap<string, Menu> | undefined;
  /** Between two polls of an open location, in milliseconds. @defaultValue 300000 (5 min) */
  openIntervalMs?: number | undefined;
  /** Between two polls of a closed location, in milliseconds. @defaultValue 1800000 (30 min) */
  closedIntervalMs?: number | undefined;
  /** False leaves the stock unread. @defaultValue true */
  inventory?: boolean | undefined;
  /** Hears of polls that failed; they are tried again. */
  onError?: ((error: unknown, locationId: string) => void) | undefined;
  /** Where time comes from; a test gives one that it moves. @defaultValue the system's clock */
  clock?: Clock | undefined;
  /** Where the spread of waits comes from; a test gives a fixed one. @defaultValue `Math.random` */
  random?: Random | undefined;
}

/** Changes of menus, one at a time; it waits for the next one until the watch ends. */
export type MenuWatch = AsyncIterableIterator<MenuChange> & AsyncDisposable;

/**
 * Watches the menus and the stock of locations, and yields what changed.
 *
 * Each location is polled every 5 minutes in its business hours and every 30 outside, by one metadata request; polls are
 * spread over the interval with jitter, at most four at a time. `menu.changed` and `stock.updated` wake it at once. A
 * failed poll is tried again after 5 s, doubling to the interval, never before a `Retry-After`. A slow reader gets
 * one diff per location over all that happened since, so that nothing piles up.
 *
 * The watch begins at the first read and ends with `signal`, `break` or `return()`, or at the first poll after the client was
 * closed; until then it keeps the process alive.
 *
 * @throws {ConfigurationError} An interval is not above 0, or what was given is no client, no list of ids, no known menus or
 * no source of events.
 * @see Interface document, "Limits" (menu metadata polling) and "Events"
 * @example
 * for await (const { locationId, diff } of watchMenus(client, locationIds, { signal, events: receiver })) {
 *   for (const { name, price } of diff.changed) if (price) console.log(locationId, name, price.after);
 * }
 */
export function watchMenus(
  client: WatchClient,
  locationIds: readonly string[],
  options: WatchMenusOptions = {},
): MenuWatch {
  givenParts('The client', client, [CLIENT_PARTS, 'an OnlineOrdering']);
  if (!isListOfIds(locationIds)) throw new ConfigurationError(notAs('"locationIds"', locationIds, 'a list of ids'));
  const { events, since } = givenOptions('watchMenus', options, '{ signal }');
  if (events != null) givenParts('The option "events"', events, [['on'], 'a webhook receiver']);
  if (since != null && !(since instanceof Map))
    throw new ConfigurationError(notAs('"since"', since, 'a Map by location id'));
  return new MenuWatcher(client, locationIds, options);
}

const CLIENT_PARTS = ['menus.retrieve', 'menus.retrieveMetadata', 'locations.listInventory', 'locations.retrieve'];

const isListOfIds = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((id) => typeof id === 'string' && id !== '');

class MenuWatcher implements MenuWatch {
  readonly #locations: ReadonlyMap<string, LocationWatch>;
  readonly #options: WatchMenusOptions;
  readonly #changed = new Map<string, WatchReason>();
  readonly #readers: ((result: IteratorResult<MenuChange>) => void)[] = [];
  readonly #stops: (() => void)[] = [];
  #state: 'new' | 'running' | 'ended' = 'new';

  constructor(client: WatchClient, locationIds: readonly string[], options: WatchMenusOptions) {
    this.#options = options;
    const unique = [...new Set(locationIds)];
    const parts = {
      client,
      clock: options.clock ?? systemClock,
      random: options.random ?? systemRandom,
      openIntervalMs: givenMilliseconds('openIntervalMs', options.openIntervalMs ?? 300_000),
      closedIntervalMs: givenMilliseconds('closedIntervalMs', options.closedIntervalMs ?? 1_800_000),
      inventory: options.inventory ?? true,
      pollsInventory: options.events === undefined,
      requests: new Semaphore(4),
      onChange: (locationId: string, reason: WatchReason) => this.#onChange(locationId, reason),
      onError: (error: unknown, locationId: string) => this.#failed(error, locationId),
    };
    this.#locations = new Map(
      unique.map((locationId, place) => [
        locationId,
        new LocationWatch(locationId, {
          ...parts,
          share: (place + 1) / unique.length,
          since: options.since?.get(locationId),
        }),
      ]),
    );
  }

  next(): Promise<IteratorResult<MenuChange>> {
    if (this.#state === 'new') this.#start();
    const change = this.#state === 'running' ? this.#takeChange() : undefined;
    if (change) return Promise.resolve({ done: false, value: change });
    if (this.#state === 'ended') return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  async return(): Promise<IteratorResult<MenuChange>> {
    this.#end();
    return { done: true, value: undefined };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #start(): void {
    const { signal, events } = this.#options;
    if (signal?.aborted) {
      this.#end();
      return;
    }
    this.#state = 'running';
    const onAbort = (): void => this.#end();
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#stops.push(() => signal?.removeEventListener('abort', onAbort));
    if (events) this.#listen(events);
    for (const location of this.#locations.values()) location.start();
  }

  #listen(events: MenuEventSource): void {
    for (const type of ['menu.changed', 'stock.updated', 'location.hours_changed'] as const) {
      const stop = events.on(type, ({ data }) => this.#locations.get(data.location_id)?.wake(type, data.version_hash));
      if (typeof stop === 'function') this.#stops.push(stop as () => void);
    }
  }

  #end(): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    for (const location of this.#locations.values()) location.stop();
    for (const stop of this.#stops) stop();
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
  }

  #failed(error: unknown, locationId: string): void {
    // No later poll can go better: the watch ends as it does with its signal.
    if (isClientClosed(error)) this.#end();
    this.#report(error, locationId);
  }

  #report(error: unknown, locationId: string): void {
    try {
      this.#options.onError?.(error, locationId);
    } catch {
      // An observer must never change what it observes.
    }
  }

  #onChange(locationId: string, reason: WatchReason): void {
    if (this.#state !== 'running') return;
    this.#changed.set(locationId, reason);
    const reader = this.#readers[0];
    const change = reader && this.#takeChange();
    if (!change) return;
    this.#readers.shift();
    reader?.({ done: false, value: change });
  }

  /** The oldest unread change; what was changed and changed back is none. */
  #takeChange(): MenuChange | undefined {
    for (const [locationId, reason] of this.#changed) {
      this.#changed.delete(locationId);
      const taken = this.#locations.get(locationId)?.takeSeen();
      if (!taken) continue;
      const { before, after } = taken;
      const stock = before.availability &&
        after.availability && { before: before.availability, after: after.availability };
      const diff = diffMenus(before.index, after.index, stock ? { stock } : {});
      if (!diff.isEmpty) return { locationId, reason, diff, menu: after.index };
    }
    return undefined;
  }
}
