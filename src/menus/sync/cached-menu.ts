import type { Menu } from '../../contract/index.js';
import { type Clock, monotonicNow, sleep } from '../../platform/clock.js';
import type { Random } from '../../platform/random.js';
import type { MenuClient } from '../stock/menu-client.js';
import { retryAfterMs } from './retry-after.js';
import type { MenuCheck, MenuLease, SharedMenus, VersionedMenu } from './shared-menus.js';

/** First wait after a refresh that failed, or that did not show the announced version. */
const FIRST_RETRY_MS = 5_000;
/** Longest wait while callers have no menu at all. */
const LONGEST_COLD_RETRY_MS = 30_000;
/** What is left of `maxAgeMs` for a check by another process: its age is not known. */
const ADOPTED_LIFE = 0.1;
/** How long a process without a menu waits for those that ask for all; then it asks for itself (gap OPS-5). */
const LONGEST_WAIT_FOR_OTHERS_MS = 120_000;
/** It looks again after half the time that it has waited, so that many who wait for long cost the store little. */
const FIRST_LOOK_AGAIN_MS = 100;
const LONGEST_LOOK_AGAIN_MS = 5_000;
/** How soon a process that has a menu looks whether the one that asks has finished. */
const LOOK_BESIDE_MS = 1_000;

export interface CachedMenuDeps {
  readonly client: MenuClient;
  readonly locationId: string;
  readonly clock: Clock;
  readonly shared: SharedMenus | undefined;
  readonly maxAgeMs: number;
  readonly maxStaleMs: number;
  readonly random: Random;
  readonly report: (error: unknown) => void;
}

/** The menu was said to have changed, and the change has not been read yet. */
interface Expiry {
  /** The version that is said to be current, when that is known. */
  readonly versionHash: string | undefined;
  /** How often the service was asked and did not show that version. */
  looks: number;
  /** The check in the store when it was first read: one that another process made later has another id. */
  checkBefore?: string | null;
}

/** The menu of one location: what is known, since when, and the refresh under way. */
export class CachedMenu {
  readonly #deps: CachedMenuDeps;
  #known: VersionedMenu | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #refresh: { readonly promise: Promise<Menu>; readonly asksService: boolean } | undefined;
  #expiry: Expiry | undefined;
  #failures = 0;
  #lastError: unknown;
  #retryAt = Number.NEGATIVE_INFINITY;

  constructor(deps: CachedMenuDeps) {
    this.#deps = deps;
  }

  get isKnown(): boolean {
    return this.#known !== undefined;
  }

