import type { MenuItem } from '../../contract/index.js';
import { unprocessable } from '../kernel/refusals.js';
import { acceptedTenders } from './tenders.js';

/** Refuses items that accept no common tender: per-item tenders are not supported (cart rule 7, planned). */
export function checkCommonTender(items: readonly MenuItem[], field: string): void {
  if (acceptedTenders(items)?.length !== 0) return;
  const names = items.map(({ name }) => `"${name}"`).join(', ');
  throw unprocessable('Invalid tender for item', `No tender is accepted by all of ${names}.`, field);
}
