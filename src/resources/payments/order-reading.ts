import type { Order } from '../../contract/index.js';
import type { Caller } from '../caller.js';
import type { TimeLimitOptions } from '../time-limit.js';

export interface OrderReading {
  readonly order: Order;
  /** The service's clock at the response, from its header `Date`; `undefined` when it sent none. */
  readonly serverNowMs: number | undefined;
}

/** Reads an order together with the time of the service. */
export async function readOrderWithTime(
  caller: Caller,
  orderId: string,
  options: TimeLimitOptions,
): Promise<OrderReading> {
  const call = caller.call('GET /orders/{order_id}', { pathParams: { order_id: orderId }, options });
  const { data: order, headers } = await call.withResponse();
  const serverNowMs = Date.parse(headers.date ?? '');
  return { order, serverNowMs: Number.isNaN(serverNowMs) ? undefined : serverNowMs };
}
