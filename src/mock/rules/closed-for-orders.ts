import type { Location } from '../../contract/index.js';
import type { Refusal } from '../refusals/refusal.js';
import { unprocessable } from '../refusals/refusal.js';

/** gap LOC-5 */
export function closedForOrders({ name }: Location): Refusal {
  const detail = `"${name}" takes no online orders at present.`;
  return unprocessable('Location is not available for online ordering', detail, 'location_id');
}
