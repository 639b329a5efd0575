import type { InventoryItem, StockChange } from '../../contract/index.js';
import { type Change, milliseconds, stockSubject, timestamp } from '../event/event-changes.js';
import { isMissed, type Known, withFacet, withMissedChange, withNote, withReading } from '../state/known-state.js';
import { missedEvent, type ReconcileStep } from './missed-change.js';

/** Marks a location whose whole inventory was read before. No item has an empty id. */
const LISTED = '';

const OUT_OF_STOCK = 'OUT_OF_STOCK';

export interface StockReading {
  readonly locationId: string;
  /** The whole inventory: what it does not list is not available ("Authentication and locations"). */
  readonly items: readonly InventoryItem[];
  /** When reading began, in milliseconds. */
  readonly readAt: number;
}

/** What handlers have missed of a location's stock, as one event. */
export function planStock(before: Known, reading: StockReading): ReconcileStep[] {
  const { locationId, items, readAt } = reading;
  const missed: StockChange[] = [];
  let known = before;
  for (const item of items) known = withListedItem(known, item, readAt, missed);
  const listed = new Set(items.map((item) => item.item_id));
  for (const itemId of before.keys()) {
    if (itemId !== LISTED && !listed.has(itemId)) known = withGoneItem(known, itemId, readAt, missed);
  }
  if (!known.has(LISTED)) known = withFacet(known, LISTED, { state: 'listed', place: 0 });
  if (missed.length === 0) return [{ known }];
  // The place in the sequence of all changes here: each one that is handled moves it on.
  let place = 0;
  for (const facet of before.values()) place += facet.place;
  const at = timestamp(readAt);
  const data = { location_id: locationId, items: missed };
  return [{ event: missedEvent('stock.updated', `${stockSubject(locationId)}:#${place}`, at, data), known }];
}

function withListedItem(known: Known, item: InventoryItem, readAt: number, missed: StockChange[]): Known {
  const facet = known.get(item.item_id);
  const state = item.availability_status;
  const change: Change = { facet: item.item_id, state, at: milliseconds(item.updated_at) };
  // Until it was listed, an item was not available; at the very first look nobody can say what it was.
  const isNews = facet ? isMissed(facet, change) : known.has(LISTED) && state !== OUT_OF_STOCK;
  let next: Known;
  if (isNews) {
    missed.push(stockChange(item.item_id, item.name, facet?.state ?? OUT_OF_STOCK, state, item.updated_at));
    next = withMissedChange(known, change, readAt);
  } else {
    next = facet ? withReading(known, change) : withNote(known, change);
  }
  return withFacet(next, item.item_id, { ...next.get(item.item_id)!, name: item.name, gone: undefined });
}

function withGoneItem(known: Known, itemId: string, readAt: number, missed: StockChange[]): Known {
  const facet = known.get(itemId)!;
  // A delivery may have told of a new item after the list was read.
  if (facet.gone || (facet.at !== undefined && facet.at > readAt)) return known;
  let next = known;
  if (facet.state !== OUT_OF_STOCK) {
    const at = timestamp(readAt);
    missed.push(stockChange(itemId, facet.name ?? '', facet.state, OUT_OF_STOCK, at));
    // No time of its own: its identity is its place in the sequence of states seen.
    next = withMissedChange(known, { facet: itemId, state: OUT_OF_STOCK, at: undefined }, readAt);
  }
  return withFacet(next, itemId, { ...next.get(itemId)!, gone: true });
}

function stockChange(itemId: string, name: string, before: string, now: string, at: string): StockChange {
  return { item_id: itemId, name, previous_status: before, current_status: now, updated_at: at };
}
