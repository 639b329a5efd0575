import type { Context } from 'hono';
import type { Order } from 'online-ordering-sdk';
import { Unfit } from './explain.js';
import type { Visit } from './visit.js';

/** The JSON that the page has sent; the SDK holds its values to the interface document. */
export async function bodyOf<T extends object>(c: Context): Promise<T> {
  const body: unknown = await c.req.json().catch(() => undefined);
  if (typeof body !== 'object' || body === null) throw new Unfit('The shop did not understand this.');
  return body as T;
}

export function storeOf(storeId: string | undefined): string {
  if (storeId === undefined) throw new Unfit('Choose a store first.');
  return storeId;
}

export function orderOf({ order }: Visit): Order {
  if (!order) throw new Unfit('There is no order yet.');
  return order;
}
