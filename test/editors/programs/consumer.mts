import { type Cart, type CartItemRequest, type HandoffMode, OnlineOrdering, type Order } from 'online-ordering-sdk';
import * as contract from 'online-ordering-sdk/contract';
import { indexMenu } from 'online-ordering-sdk/menus';
import { createMockService } from 'online-ordering-sdk/mock';
import { constructEvent, type KnownEvent } from 'online-ordering-sdk/webhooks';

declare const given: { text: string | undefined; count: number | undefined; signal: AbortSignal | undefined };

const { dispatcher, clock, credentials } = createMockService({ seed: 7 });
const client = new OnlineOrdering({
  ...credentials,
  baseUrl: given.text,
  timeout: given.count,
  dispatcher,
  clock,
  fetch: undefined,
});

/** An explicit `undefined` stands for a field that is left out, in options and in bodies. */
export const cart: Promise<Cart> = client.carts.create(
  { location_id: 'x', customer_id: given.text },
  { idempotencyKey: given.text, signal: given.signal },
);
export const item: CartItemRequest = {
  menu_item_id: 'x',
  quantity: 1,
  modifier_selections: [],
  special_instructions: given.text,
};
export const pickup: HandoffMode = { mode: 'PICKUP', pickup_time: given.text };
export const orders = client.orders.list({ cursor: given.text, customer_id: given.text });
export const refund = client.orders.refunds.create('order', { amount: 1, reason: given.text, line_items: undefined });
export const cancelled = client.orders.cancel('order', { reason: given.text });
export const settled = client.orders.settle('order', {
  tenders: [{ payment_method: 'CREDIT_CARD', payment_token: given.text, amount: 'remaining' }],
  signal: given.signal,
  deadline: given.count,
});

/** The known values are offered although unknown ones are allowed. */
export const known: Order['status'] = 'CONFIRMED';
export const unknown: Order['status'] = 'A_STATUS_OF_THE_FUTURE';

export function locationOf(event: KnownEvent): string {
  return event.event_type === 'stock.updated' ? event.data.items[0]!.item_id : event.data.location_id;
}

// @ts-expect-error a curbside handoff needs the vehicle
export const curbside: HandoffMode = { mode: 'CURBSIDE', vehicle_model: 'Fit', vehicle_color: 'blue' };

export default [constructEvent, indexMenu, contract];
