import type { InventoryItem } from '../../contract/index.js';
import { isOpen } from '../../hours/business-hours.js';
import { monotonicNow } from '../../platform/clock.js';
import { hoursSubject, menuSubject, stockSubject } from '../event/event-changes.js';
import { planHours } from './plan-hours.js';
import { planMenu } from './plan-menu.js';
import { planStock } from './plan-stock.js';
import type { ReconcileRun } from './reconcile-run.js';
import type { ReconciledLocation, ReconcilerClient } from './reconciler-client.js';

/** Up to so many chosen locations are read one by one; for more, the list of all costs less. */
const MOST_SINGLE_READS = 20;
/** How often locations are read, for their hours. */
const LOCATIONS_EVERY_MS = 1_800_000;

export interface LocationsReadingOptions {
  readonly client: ReconcilerClient;
  /** Left out: all locations. */
  readonly chosen: (() => Promise<readonly string[]>) | undefined;
  readonly resources: ReadonlySet<string>;
  /** Between two readings of a closed location's menu and stock. */
  readonly closedEveryMs: number;
}

/** Reads locations with their hours, menus and stock, and compares them with what is known. */
export class LocationsReading {
  readonly #options: LocationsReadingOptions;
  #known = new Map<string, ReconciledLocation>();
  #readAt = Number.NEGATIVE_INFINITY;
  #readIds = '';

  constructor(options: LocationsReadingOptions) {
    this.#options = options;
  }

  /** Ids of the locations to look after. */
  async ids(run: ReconcileRun): Promise<readonly string[]> {
    const chosen = await this.#options.chosen?.();
    await this.#readLocations(run, chosen);
    return chosen ?? [...this.#known.keys()];
  }

  async reconcile(run: ReconcileRun, ids: readonly string[]): Promise<void> {
    const { resources, closedEveryMs } = this.#options;
    for (const id of ids) {
      if (resources.has('hours')) await run.attempt(`hours of ${id}`, () => this.#reconcileHours(run, id));
      if (!resources.has('menus') && !resources.has('stock')) continue;
      const mark = `closed:${id}`;
      const isClosed = this.#isClosed(run, id);
      if (isClosed && run.options.onlyDue && (await run.readMark(mark)) !== undefined) continue;
      const menu = !resources.has('menus') || (await run.attempt(`menu of ${id}`, () => this.#reconcileMenu(run, id)));
      const stock =
        !resources.has('stock') || (await run.attempt(`stock of ${id}`, () => this.#reconcileStock(run, id)));
      // All processes leave a closed location alone for that long; a tenth less, for runs that come a little early.
      if (isClosed && menu && stock) await run.attempt(mark, () => run.writeMark(mark, 1, closedEveryMs * 0.9));
    }
  }

  async #readLocations(run: ReconcileRun, chosen: readonly string[] | undefined): Promise<void> {
    const { client } = this.#options;
    const { signal, clock, onlyDue } = run.options;
    const now = monotonicNow(clock);
    const ids = chosen?.join() ?? '*';
    if (onlyDue && ids === this.#readIds && now - this.#readAt < LOCATIONS_EVERY_MS) return;
    const found = new Map<string, ReconciledLocation>();
    let isComplete = true;
    if (chosen && chosen.length <= MOST_SINGLE_READS) {
      for (const id of chosen) {
        const read = () => client.locations.retrieve(id, { signal });
        const isRead = await run.attempt(`hours of ${id}`, async () => found.set(id, await read()));
        isComplete &&= isRead;
      }
    } else {
      const list = async () => {
        for await (const location of client.locations.list({ limit: 100 }, { signal })) {
          found.set(location.id, location);
        }
      };
      if (chosen) isComplete = await run.attempt('locations', list);
      else await list();
    }
    this.#known = found;
    this.#readIds = ids;
    if (isComplete) this.#readAt = now;
  }

  #isClosed(run: ReconcileRun, id: string): boolean {
    const location = this.#known.get(id);
    return location !== undefined && isOpen(location, run.options.clock.now()) === false;
  }

  async #reconcileHours(run: ReconcileRun, id: string): Promise<void> {
    const hours = this.#known.get(id)?.business_hours;
    if (!Array.isArray(hours)) return;
    const readAt = run.options.clock.now();
    await run.reconcile({
      subject: hoursSubject(id),
      plan: (known) => planHours(known, { locationId: id, hours, readAt }),
    });
  }

  async #reconcileMenu(run: ReconcileRun, id: string): Promise<void> {
    const { signal, clock } = run.options;
    const metadata = await this.#options.client.menus.retrieveMetadata(id, { signal });
    const readAt = clock.now();
    await run.reconcile({
      subject: menuSubject(id),
      plan: (known) => planMenu(known, { ...metadata, location_id: id }, readAt),
    });
  }

  async #reconcileStock(run: ReconcileRun, id: string): Promise<void> {
    const { signal, clock, receiver } = run.options;
    const { known: knownBefore } = await receiver.engine.known.load(stockSubject(id));
    const readAt = clock.now();
    const items: InventoryItem[] = [];
    const list = this.#options.client.locations.listInventory(id, { limit: 500 }, { signal });
    for await (const item of list) items.push(item);
    await run.reconcile({
      subject: stockSubject(id),
      plan: (known) => planStock(known, { locationId: id, items, readAt, knownBefore }),
    });
  }
}
