import { takeLease } from '../../concurrency/lease.js';
import type { Menu } from '../../contract/index.js';
import { type Clock, monotonicNow } from '../../platform/clock.js';
import { uniqueName } from '../../platform/unique-name.js';
import { TimeLimitError } from '../../platform/within.js';
import { boundedStore } from '../../stores/bounded-store.js';
import type { Store } from '../../stores/store.js';
import { isRecord } from '../model/menu-fields.js';

/**
 * Which version of a menu is current. The entry ends when it is too old to rely on, so that processes need not agree on
 * the time.
 */
export interface MenuCheck {
  readonly versionHash: string;
  /** Identifies the check. */
  readonly id: string;
}

/** How long a store that did not respond is left alone. */
const LEFT_ALONE_MS = 30_000;

/** A process that dies while it asks for all holds the others up for this long. */
const LEASE_MS = 6_000;

export interface MenuLease {
  release(): Promise<void>;
}

/** A menu with the version under which it is known. */
export interface VersionedMenu {
  readonly versionHash: string;
  readonly menu: Menu;
}

export interface SharedMenusOptions {
  readonly keyPrefix: string;
  /** How long a menu is kept, and how long a check is relied on. */
  readonly menuTtlMs: number;
  readonly checkTtlMs: number;
  readonly storeLimits: { readonly clock: Clock; readonly limitMs: number };
  readonly onError: (error: unknown) => void;
}

/**
 * Menus that several processes share through a store: the menu under one key, the last check of its version under
 * another, so that an unchanged menu is not read again. A store that fails, or does not respond in time, is as good
 * as none: the service is asked.
 */
export class SharedMenus {
  readonly #store: Store;
  readonly #options: SharedMenusOptions;
  #leftAloneUntil = Number.NEGATIVE_INFINITY;

  constructor(store: Store, options: SharedMenusOptions) {
    this.#store = boundedStore(store, options.storeLimits);
    this.#options = options;
  }

  /** The last check by any process, unless it is too old. */
  async lastCheck(locationId: string): Promise<MenuCheck | undefined> {
    const text = await this.#tolerate(() => this.#store.get(this.#key(locationId, 'check')));
    const check = parse(text);
    if (!isRecord(check) || typeof check.versionHash !== 'string' || typeof check.id !== 'string') return undefined;
    return { versionHash: check.versionHash, id: check.id };
  }

  /** The menu that a process left last. */
  async menu(locationId: string): Promise<VersionedMenu | undefined> {
    const text = await this.#tolerate(() => this.#store.get(this.#key(locationId, 'menu')));
    const kept = parse(text);
    if (!isRecord(kept) || typeof kept.versionHash !== 'string' || !isRecord(kept.menu)) return undefined;
    return { versionHash: kept.versionHash, menu: kept.menu as unknown as Menu };
  }

  async saveMenu(locationId: string, kept: VersionedMenu): Promise<void> {
    const { menuTtlMs: ttlMs } = this.#options;
    await this.#tolerate(() => this.#store.set(this.#key(locationId, 'menu'), JSON.stringify(kept), { ttlMs }));
  }

  async saveCheck(locationId: string, versionHash: string): Promise<void> {
    const { checkTtlMs: ttlMs } = this.#options;
    const check: MenuCheck = { versionHash, id: uniqueName() };
    await this.#tolerate(() => this.#store.set(this.#key(locationId, 'check'), JSON.stringify(check), { ttlMs }));
  }

  /**
   * Takes the right to ask the service for all processes; it is kept up until it is given back, and ends soon when its holder
   * dies. `taken` while another process has it, `undefined` when the store failed.
   */
  async lease(locationId: string): Promise<MenuLease | 'taken' | undefined> {
    const { clock } = this.#options.storeLimits;
    const lease = { store: this.#store, clock, key: this.#key(locationId, 'lease'), ttlMs: LEASE_MS };
    const taken = await this.#tolerate(async () => (await takeLease({ ...lease, holder: uniqueName() })) ?? 'taken');
    if (taken === undefined || taken === 'taken') return taken;
    return { release: async () => void (await this.#tolerate(() => taken.release())) };
  }

  #key(locationId: string, what: 'menu' | 'check' | 'lease'): string {
    return `${this.#options.keyPrefix}:${locationId}:${what}`;
  }

  async #tolerate<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    const { storeLimits, onError } = this.#options;
    if (monotonicNow(storeLimits.clock) < this.#leftAloneUntil) return undefined;
    try {
      return await work();
    } catch (error) {
      // One wait is enough: a store that does not respond would hold a caller at each of its operations.
      if (error instanceof TimeLimitError) this.#leftAloneUntil = monotonicNow(storeLimits.clock) + LEFT_ALONE_MS;
      onError(error);
      return undefined;
    }
  }
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
