import type { Menu } from '../contract/index.js';
import { type Clock, sleep } from '../platform/clock.js';
import type { MenuClient } from './menu-client.js';
import { retryAfterMs } from './retry-after.js';
import type { MenuCheck, SharedMenus, VersionedMenu } from './shared-menus.js';

/** First wait after a refresh that failed. */
const FIRST_RETRY_MS = 5_000;
/** How long one process may ask for all of them. */
const LEASE_MS = 30_000;
/** How long a process without a menu waits for the one that asks, and how often it looks. */
const LONGEST_WAIT_FOR_OTHERS_MS = 5_000;
const LOOK_AGAIN_MS = 100;

export interface CachedMenuParts {
  readonly client: MenuClient;
  readonly locationId: string;
  readonly clock: Clock;
  readonly shared: SharedMenus | undefined;
  readonly maxAgeMs: number;
  readonly maxStaleMs: number;
  readonly report: (error: unknown) => void;
}

/** The menu of one location: what is known, since when, and the refresh under way. */
export class CachedMenu {
  readonly #parts: CachedMenuParts;
  #known: VersionedMenu | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #refresh: Promise<Menu> | undefined;
  /** Grows with each `expire`; a refresh that began before one may have read the old menu. */
  #generation = 0;
  #expired = false;
  #failures = 0;
  #retryAt = Number.NEGATIVE_INFINITY;

  constructor(parts: CachedMenuParts) {
    this.#parts = parts;
  }

  /** The known menu, or the one that is fetched now when there is none or it is too old to be given. */
  async current(): Promise<Menu> {
    const { clock, maxAgeMs, maxStaleMs } = this.#parts;
    const ageMs = clock.now() - this.#checkedAt;
    if (!this.#known || ageMs >= maxStaleMs) return this.#startRefresh(false);
    if (ageMs >= maxAgeMs || this.#expired) this.#refreshInBackground();
    return this.#known.menu;
  }

  /** The menu as the service has it now. */
  refreshed(): Promise<Menu> {
    return this.#startRefresh(true);
  }

  expire(versionHash?: string): void {
    if (versionHash !== undefined && versionHash === this.#known?.versionHash) return;
    this.#generation += 1;
    this.#expired = true;
    // Nobody has asked for this menu yet, so nobody needs it now.
    if (this.#known) this.#refreshInBackground();
  }

  #refreshInBackground(): void {
    if (this.#refresh || this.#parts.clock.now() < this.#retryAt) return;
    this.#startRefresh(false).catch(this.#parts.report);
  }

  #startRefresh(askNow: boolean): Promise<Menu> {
    if (this.#refresh) return this.#refresh;
    const generation = this.#generation;
    const refresh = this.#load(askNow || this.#expired).then(
      (menu) => {
        this.#refresh = undefined;
        this.#failures = 0;
        if (generation === this.#generation) this.#expired = false;
        else this.#refreshInBackground();
        return menu;
      },
      (error: unknown) => {
        this.#refresh = undefined;
        const backoffMs = Math.min(this.#parts.maxAgeMs, FIRST_RETRY_MS * 2 ** this.#failures);
        this.#failures += 1;
        this.#retryAt = this.#parts.clock.now() + Math.max(backoffMs, retryAfterMs(error));
        throw error;
      },
    );
    this.#refresh = refresh;
    return refresh;
  }

  /** From the store when another process has asked lately, else from the service. */
  async #load(askNow: boolean): Promise<Menu> {
    const { shared, locationId, clock } = this.#parts;
    if (!shared) return this.#ask(undefined);
    if (!askNow) {
      const found = await this.#adopt(await shared.lastCheck(locationId));
      if (found) return found;
    }
    const release = await shared.lease(locationId, LEASE_MS);
    if (!release && this.#known && !askNow) {
      this.#retryAt = clock.now() + LOOK_AGAIN_MS;
      return this.#known.menu;
    }
    const fromOther = release || askNow ? undefined : await this.#waitForOthers(shared);
    if (fromOther) return fromOther;
    try {
      return await this.#ask(shared);
    } finally {
      await release?.();
    }
  }

  /** Takes over what another process found out, unless that is too long ago. */
  async #adopt(check: MenuCheck | undefined): Promise<Menu | undefined> {
    const { shared, locationId, clock, maxAgeMs } = this.#parts;
    if (!check || clock.now() - check.checkedAt >= maxAgeMs) return undefined;
    if (check.versionHash !== this.#known?.versionHash) {
      const kept = await shared?.menu(locationId);
      if (kept?.versionHash !== check.versionHash) return undefined;
      this.#known = kept;
    }
    // The clock of another machine may be ahead of this one's.
    this.#checkedAt = Math.min(check.checkedAt, clock.now());
    return this.#known?.menu;
  }

  async #waitForOthers(shared: SharedMenus): Promise<Menu | undefined> {
    const { clock, locationId } = this.#parts;
    const givesUpAt = clock.now() + LONGEST_WAIT_FOR_OTHERS_MS;
    while (clock.now() < givesUpAt) {
      await sleep(clock, LOOK_AGAIN_MS);
      const found = await this.#adopt(await shared.lastCheck(locationId));
      if (found) return found;
    }
    return undefined;
  }

  /** One metadata request decides, where a menu is known; otherwise the menu itself says which version it is. */
  async #ask(shared: SharedMenus | undefined): Promise<Menu> {
    const { client, locationId, clock } = this.#parts;
    const askedAt = clock.now();
    const known = this.#known ?? (await shared?.menu(locationId));
    const metadata = known && (await client.menus.retrieveMetadata(locationId));
    if (known && metadata?.version_hash === known.versionHash) {
      this.#known = known;
    } else {
      const menu = await client.menus.retrieve(locationId);
      this.#known = { versionHash: menu.version_hash ?? metadata?.version_hash ?? '', menu };
      await shared?.saveMenu(locationId, this.#known);
    }
    this.#checkedAt = askedAt;
    await shared?.saveCheck(locationId, { versionHash: this.#known.versionHash, checkedAt: askedAt });
    return this.#known.menu;
  }
}
