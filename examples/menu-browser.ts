/**
 * Prints the menu of a store with prices, hours, ages and restrictions, and checks a cart before anything is sent.
 *
 *   npx tsx examples/menu-browser.ts
 *
 * Runs against the service that ONLINE_ORDERING_BASE_URL, _CLIENT_ID and _CLIENT_SECRET name, and against the embedded
 * mock service without them.
 */
import { formatMoney, type MenuItem, type ModifierSelectionRequest, OnlineOrdering } from 'online-ordering-sdk';
import {
  type Availability,
  allowedTenders,
  availability,
  type CartItemDraft,
  checkCart,
  checkItem,
  choices,
  type GroupChoice,
  indexMenu,
  isOnSale,
  isOpen,
  type MenuIndex,
  priceOf,
} from 'online-ordering-sdk/menus';
import { createMockService } from 'online-ordering-sdk/mock';

const service = process.env.ONLINE_ORDERING_BASE_URL ? undefined : createMockService({ seed: 7 });
const clock = service?.clock ?? { now: () => Date.now() };
await using client = service
  ? new OnlineOrdering({ ...service.credentials, dispatcher: service.dispatcher, clock: service.clock })
  : new OnlineOrdering();

const locations = await client.locations.list().toArray({ limit: 100 });
const location = locations.find(({ online_ordering_enabled }) => online_ordering_enabled);
if (!location) throw new Error('No location of this account takes online orders.');

const index = indexMenu(await client.menus.retrieve(location.id));
const stock = await availability(client, location.id, { menu: index });
const { timezone } = location;
const at = clock.now();

const opening = { true: 'open now', false: 'closed now', undefined: 'hours not known' }[`${isOpen(location, at)}`];
console.log(`${location.name}, ${location.address.city} (${opening}, ${timezone})`);
printMenu(index, stock);
await checkAndSend(index, location.id);

function printMenu(menu: MenuIndex, inventory: Availability): void {
  let category: string | undefined;
  for (const item of menu.items) {
    if (item.category.name !== category) console.log(`\n${item.category.name}`);
    category = item.category.name;
    const soldOut = inventory.item(item.id)?.available === false ? ['sold out'] : [];
    const facts = [...factsOf(item.raw), ...soldOut].join(', ');
    console.log(`  ${item.name.padEnd(34)} ${formatMoney(item.raw.base_price).padStart(9)}  ${facts}`);
  }
}

function factsOf(item: MenuItem): string[] {
  const hours = item.daily_sales_start_time ?? item.daily_sales_end_time;
  const facts: string[] = [];
  if (hours) {
    const window = `${item.daily_sales_start_time ?? '00:00'} to ${item.daily_sales_end_time ?? '24:00'}`;
    facts.push(isOnSale(item, at, timezone) ? window : `${window} only`);
  }
  if (item.minimum_age) facts.push(`age ${item.minimum_age}`);
  if (item.max_allowed_quantity) facts.push(`at most ${item.max_allowed_quantity}`);
  if (item.tender_restriction_level === 'RESTRICTED')
    facts.push(`pay with ${item.allowed_tenders?.join(' or ') ?? 'any'}`);
  const groups = item.modifier_groups?.map(({ name, min_selections }) =>
    min_selections > 0 ? `${name} (required)` : name,
  );
  if (groups?.length) facts.push(`choose: ${groups.join(', ')}`);
  return facts;
}

/** A cart with slips is repaired by what the checker says, before the service ever sees it. */
async function checkAndSend(menu: MenuIndex, locationId: string): Promise<void> {
  const options = { at, timezone, availability: stock, handoff: 'PICKUP' };
  const wanted = menu.items.filter(({ id, groups }) => stock.item(id)?.available && groups.length > 0).slice(0, 5);
  const sellable = wanted
    .map(({ id }) => withRequired(menu, id))
    .find((item) => checkItem(menu, item, options).length === 0);
  if (!sellable) throw new Error('Nothing with modifiers is on sale now.');

  console.log('\nA cart with slips:');
  const bare = { ...sellable, quantity: 0, modifier_selections: [] };
  for (const { field, message } of checkItem(menu, bare, options)) console.log(`  ${field}: ${message}`);

  console.log('\nThe same cart, repaired:');
  const price = priceOf(menu, sellable);
  console.log(
    `  ${menu.item(sellable.menu_item_id)?.name}: ${price ? formatMoney(price.item_total) : 'price not known'}`,
  );
  const draft = { items: [sellable] };
  console.log(`  problems: ${checkCart(menu, draft, options).length}`);
  console.log(`  tenders: ${allowedTenders(menu, draft, options).tenders.join(', ')}`);

  const cart = await client.carts.create({ location_id: locationId });
  const filled = await client.carts.items.add(cart.id, {
    ...sellable,
    modifier_selections: [...(sellable.modifier_selections ?? [])],
  });
  console.log(`  the service says: ${formatMoney(filled.subtotal)} before tax and fees`);
  await client.carts.abandon(cart.id);
}

/** The item with the fewest modifiers that it can be ordered with: its defaults first, then what is available. */
function withRequired(menu: MenuIndex, itemId: string): CartItemDraft {
  const draft = { menu_item_id: itemId, quantity: 1 };
  return { ...draft, modifier_selections: required(choices(menu, itemId) ?? []) };
}

function required(groups: readonly GroupChoice[]): ModifierSelectionRequest[] {
  return groups.flatMap(({ groupId, stillRequired, modifiers }) =>
    modifiers
      .filter(({ stillAllowed }) => stillAllowed !== 0)
      .sort((one, other) => Number(other.isDefault) - Number(one.isDefault))
      .slice(0, stillRequired)
      .map(({ modifierId, nested }) => ({
        modifier_group_id: groupId,
        modifier_id: modifierId,
        quantity: 1,
        nested_selections: required(nested.flatMap(({ groups: below }) => below)),
      })),
  );
}
