import fc from 'fast-check';
import { type Cart, type CartItemRequest, type MenuItem, OnlineOrdering } from 'online-ordering-sdk';
import { availability, checkCart, checkItem, indexMenu, priceOf } from 'online-ordering-sdk/menus';
import { createMockService } from 'online-ordering-sdk/mock';
import { beforeAll, expect, test } from 'vitest';
import { type Draw, drawItems, drawValidItem, menuWith, withSlip } from '../support/records/menu-draws.js';

/** What the service says: the new cart, or the status and the field of its refusal. */
type Verdict = { cart: Cart } | { status: number; field: string | null; message: string };

const service = createMockService({ seed: 7, rateLimits: false });
const locationId = service.samples.locations.downtown;
const client = new OnlineOrdering({
  ...service.credentials,
  dispatcher: service.dispatcher,
  clock: service.clock,
  maxRetries: 0,
  validation: 'off',
});
let timezone: string;

beforeAll(async () => {
  ({ timezone } = await client.locations.retrieve(locationId));
});

/** Sends the item without the client, which would not let a malformed one pass. */
async function send(cart: Cart, item: CartItemRequest, replacing?: string): Promise<Verdict> {
  const items = `${service.credentials.baseUrl}/carts/${cart.id}/items`;
  const answer = await service.fetch(replacing ? `${items}/${replacing}` : items, {
    method: replacing ? 'PUT' : 'POST',
    headers: {
      authorization: `Bearer ${await client.auth.accessToken()}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify(item),
  });
  const body = (await answer.json()) as Cart & { error: { field: string | null; message: string } };
  return answer.ok ? { cart: body } : { status: answer.status, ...body.error };
}

/** The same ids in upper case, which the service takes too. */
function inUpperCase(item: CartItemRequest): CartItemRequest {
  return JSON.parse(JSON.stringify(item), (key, value) => (key.endsWith('_id') ? String(value).toUpperCase() : value));
}

/** A new cart at a location that has these items and nothing else, all of them in stock. */
async function openCart(draw: Draw, items: MenuItem[]): Promise<Cart> {
  service.menu.update(locationId, (menu) => menuWith(menu, items));
  for (const { id } of items) service.stock.set(locationId, id, 'IN_STOCK');
  await service.clock.advance(
    draw(fc.integer, { min: 0, max: 16 }) * 3_600_000 + draw(fc.constantFrom, 0, 1, 899_999, 900_000),
  );
  return client.carts.create({ location_id: locationId });
}

/** What the service computed for the line that was added or replaced. */
function priceIn(cart: Cart, replaced: string | undefined) {
  const line = replaced ? cart.items.find(({ id }) => id === replaced) : cart.items.at(-1);
  return line && { base_price: line.base_price, modifier_total: line.modifier_total, item_total: line.item_total };
}

async function verdicts(draw: Draw) {
  const items = drawItems(draw);
  let cart = await openCart(draw, items);
  for (let lines = draw(fc.integer, { min: 0, max: 2 }); lines > 0; lines -= 1) {
    const added = await send(cart, drawValidItem(draw, items));
    if ('cart' in added) cart = added.cart;
  }
  let item = drawValidItem(draw, items);
  for (let slips = draw(fc.constantFrom, 0, 0, 1, 1, 1, 2); slips > 0; slips -= 1) item = withSlip(draw, item, items);
  if (draw(fc.integer, { min: 0, max: 9 }) === 0) item = inUpperCase(item);
  const soldOut = draw(fc.constantFrom, ...items, ...Array<undefined>(25).fill(undefined));
  if (soldOut) service.stock.set(locationId, soldOut.id, 'OUT_OF_STOCK');
  const replacing = draw(fc.boolean) ? cart.items[0]?.id : undefined;

  const index = indexMenu(await client.menus.retrieve(locationId));
  const stock = soldOut && (await availability(client, locationId, { menu: index }));
  const problems = checkItem(index, item, {
    cart,
    at: service.clock.now(),
    timezone,
    ...(stock && { availability: stock }),
    ...(replacing && { replacing }),
  });
  return {
    verdict: await send(cart, item, replacing),
    problems: problems.filter(({ enforced }) => enforced),
    index,
    item,
    replacing,
  };
}

test('over 1,200 drawn menus and items the checker finds a problem exactly where the service refuses, the first one at the service’s field, and estimates the price that it computes', async () => {
  let refused = 0;
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (draw) => {
      const { verdict, problems, index, item, replacing } = await verdicts(draw);
      if ('cart' in verdict) {
        accepted += 1;
        expect(problems).toEqual([]);
        expect(priceOf(index, item)).toEqual(priceIn(verdict.cart, replacing));
        return;
      }
      refused += 1;
      const [first] = problems;
      expect([400, 404, 422]).toContain(verdict.status);
      expect(first, verdict.message).toBeDefined();
      if (verdict.status === 404) expect(first?.rule).toBe('unknown_item');
      // The 404 of an unknown menu item has no field: there is no other one that it could mean.
      else expect(first?.field, verdict.message).toBe(verdict.field);
    }),
    { numRuns: 1_200 },
  );

  // Both verdicts must be common, or the agreement above would say little.
  expect(Math.min(refused, accepted)).toBeGreaterThan(240);
});

/** Changes the menu as a store does between the first item and the checkout. */
function drawMenuChange(draw: Draw, items: readonly MenuItem[]): MenuItem[] {
  const changed = structuredClone(items) as MenuItem[];
  const item = changed[draw(fc.integer, { min: 0, max: changed.length - 1 })]!;
  const group = item.modifier_groups?.[0];
  const modifier = group?.modifiers[0];
  const kind = draw(
    fc.constantFrom,
    'nothing',
    'price',
    'disable',
    'remove',
    'hours',
    'min',
    'max',
    'modifier',
    'group',
  );
  if (kind === 'price') item.base_price.amount += 10;
  if (kind === 'disable') item.available = false;
  if (kind === 'hours') Object.assign(item, { daily_sales_start_time: '09:00', daily_sales_end_time: '17:00' });
  if (kind === 'min' && group) Object.assign(group, { min_selections: group.min_selections + 1, max_selections: 9 });
  if (kind === 'max' && group) Object.assign(group, { min_selections: 0, max_selections: 1 });
  if (kind === 'modifier' && modifier) modifier.available = false;
  if (kind === 'group') item.modifier_groups?.shift();
  return kind === 'remove' ? changed.filter(({ id }) => id !== item.id) : changed;
}

test('over 500 drawn carts and menu changes the checker finds a problem exactly where the checkout is refused', async () => {
  let refused = 0;
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (draw) => {
      const items = drawItems(draw);
      let cart = await openCart(draw, items);
      for (let lines = 3; lines > 0; lines -= 1) {
        const added = await send(cart, drawValidItem(draw, items));
        if ('cart' in added) cart = added.cart;
      }
      if (cart.items.length === 0) return;
      service.menu.update(locationId, (menu) => menuWith(menu, drawMenuChange(draw, items)));
      await service.clock.advance(draw(fc.integer, { min: 0, max: 16 }) * 3_600_000);

      const menu = await client.menus.retrieve(locationId);
      const handoff = { mode: 'PICKUP' } as const;
      const problems = checkCart(menu, cart, { at: service.clock.now(), timezone, handoff });
      const checkout = client.carts.checkout(cart.id, { handoff_mode: handoff });

      if (problems.every(({ enforced }) => !enforced)) {
        accepted += 1;
        expect((await checkout).cart_id).toBe(cart.id);
      } else {
        refused += 1;
        await expect(checkout, JSON.stringify(problems)).rejects.toMatchObject({ status: 422 });
      }
    }),
    { numRuns: 500 },
  );

  expect(Math.min(refused, accepted)).toBeGreaterThan(100);
});
