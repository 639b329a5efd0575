import type { InventoryItem } from '../../contract/index.js';
import { paginate } from '../kernel/pagination.js';
import type { Handler, Route } from '../kernel/route.js';
import { locationInScope } from '../operations/owned-records.js';
import { availabilityOf } from '../operations/stores/change-stock.js';
import { menuItems } from '../rules/menu-items.js';
import type { LocationRecord } from '../state/state.js';

const list: Handler = (request, state) => {
  const record = locationInScope(state, request.partnerId, request.params.location_id ?? '');
  const rules = { list: `inventory:${record.location.id}`, defaultLimit: 100, maximumLimit: 500 };
  return { status: 200, body: paginate(request.query, inventoryOf(record), rules) };
};

/** Items without a stock record are left out: what is not returned is not available (gap INV-1). */
function inventoryOf({ menu, stock }: LocationRecord): InventoryItem[] {
  return menuItems(menu).flatMap((item): InventoryItem[] => {
    const entry = stock.get(item.id);
    const status = availabilityOf(item, entry?.status);
    if (!entry || status === undefined) return [];
    return [{ item_id: item.id, name: item.name, availability_status: status, updated_at: entry.updatedAt }];
  });
}

export const routes: readonly Route[] = [
  { method: 'GET', path: '/locations/{location_id}/inventory', handler: list, idempotency: 'none', scope: 'location' },
];
