import type { Menu } from '../../contract/index.js';
import { type Clock, sleep } from '../../platform/clock.js';
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

/** A call for a refresh that has not been answered yet. */
interface Expiry {
  readonly at: number;
  /** The version that is said to be current, when that is known. */
  readonly versionHash: string | undefined;
}

/** The menu of one location: what is known, since when, and the refresh under way. */
export class CachedMenu {
  readonly #parts: CachedMenuParts;
  #known: VersionedMenu | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #refresh: { readonly promise: Promise<Menu>; readonly asksService: boolean } | undefined;
  #expiry: Expiry | undefined;
  #failures = 0;
  #retryAt = Number.NEGATIVE_INFINITY;

  constructor(parts: CachedMenuParts) {
    this.#parts = parts;
  }

  get isKnown(): boolean {
    return this.#known !== undefined;
  }

  /** The known menu, or the one that is fetched now when there is none or it is too old to be given. */
  async current(): Promise<Menu> {
    const { clock, maxAgeMs, maxStaleMs } = this.#parts;
    const ageMs = clock.now() - this.#checkedAt;
    if (!this.#known || ageMs >= maxStaleMs) return this.#startRefresh(false);
    if (ageMs >= maxAgeMs || this.#expiry) this.#refreshInBackground();
    return this.#known.menu;
  }

  /** The menu as the service has it now. */
  async refreshed(): Promise<Menu> {
    // One that takes over what another process found out some minutes ago is not an answer here.
    if (this.#refresh?.asksService === false) await this.#refresh.promise.catch(() => {});
    return this.#startRefresh(true);
  }

  expire(versionHash?: string): void {
    if (versionHash !== undefined && versionHash === this.#known?.versionHash) return;
    this.#expiry = { at: this.#parts.clock.now(), versionHash };
    // While nobody has asked for this menu, nobody needs it now.
    if (this.#known) this.#refreshInBackground();
  }

  #refreshInBackground(): void {
    if (this.#refresh || this.#parts.clock.now() < this.#retryAt) return;
    this.#startRefresh(false).catch(this.#parts.report);
  }

  #startRefresh(asksService: boolean): Promise<Menu> {
    if (this.#refresh) return this.#refresh.promise;
    const expiry = this.#expiry;
    const promise = this.#load(asksService).then(
      (menu) => {
        this.#refresh = undefined;
        this.#settled(expiry);
        return menu;
      },
      (error: unknown) => {
        this.#refresh = undefined;
        this.#failed(error);
        throw error;
      },
    );
    this.#refresh = { promise, asksService };
    return promise;
  }

  #settled(expiry: Expiry | undefined): void {
    this.#failures = 0;
    // Another process is asking; until it has, the menu stays as old as it is.
    if (this.#parts.clock.now() < this.#retryAt) return;
    if (this.#expiry === expiry || this.#expiry?.versionHash === this.#known?.versionHash) this.#expiry = undefined;
    // Said to have changed while this refresh was under way, which may have read it before.
    if (this.#expiry) this.#refreshInBackground();
  }

  #failed(error: unknown): void {
    const backoffMs = Math.min(this.#parts.maxAgeMs, FIRST_RETRY_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#retryAt = this.#parts.clock.now() + Math.max(backoffMs, retryAfterMs(error));
  }

  /** From the store when another process has asked lately, else from the service. */
  async #load(asksService: boolean): Promise<Menu> {
    const { shared, locationId, clock } = this.#parts;
    if (!shared || asksService) return this.#ask(shared);
    const adopted = await this.#adopt(shared);
    if (adopted) return adopted;
    const release = await shared.lease(locationId, LEASE_MS);
    if (!release && this.#known && clock.now() - this.#checkedAt < this.#parts.maxStaleMs) {
      this.#retryAt = clock.now() + LOOK_AGAIN_MS;
      return this.#known.menu;
    }
    try {
      return (release ? undefined : await this.#waitForOthers(shared)) ?? (await this.#ask(shared));
    } finally {
      await release?.();
    }
  }

  /** Takes over what another process found out, unless that is too long ago. */
  async #adopt(shared: SharedMenus): Promise<Menu | undefined> {
    const { locationId, clock } = this.#parts;
    const check = await shared.lastCheck(locationId);
    if (!check || !this.#isRecent(check)) return undefined;
    const known = this.#known?.versionHash === check.versionHash ? this.#known : await shared.menu(locationId);
    if (known?.versionHash !== check.versionHash) return undefined;
    // The clock of another machine may be ahead of this one's.
    return this.#keep(known, Math.min(check.checkedAt, clock.now()));
  }

  #isRecent(check: MenuCheck): boolean {
    if (this.#parts.clock.now() - check.checkedAt >= this.#parts.maxAgeMs) return false;
    return !this.#expiry || check.versionHash === this.#expiry.versionHash || check.checkedAt > this.#expiry.at;
  }

  async #waitForOthers(shared: SharedMenus): Promise<Menu | undefined> {
    const { clock } = this.#parts;
    const givesUpAt = clock.now() + LONGEST_WAIT_FOR_OTHERS_MS;
    while (clock.now() < givesUpAt) {
      await sleep(clock, LOOK_AGAIN_MS);
      const adopted = await this.#adopt(shared);
      if (adopted) return adopted;
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
      await shared?.saveCheck(locationId, { versionHash: known.versionHash, checkedAt: askedAt });
      return this.#keep(known, askedAt);
    }
    const menu = await client.menus.retrieve(locationId);
    const versionHash = menu.version_hash ?? metadata?.version_hash ?? '';
    await shared?.saveMenu(locationId, { versionHash, menu });
    await shared?.saveCheck(locationId, { versionHash, checkedAt: askedAt });
    return this.#keep({ versionHash, menu }, askedAt);
  }

  #keep(known: VersionedMenu, checkedAt: number): Menu {
    this.#known = known;
    this.#checkedAt = checkedAt;
    this.#retryAt = Number.NEGATIVE_INFINITY;
    return known.menu;
  }
}
