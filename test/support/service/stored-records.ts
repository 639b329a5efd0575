import type { InventoryItem, Location, Menu, OrderSummary } from '../../../src/contract/index.js';
import type { WatchClient } from '../../../src/menus/index.js';
import type { ReconcilerClient, ReconcilerOrdersQuery } from '../../../src/webhooks/index.js';
import { AT } from '../records/events.js';
import { LOCATION_ID } from '../records/ids.js';

/** The service of the tests as `/menus` and `/webhooks` see it: records that are read, without requests. */
export class StoredRecords {
  readonly orders = new Map<string, OrderSummary>();
  readonly inventory = new Map<string, InventoryItem>();
  readonly menus: Map<string, Menu>;
  /** Fields of every location beside its id. */
  location: Partial<Location> = { timezone: 'UTC' };
  /** Every read so far, as `metadata store-1`. */
  readonly reads: string[] = [];
  /** When set, every read waits for it, and fails with what it throws. */
  gate: (() => Promise<void>) | undefined;
  /** Reads that fail, by the first word of their name. */
  readonly fail = new Map<string, Error>();

  /** @param menus - by the id of their location; without them one location, with an empty menu. */
  constructor(menus?: Readonly<Record<string, Menu>>) {
    this.menus = new Map(Object.entries(menus ?? {}));
    if (!menus) this.menu('sha256:a', AT);
  }

  /** What is handed to the module in the place of a client. */
  readonly client = {
    locations: {
      list: () => this.#list('locations', () => [...this.menus.keys()].map((id) => this.#location(id))),
      retrieve: (id: string) => this.#read(`location ${id}`, () => this.#location(id)),
      listInventory: (id: string) => this.#list(`inventory ${id}`, () => [...this.inventory.values()]),
    },
    menus: {
      retrieve: (id: string) => this.#read(`menu ${id}`, () => this.#menu(id)),
      retrieveMetadata: (id: string) =>
        this.#read(`metadata ${id}`, () => {
          const { location_id, last_modified, version_hash } = this.#menu(id);
          return { location_id, last_modified, version_hash };
        }),
    },
    orders: {
      list: (query: ReconcilerOrdersQuery = {}) =>
        this.#list(
          query.limit === 1 ? 'newest order' : `orders ${query.status ?? query.fulfillment_status ?? 'all'}`,
          () => this.#ordersOf(query),
        ),
      retrieve: (id: string) => this.#read(`order ${id}`, () => this.orders.get(id)!),
    },
  } satisfies ReconcilerClient & WatchClient;

  /** Writes an order in a state written as `status|fulfillment_status|payment_status`. */
  order(id: string, state: string, updatedAt: string, createdAt = AT): void {
    const [status = '', fulfillment = '', payment = ''] = state.split('|');
    this.orders.set(id, {
      id,
      location_id: LOCATION_ID,
      status,
      fulfillment_status: fulfillment,
      payment_status: payment,
      handoff_mode: 'PICKUP',
      total: { amount: 1250, currency: 'USD' },
      created_at: createdAt,
      updated_at: updatedAt,
    });
  }

  item(id: string, status: string, updatedAt = AT): void {
    this.inventory.set(id, { item_id: id, name: `Item ${id}`, availability_status: status, updated_at: updatedAt });
  }

  /** Writes an empty menu. */
  menu(versionHash: string, lastModified: string): void {
    this.menus.set(LOCATION_ID, {
      location_id: LOCATION_ID,
      version_hash: versionHash,
      last_modified: lastModified,
      categories: [],
    });
  }

  /** Changes a menu as the service would: another hash, another object. */
  changeMenu(locationId: string, versionHash: string, change: (menu: Menu) => void): void {
    const menu = structuredClone(this.#menu(locationId));
    change(menu);
    this.menus.set(locationId, { ...menu, version_hash: versionHash });
  }

  async #read<Value>(name: string, value: () => Value): Promise<Value> {
    this.reads.push(name);
    await this.gate?.();
    const error = this.fail.get(name.split(' ')[0]!);
    if (error) throw error;
    return structuredClone(value());
  }

  async *#list<Item>(name: string, items: () => Item[]): AsyncGenerator<Item> {
    yield* await this.#read(name, items);
  }

  #menu(locationId: string): Menu {
    const menu = this.menus.get(locationId);
    if (!menu) throw new Error(`no menu of ${locationId}`);
    return menu;
  }

  #location(id: string): Location {
    return { id, ...this.location } as Location;
  }

  /** Newest first, as the service lists them. */
  #ordersOf(query: ReconcilerOrdersQuery): OrderSummary[] {
    return [...this.orders.values()]
      .reverse()
      .sort((a, b) => b.created_at.localeCompare(a.created_at))
      .filter(
        (order) =>
          (query.fulfillment_status === undefined || order.fulfillment_status === query.fulfillment_status) &&
          (query.status === undefined || order.status === query.status) &&
          (query.location_id === undefined || order.location_id === query.location_id) &&
          (query.date_from === undefined || new Date(order.created_at) >= query.date_from) &&
          (query.date_to === undefined || new Date(order.created_at) <= query.date_to),
      );
  }
}
