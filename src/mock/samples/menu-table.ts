import { breakfast, hotFood, sandwiches } from './deli-rows.js';
import { beer, coffee, coldDrinks } from './drink-rows.js';
import type { CategoryRow, ItemRow } from './menu-rows.js';
import { automotive, counter, groceries, snacks } from './shelf-rows.js';

/** The categories in the order of their display. */
export const categoryRows: readonly CategoryRow[] = [
  { name: 'Deli & Sandwiches', description: 'Made to order.', items: sandwiches },
  { name: 'Breakfast', description: 'Every day from five to eleven.', items: breakfast },
  { name: 'Hot food', description: 'From the grill and the oven.', items: hotFood },
  { name: 'Coffee', description: 'Freshly brewed.', items: coffee },
  { name: 'Cold drinks', description: 'From the fountain and the cooler.', items: coldDrinks },
  { name: 'Beer & Seltzer', description: 'For customers of 21 and older.', items: beer },
  { name: 'Snacks', description: 'Sweet and salty.', items: snacks },
  { name: 'Groceries', description: 'What is missing at home.', items: groceries },
  { name: 'Automotive', description: 'For the road.', items: automotive },
  { name: 'At the counter', description: 'Tickets and cards.', items: counter },
];

const itemRows = {
  ...sandwiches,
  ...breakfast,
  ...hotFood,
  ...coffee,
  ...coldDrinks,
  ...beer,
  ...snacks,
  ...groceries,
  ...automotive,
  ...counter,
};

/** The name by which samples are asked for an item: `turkeySub`, `latte`. */
export type SampleItem = keyof typeof itemRows;

export const sampleItems = Object.keys(itemRows) as SampleItem[];

export function itemRow(item: SampleItem): ItemRow {
  return itemRows[item];
}
