import { z } from 'zod';
import { INVENTORY_STATUSES, type InventoryItem } from '../records/inventory.js';
import { once } from './once.js';
import { openEnum } from './open-enum.js';
import { record } from './record.js';
import { id, timestamp } from './scalars.js';

/** Schema of {@link InventoryItem}. */
export const inventoryItemSchema = once(() =>
  record<InventoryItem>({
    item_id: id(),
    name: z.string(),
    availability_status: openEnum(INVENTORY_STATUSES),
    updated_at: timestamp(),
  }),
);