  /** The known menu, or the one that is fetched now when there is none or it is too old to be given. */
  async current(): Promise<Menu> {
    const { clock, maxAgeMs, maxStaleMs } = this.#deps;
    const now = monotonicNow(clock);
    const ageMs = now - this.#checkedAt;
    if (!this.#known || ageMs >= maxStaleMs) {
      if (this.#failures > 0 && now < this.#retryAt) throw this.#lastError;
      return this.#startRefresh(false);
    }
    if (ageMs >= maxAgeMs || this.#expiry) this.#refreshInBackground();
    return this.#known.menu;
  }

  /** The menu as the service has it now. */
  async refreshed(): Promise<Menu> {
    // One that takes over what another process found out some minutes ago is not enough here.
    if (this.#refresh?.asksService === false) await this.#refresh.promise.catch(() => {});
    return this.#startRefresh(true);
  }

  expire(versionHash?: string): void {
    if (versionHash !== undefined && versionHash === this.#known?.versionHash) return;
    this.#expiry = { versionHash, looks: 0 };
    // A menu that was never asked for is fetched when it is.
    if (this.#known) this.#refreshInBackground();
  }

  #refreshInBackground(): void {
    if (this.#refresh || monotonicNow(this.#deps.clock) < this.#retryAt) return;
    this.#startRefresh(false).catch(this.#deps.report);
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
    const now = monotonicNow(this.#deps.clock);
    this.#failures = 0;
    // Another process is asking; until it has, the menu stays as old as it is.
    if (now < this.#retryAt || !this.#expiry) return;
    const isShown = this.#expiry.versionHash === this.#known?.versionHash;
    if (isShown || (this.#expiry === expiry && expiry.versionHash === undefined)) this.#expiry = undefined;
    // Said to have changed while this refresh was under way, which may have read it before.
    else if (this.#expiry !== expiry) this.#refreshInBackground();
    else this.#lookAgain(expiry, now);
  }

  /** Readings may lag behind events: the announced version is looked for until the next regular check. */
  #lookAgain(expiry: Expiry, now: number): void {
    const waitMs = FIRST_RETRY_MS * 2 ** expiry.looks;
    expiry.looks += 1;
    if (waitMs < this.#deps.maxAgeMs) this.#retryAt = now + waitMs;
    else this.#expiry = undefined;
  }

  #failed(error: unknown): void {
    const { clock, maxAgeMs, maxStaleMs } = this.#deps;
    const now = monotonicNow(clock);
    const isCold = !this.#known || now - this.#checkedAt >= maxStaleMs;
    // A caller that gets an error may call again at once; from the second failure on it waits, too.
    const backoffMs = isCold
      ? Math.min(LONGEST_COLD_RETRY_MS, this.#failures === 0 ? 0 : FIRST_RETRY_MS * 2 ** (this.#failures - 1))
      : Math.min(maxAgeMs, FIRST_RETRY_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#lastError = error;
    this.#retryAt = now + Math.max(backoffMs, retryAfterMs(error));
  }

  /** From the store when another process has asked lately, else from the service. */
  async #load(asksService: boolean): Promise<Menu> {
    const { shared } = this.#deps;
    return shared && !asksService ? this.#loadTogether(shared) : this.#ask(shared);
  }

  /** One process asks for all of them; the others wait for it, unless they have a menu that can be given meanwhile. */
  async #loadTogether(shared: SharedMenus): Promise<Menu> {
    const { locationId, clock, maxStaleMs, random } = this.#deps;
    const startedAt = monotonicNow(clock);
    for (;;) {
      const adopted = await this.#adopt(shared);
      if (adopted) return adopted;
      const lease = await shared.lease(locationId);
      const waitedMs = monotonicNow(clock) - startedAt;
      if (lease !== 'taken') return this.#askForAll(shared, lease);
      if (this.#known && monotonicNow(clock) - this.#checkedAt < maxStaleMs) {
        this.#retryAt = monotonicNow(clock) + LOOK_BESIDE_MS;
        return this.#known.menu;
      }
      if (waitedMs >= LONGEST_WAIT_FOR_OTHERS_MS) return this.#ask(shared);
      const waitMs = Math.min(LONGEST_LOOK_AGAIN_MS, Math.max(FIRST_LOOK_AGAIN_MS, waitedMs / 2));
      await sleep(clock, waitMs * (0.5 + random() / 2));
    }
  }

  async #askForAll(shared: SharedMenus, lease: MenuLease | undefined): Promise<Menu> {
    try {
      // The holder before may have found it between the look and the lease.
      return (lease && (await this.#adopt(shared))) ?? (await this.#ask(shared));
    } finally {
      await lease?.release();
    }
  }

  /** Takes over what another process found out, unless that is too long ago. */
  async #adopt(shared: SharedMenus): Promise<Menu | undefined> {
    const { locationId, clock, maxAgeMs } = this.#deps;
    const check = await shared.lastCheck(locationId);
    if (!this.#isAfterExpiry(check)) return undefined;
    const known = this.#known?.versionHash === check.versionHash ? this.#known : await shared.menu(locationId);
    if (known?.versionHash !== check.versionHash) return undefined;
    return this.#keep(known, monotonicNow(clock) - maxAgeMs * (1 - ADOPTED_LIFE));
  }

  #isAfterExpiry(check: MenuCheck | undefined): check is MenuCheck {
    const expiry = this.#expiry;
    if (!expiry) return check !== undefined;
    if (expiry.versionHash !== undefined) return check?.versionHash === expiry.versionHash;
    if (expiry.checkBefore !== undefined) return check !== undefined && check.id !== expiry.checkBefore;
    expiry.checkBefore = check?.id ?? null;
    return false;
  }

  /** One metadata request decides, where a menu is known; otherwise the menu itself says which version it is. */
  async #ask(shared: SharedMenus | undefined): Promise<Menu> {
    const { client, locationId, clock } = this.#deps;
    const askedAt = monotonicNow(clock);
    const known = this.#known ?? (await shared?.menu(locationId));
    const metadata = known && (await client.menus.retrieveMetadata(locationId));
    if (known && metadata?.version_hash === known.versionHash) {
      await this.#share(shared, known.versionHash);
      return this.#keep(known, askedAt);
    }
    const menu = await client.menus.retrieve(locationId);
    const versionHash = menu.version_hash ?? metadata?.version_hash ?? '';
    await shared?.saveMenu(locationId, { versionHash, menu });
    await this.#share(shared, versionHash);
    return this.#keep({ versionHash, menu }, askedAt);
  }

  /** Writes for other processes which version is current, unless a newer one was announced. */
  async #share(shared: SharedMenus | undefined, versionHash: string): Promise<void> {
    const announced = this.#expiry?.versionHash;
    if (announced === undefined || announced === versionHash)
      await shared?.saveCheck(this.#deps.locationId, versionHash);
  }

  #keep(known: VersionedMenu, checkedAt: number): Menu {
    this.#known = known;
    this.#checkedAt = checkedAt;
    this.#retryAt = Number.NEGATIVE_INFINITY;
    return known.menu;
  }
}
