import type { Menu } from '../../contract/index.js';
import type { Store } from '../../stores/store.js';
import { isRecord } from '../model/menu-fields.js';

/** Which version of a menu was current, and when that was last asked. */
export interface MenuCheck {
  readonly versionHash: string;
  /** Milliseconds since the Unix epoch. */
  readonly checkedAt: number;
}

/** A menu with the version under which it is known. */
export interface VersionedMenu {
  readonly versionHash: string;
  readonly menu: Menu;
}

export interface SharedMenusOptions {
  readonly keyPrefix: string;
  readonly ttlMs: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Menus that several processes share through a store: the menu under one key, the last check of its version under
 * another, so that an unchanged menu is not read again. A store that fails is as good as none: the service is asked.
 */
export class SharedMenus {
  readonly #store: Store;
  readonly #options: SharedMenusOptions;

  constructor(store: Store, options: SharedMenusOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** The last check by any process. */
  async lastCheck(locationId: string): Promise<MenuCheck | undefined> {
    const text = await this.#tolerate(() => this.#store.get(this.#key(locationId, 'check')));
    const check = parse(text);
    if (!isRecord(check) || typeof check.versionHash !== 'string' || typeof check.checkedAt !== 'number')
      return undefined;
    return { versionHash: check.versionHash, checkedAt: check.checkedAt };
  }

  /** The menu that a process left last. */
  async menu(locationId: string): Promise<VersionedMenu | undefined> {
    const text = await this.#tolerate(() => this.#store.get(this.#key(locationId, 'menu')));
    const kept = parse(text);
    if (!isRecord(kept) || typeof kept.versionHash !== 'string' || !isRecord(kept.menu)) return undefined;
    return { versionHash: kept.versionHash, menu: kept.menu as unknown as Menu };
  }

  async saveMenu(locationId: string, kept: VersionedMenu): Promise<void> {
    const { ttlMs } = this.#options;
    await this.#tolerate(() => this.#store.set(this.#key(locationId, 'menu'), JSON.stringify(kept), { ttlMs }));
  }

  async saveCheck(locationId: string, check: MenuCheck): Promise<void> {
    const { ttlMs } = this.#options;
    await this.#tolerate(() => this.#store.set(this.#key(locationId, 'check'), JSON.stringify(check), { ttlMs }));
  }

  /** Takes the right to ask the service, which ends by itself after `ttlMs`; `undefined` while another process has it. */
  async lease(locationId: string, ttlMs: number): Promise<(() => Promise<void>) | undefined> {
    const key = this.#key(locationId, 'lease');
    const holder = crypto.randomUUID();
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
    try {
      return await work();
    } catch (error) {
      this.#options.onError(error);
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
