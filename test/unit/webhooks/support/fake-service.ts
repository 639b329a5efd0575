import type { InventoryItem, MenuMetadata, OrderSummary } from '../../../../src/contract/index.js';
import type { ReconciledLocation, ReconcilerClient, ReconcilerOrdersQuery } from '../../../../src/webhooks/index.js';
import { AT, LOCATION_ID } from './sample-events.js';

/** What the reconciler reads, in memory; `reads` tells what was asked for. */
export class FakeService implements ReconcilerClient {
  readonly orderRecords = new Map<string, OrderSummary>();
  readonly stock = new Map<string, InventoryItem>();
  readonly reads: string[] = [];
  readonly fail = new Map<string, Error>();
  menuMetadata: MenuMetadata = { location_id: LOCATION_ID, version_hash: 'sha256:a', last_modified: AT };

  readonly #read = (name: string) => {
    this.reads.push(name);
    const error = this.fail.get(name.split(' ')[0]!);
    if (error) throw error;
  };

  /** Newest first, as the service lists them. */
  readonly #ordersOf = (query: ReconcilerOrdersQuery = {}) =>
    [...this.orderRecords.values()]
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

  readonly #each = async function* <Item>(this: FakeService, name: string, items: () => Item[]) {
    this.#read(name);
    yield* items();
  }.bind(this) as <Item>(name: string, items: () => Item[]) => AsyncIterable<Item>;

  /** Fields of every location beside its id: its hours. */
  location: Omit<ReconciledLocation, 'id'> = {};

  readonly locations = {
    list: () => this.#each('locations', (): ReconciledLocation[] => [{ id: LOCATION_ID, ...this.location }]),
    retrieve: async (id: string) => {
      this.#read(`location ${id}`);
      return { id, ...this.location };
    },
    listInventory: (id: string) => this.#each(`inventory ${id}`, () => [...this.stock.values()]),
  };

  readonly menus = {
    retrieveMetadata: async (id: string) => {
      this.#read(`metadata ${id}`);
      return this.menuMetadata;
    },
  };

  readonly orders = {
    list: (query?: ReconcilerOrdersQuery) =>
      this.#each(
        query?.limit === 1 ? 'newest order' : `orders ${query?.status ?? query?.fulfillment_status ?? 'all'}`,
        () => this.#ordersOf(query).map((order) => ({ ...order })),
      ),
    retrieve: async (id: string) => {
      this.#read(`order ${id}`);
      return { ...this.orderRecords.get(id)! };
    },
  };

  /** Writes an order in a state written as `status|fulfillment_status|payment_status`. */
  order(id: string, state: string, updatedAt: string, createdAt = AT): void {
    const [status = '', fulfillment = '', payment = ''] = state.split('|');
    this.orderRecords.set(id, {
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

  item(id: string, status: string, updatedAt: string): void {
    this.stock.set(id, { item_id: id, name: `Item ${id}`, availability_status: status, updated_at: updatedAt });
  }
}
