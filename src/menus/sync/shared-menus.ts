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

  /** Takes the right to ask the service, which ends by itself after `ttlMs`; `undefined` while another process has it. */
  async lease(locationId: string, ttlMs: number): Promise<(() => Promise<void>) | undefined> {
    const key = this.#key(locationId, 'lease');
    const holder = uniqueName();
    const taken = await this.#tolerate(() => this.#store.setIfAbsent(key, holder, { ttlMs }));
    if (taken === false) return undefined;
    return async () => {
      if (taken) await this.#tolerate(() => this.#store.compareAndDelete(key, holder));
    };
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
