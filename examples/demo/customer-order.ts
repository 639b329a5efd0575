import {
  type Cart,
  DeadlineExceededError,
  formatMoney,
  type HandoffMode,
  type Location,
  type Menu,
  type Order,
} from 'online-ordering-sdk';
import { availability } from 'online-ordering-sdk/menus';
import { chooseItems, chooseLocation } from './choose-items.js';
import { eventText } from './narrate.js';
import { receiptLines } from './receipt.js';
import { refundOneItem } from './refund-one-item.js';
import type { Stage } from './stage.js';
import { amountLine, heading, say } from './terminal.js';

/** A customer's order from the search for a store to a refund, over the client alone. */
export async function customerOrder(stage: Stage): Promise<void> {
  const { client } = stage;
  const events = await stage.subscribe?.((event) => say(`event, signature verified: ${eventText(event)}`));

  heading('Find a store');
  const location = await findStore(stage);

  heading('Read its menu');
  const menu = await client.menus.retrieve(location.id);
  const items = menu.categories.flatMap((category) => category.items);
  say(`${items.length} items in ${menu.categories.length} categories, version ${menu.version_hash}`);

  heading('Fill a cart');
  const cart = await fillCart(stage, location, menu);

  heading('See the price');
  const price = await client.carts.calculate(cart.id);
  for (const line of receiptLines(price, cart, menu)) say(line);
  if (price.member_pricing_applied) say('Member prices apply.');

  heading('Check out at that price');
  const { order_id: orderId } = await client.carts.checkout(cart.id, { expected_total: price.total.amount });
  say(`order ${orderId}, expected total ${formatMoney(price.total)} confirmed`);

  heading('Pay');
  await pay(stage, orderId);

  heading('Follow the order');
  const order = await follow(stage, orderId);

  heading('Refund one item');
  await refundOneItem(client, order);

  if (events) {
    heading('Events');
    say(`${events.verified} deliveries verified, ${events.refused} refused`);
  }
}

async function findStore({ client }: Stage): Promise<Location> {
  const locations = await client.locations.list().toArray({ limit: 100 });
  for (const { name, address, online_ordering_enabled: enabled } of locations) {
    say(`${name}, ${address.street}, ${address.city}${enabled ? '' : '  (no online orders)'}`);
  }
  const location = chooseLocation(locations);
  say(`=> ${location.name}`);
  return location;
}

async function fillCart({ client, customerId, promoCode }: Stage, location: Location, menu: Menu): Promise<Cart> {
  const stock = await availability(client, location.id, { menu });
  let cart = await client.carts.create({ location_id: location.id, customer_id: customerId });
  for (const item of chooseItems({ menu, stock, location })) {
    cart = await client.carts.items.add(cart.id, item);
    const { quantity, name, item_total: total } = cart.items.at(-1)!;
    say(amountLine(`added ${quantity} x ${name}`, formatMoney(total)));
  }
  const handoff = chooseHandoff(location);
  cart = await client.carts.setHandoff(cart.id, handoff);
  say(`handoff: ${handoff.mode}`);
  if (promoCode === undefined) return cart;

  const { valid, rejection_message: why } = await client.carts.promoCodes.validate(cart.id, promoCode);
  say(valid ? `promo code ${promoCode} applied` : `promo code ${promoCode} does not count: ${why}`);
  return valid ? client.carts.promoCodes.apply(cart.id, promoCode) : cart;
}

function chooseHandoff({ handoff_modes: modes }: Location): HandoffMode {
  if (!modes?.includes('CURBSIDE')) return { mode: 'PICKUP' };
  return { mode: 'CURBSIDE', vehicle_make: 'Honda', vehicle_model: 'Fit', vehicle_color: 'blue' };
}

async function pay({ client, tenders }: Stage, orderId: string): Promise<void> {
  const settlement = await client.orders.settle(orderId, { tenders, deadline: 8_000 });
  for (const { payment_method: method, amount, status, failure_reason: why } of settlement.order.payments) {
    say(amountLine(`${method} ${status}${why ? ` (${why})` : ''}`, formatMoney(amount)));
  }
  say(amountLine('Balance due', formatMoney(settlement.balanceDue)));
  if (settlement.status === 'PAID') return;
  await client.orders.cancel(orderId, { reason: 'The demonstration could not pay' });
  throw new Error(
    `Order ${orderId} was ${settlement.status} after its payments, and is cancelled now. For another service than the ` +
      'mock, set ONLINE_ORDERING_DEMO_PAYMENT_TOKEN to a token that it accepts.',
  );
}

async function follow({ client, kitchen, subscribe, followMs }: Stage, orderId: string): Promise<Order> {
  const cooking = kitchen?.(orderId);
  let shown = '';
  const isHandedOver = (order: Order): boolean => {
    const status = `${order.status}, ${order.payment_status}, ${order.fulfillment_status}`;
    // With events the changes have been told already.
    if (!subscribe && status !== shown) say(status);
    shown = status;
    return order.fulfillment_status === 'FULFILLED' || order.fulfillment_status === 'DELIVERED';
  };
  try {
    const [wait] = await Promise.all([
      client.orders.waitFor(orderId, isHandedOver, { deadline: followMs, polling: { initialDelayMs: 400 } }),
      cooking,
    ]);
    say(wait.reached ? 'handed over to the customer' : `the order ended: ${wait.ended}`);
    return wait.order;
  } catch (error) {
    if (kitchen || !(error instanceof DeadlineExceededError)) throw error;
    say(`not handed over within ${followMs / 1000} s; a real kitchen takes longer than this demonstration`);
    return client.orders.retrieve(orderId);
  }
}
