import type { Menu } from '../../contract/index.js';
import { type Clock, systemClock } from '../../platform/clock.js';
import { systemRandom } from '../../platform/random.js';
import { unlessAborted } from '../../platform/unless-aborted.js';
import type { Store } from '../../stores/store.js';
import { givenMilliseconds, givenOptions, givenParts } from '../model/given.js';
import { indexMenu, type MenuIndex } from '../model/menu-index.js';
import type { MenuCallOptions, MenuClient } from '../stock/menu-client.js';
import { CachedMenu } from './cached-menu.js';
import { SharedMenus } from './shared-menus.js';

/** Longest time for one operation of the store. */
const STORE_TIMEOUT_MS = 3_000;
/** Locations that are remembered though they have no menu, for the time when they may be asked again. */
const MOST_UNKNOWN = 1_000;

/** Options of a menu cache. */
export interface MenuCacheOptions {
  /** Shares menus and checks between processes. Without it each process keeps its own. */
  store?: Store | undefined;
  /** Where time comes from; a test gives one that it moves. @defaultValue the system's clock */
  clock?: Clock | undefined;
  /** How long a menu is given without asking whether it changed, in milliseconds. @defaultValue 300000 (5 min) */
  maxAgeMs?: number | undefined;
  /**
   * How long a menu is given while it cannot be refreshed, in milliseconds; after that callers wait for the service, and
   * get its error. @defaultValue 86400000 (24 h)
   */
  maxStaleMs?: number | undefined;
  /** Before the keys in the store; two services that share one store need two. @defaultValue 'online-ordering-sdk:menu' */
  keyPrefix?: string | undefined;
  /** Hears of refreshes that failed behind a caller's back, and of a store that fails. */
  onError?: ((error: unknown, locationId: string) => void) | undefined;
}

/** Menus of locations, fetched when they have changed and not before. */
export interface MenuCache {
  /**
   * The menu of a location, at once when one is known: an old one is given while its version is checked in the background.
   *
   * @throws What the client throws, when no menu is known yet or the known one is older than `maxStaleMs`.
   */
  menu(locationId: string, options?: MenuCallOptions): Promise<Menu>;
  /** The index of that menu, built once per version. */
  index(locationId: string, options?: MenuCallOptions): Promise<MenuIndex>;
  /** Asks the service now whether the menu changed, and gives the current one. @throws What the client throws. */
  refresh(locationId: string, options?: MenuCallOptions): Promise<Menu>;
  /**
   * Says that a menu has changed, for example on `menu.changed`; it is refreshed in the background at once. With the
   * `version_hash` of the event nothing is done when that version is known already.
   */
  expire(locationId: string, versionHash?: string): void;
}

/**
 * Keeps the menus of locations at hand: one metadata request decides, the menu of 150 KB is fetched only when its
 * `version_hash` changed.
 *
 * Many callers share one request, and one caller's abort does not end it for the others. A refresh that fails leaves the
 * known menu in use, and is tried again after 5 s, doubling to `maxAgeMs`, never before a `Retry-After`. Without a menu that
 * can be given, callers get the error until then, from the second failure on. A version that `expire` announced and that
 * the service does not show yet is looked for after 5 s, 10 s, … With a store, one process asks for all of them; one
 * that has no menu yet waits for it up to two minutes, and takes over within seconds when it has died.
 *
 * @throws {ConfigurationError} An option is not a number of milliseconds, or the client cannot read menus.
 * @see Interface document, "Menus" and "Limits" (menu metadata polling)
 * @example
 * const menus = createMenuCache(client, { store });
 * receiver.on('menu.changed', ({ data }) => menus.expire(data.location_id, data.version_hash));
 * const problems = checkItem(await menus.index(locationId), item, { cart, at: new Date(), timezone });
 */
export function createMenuCache(client: MenuClient, options: MenuCacheOptions = {}): MenuCache {
  givenParts('The client', client, [['menus.retrieve', 'menus.retrieveMetadata'], 'an OnlineOrdering']);
  givenOptions('createMenuCache', options, '{ store }');
  const { store, clock = systemClock, keyPrefix = 'online-ordering-sdk:menu', onError } = options;
  const maxAgeMs = givenMilliseconds('maxAgeMs', options.maxAgeMs ?? 300_000);
  const maxStaleMs = Math.max(maxAgeMs, givenMilliseconds('maxStaleMs', options.maxStaleMs ?? 86_400_000));
  const shareOptions = {
    keyPrefix,
    menuTtlMs: maxStaleMs,
    checkTtlMs: maxAgeMs,
    storeLimits: { clock, limitMs: STORE_TIMEOUT_MS },
  };
  const cached = new Map<string, CachedMenu>();
  const unknown = new Set<string>();

  const of = (locationId: string): CachedMenu => {
    const known = cached.get(locationId);
    if (known) return known;
    const report = (error: unknown): void => {
      try {
        onError?.(error, locationId);
      } catch {
        // An observer must never change what it observes.
      }
    };
    const shared = store && new SharedMenus(store, { ...shareOptions, onError: report });
    const entry = new CachedMenu({
      client,
      locationId,
      clock,
      shared,
      maxAgeMs,
      maxStaleMs,
      random: systemRandom,
      report,
    });
    cached.set(locationId, entry);
    return entry;
  };

  /** Of locations without a menu only the last ones are remembered, so that ids which are none do not pile up. */
  const read = async (locationId: string, from: (entry: CachedMenu) => Promise<Menu>): Promise<Menu> => {
    const entry = of(locationId);
    try {
      return await from(entry);
    } finally {
      unknown.delete(locationId);
      if (!entry.isKnown) unknown.add(locationId);
      const [oldest] = unknown;
      if (unknown.size > MOST_UNKNOWN && oldest !== undefined) {
        unknown.delete(oldest);
        cached.delete(oldest);
      }
    }
  };

  const menu = (locationId: string, call?: MenuCallOptions): Promise<Menu> =>
    withSignal(() => read(locationId, (entry) => entry.current()), call?.signal);
  return {
    menu,
    index: async (locationId, call) => indexMenu(await menu(locationId, call)),
    refresh: (locationId, call) => withSignal(() => read(locationId, (entry) => entry.refreshed()), call?.signal),
    expire: (locationId, versionHash) => cached.get(locationId)?.expire(versionHash),
  };
}

/**
 * Waits for work that others wait for too; an abort ends this wait alone. With a signal that is aborted already nothing is
 * begun.
 */
async function withSignal<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted();
  return signal ? unlessAborted(work(), signal) : work();
}
