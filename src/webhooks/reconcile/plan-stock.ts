import type { InventoryItem, StockChange } from '../../contract/index.js';
import { type Change, stockSubject } from '../event/event-changes.js';
import { serviceTime, timestamp } from '../event/service-time.js';
import {
  afterMissedChange,
  afterReading,
  firstNote,
  isMissed,
  type Known,
  type KnownFacet,
} from '../state/known-state.js';
import { missedEvent, type ReconcileStep } from './missed-change.js';

/** Marks a location whose whole inventory was read before. No item has an empty id. */
const LISTED = '';

const OUT_OF_STOCK = 'OUT_OF_STOCK';

/** Items that are no longer listed and still remembered; the ones that went first are forgotten beyond that. */
const MOST_GONE = 1_000;

export interface StockReading {
  readonly locationId: string;
  /** The whole inventory: what it does not list is not available ("Authentication and locations"). */
  readonly items: readonly InventoryItem[];
  /** When reading began, in milliseconds. */
  readonly readAt: number;
  /** What was known when reading began. */
  readonly knownBefore: Known;
}

/** What handlers have missed of a location's stock, as one event. */
export function planStock(before: Known, reading: StockReading): ReconcileStep[] {
  const { locationId, readAt } = reading;
  const missed: StockChange[] = [];
  // One copy for the whole inventory, which may have thousands of items.
  const known = new Map(before);
  const isFirst = !before.has(LISTED);
  for (const item of reading.items) known.set(item.item_id, listedItem(known.get(item.item_id), item, isFirst, missed));
  const gone = goneItems(before, reading);
  for (const [itemId, facet] of gone) known.set(itemId, goneItem(itemId, facet, readAt, missed));
  forgetGone(known);
  if (isFirst) known.set(LISTED, { state: 'listed', place: 0 });
  if (missed.length === 0) return [{ known }];
  // The place in the sequence of all changes here: each one that is handled moves it on.
  let place = 0;
  for (const facet of before.values()) place += facet.place;
  const at = timestamp(readAt);
  const data = { location_id: locationId, items: missed };
  return [{ event: missedEvent('stock.updated', `${stockSubject(locationId)}:#${place}`, at, data), known }];
}

function listedItem(
  facet: KnownFacet | undefined,
  item: InventoryItem,
  isFirst: boolean,
  missed: StockChange[],
): KnownFacet {
  const state = item.availability_status;
  const change: Change = { facet: item.item_id, state, at: serviceTime(item.updated_at) };
  // Until it was listed, an item was not available; at the very first reading its former state is not known.
  const isNews = facet ? isMissed(facet, change) : !isFirst && state !== OUT_OF_STOCK;
  if (isNews) missed.push(stockChange(item.item_id, item.name, facet?.state ?? OUT_OF_STOCK, state, item.updated_at));
  const next = isNews ? afterMissedChange(facet, change) : facet ? afterReading(facet, change) : firstNote(change);
  return { ...next, name: item.name, gone: undefined };
}

/** Items that are known and no longer listed. */
function goneItems(before: Known, { items, knownBefore }: StockReading): [string, KnownFacet][] {
  const listed = new Set(items.map((item) => item.item_id));
  return [...before].filter(
    ([itemId, facet]) =>
      itemId !== LISTED &&
      !listed.has(itemId) &&
      !facet.gone &&
      // A delivery may have reported a new item while the list was read.
      knownBefore.get(itemId)?.place === facet.place,
  );
}

function goneItem(itemId: string, facet: KnownFacet, readAt: number, missed: StockChange[]): KnownFacet {
  if (facet.state === OUT_OF_STOCK) return { ...facet, gone: true };
  missed.push(stockChange(itemId, facet.name ?? '', facet.state, OUT_OF_STOCK, timestamp(readAt)));
  // No time of its own: its identity is its place in the sequence of states seen.
  return { ...afterMissedChange(facet, { facet: itemId, state: OUT_OF_STOCK, at: undefined }), gone: true };
}

function forgetGone(known: Map<string, KnownFacet>): void {
  const gone = [...known].filter(([, facet]) => facet.gone);
  for (const [itemId] of gone.slice(0, Math.max(0, gone.length - MOST_GONE))) known.delete(itemId);
}

function stockChange(itemId: string, name: string, before: string, now: string, at: string): StockChange {
  return { item_id: itemId, name, previous_status: before, current_status: now, updated_at: at };
}
