/** Compiled by `tsc` only: the table of endpoints decides on the types of every call. */
import type {
  Cart,
  Order,
  OrderSummary,
  PageEnvelope,
  PaymentRequest,
  Scenario,
  TenderType,
  WebhookEvent,
  WebhookEventType,
} from 'online-ordering-sdk';
import type { OperationName } from 'online-ordering-sdk/contract';
import { expectTypeOf, test } from 'vitest';
import type { ListName, RecordOf } from '../../src/endpoints/endpoint-types.js';
import type { EndpointFacts } from '../../src/endpoints/endpoints.js';
import type { WriteOptions } from '../../src/http/call-options.js';
import type { CallOptionName } from '../../src/http/request/call-option-names.js';
import type { Caller } from '../../src/resources/caller.js';
import { type ListOptions, listOf } from '../../src/resources/list.js';

declare const caller: Caller;
declare const id: string;
const order = { pathParams: { order_id: id } };
const cart = { pathParams: { cart_id: id } };

test('the result of a call is that of its endpoint', () => {
  expectTypeOf(caller.call('GET /orders/{order_id}', order)).resolves.toEqualTypeOf<Order>();
  expectTypeOf(caller.call('GET /carts/{cart_id}', cart)).resolves.toEqualTypeOf<Cart>();
  expectTypeOf(caller.call('POST /carts', { body: { location_id: id } })).resolves.toEqualTypeOf<Cart>();
  expectTypeOf(caller.call('GET /orders', { query: { limit: 5 } })).resolves.toEqualTypeOf<
    PageEnvelope<OrderSummary>
  >();
  expectTypeOf(caller.call('DELETE /carts/{cart_id}', cart)).resolves.toEqualTypeOf<undefined>();
  expectTypeOf<RecordOf<'GET /orders'>>().toEqualTypeOf<OrderSummary>();
});

test('a result of another endpoint does not compile', () => {
  // @ts-expect-error a cart is no order
  const wrong: PromiseLike<Order> = caller.call('GET /carts/{cart_id}', cart);
  void wrong;
});

test('a path that is not in the table does not compile', () => {
  // @ts-expect-error there is no such endpoint
  caller.call('POST /orders/{order_id}/tips', order);
  // @ts-expect-error: the table is asked by name; a path of no endpoint goes through `callUnknown`
  caller.call('GET', '/orders/{order_id}', order);
  // @ts-expect-error the document writes {order_id}
  caller.call('GET /orders/{id}', { pathParams: { id } });
  // @ts-expect-error the method does not exist there
  caller.call('PUT /orders/{order_id}', order);
});

test('a path value that is missing, wrong or too much does not compile', () => {
  // @ts-expect-error order_id is missing
  caller.call('GET /orders/{order_id}', {});
  // @ts-expect-error the name is order_id
  caller.call('GET /orders/{order_id}', { pathParams: { orderId: id } });
  // @ts-expect-error item_id is missing
  caller.call('DELETE /carts/{cart_id}/items/{item_id}', cart);
  // @ts-expect-error the path has no values
  caller.call('POST /carts', { pathParams: { cart_id: id }, body: { location_id: id } });
});

test('a body or query that does not fit its endpoint does not compile', () => {
  // @ts-expect-error the body is missing
  caller.call('POST /carts', {});
  // @ts-expect-error another body
  caller.call('POST /carts', { body: { customer_id: id } });
  // @ts-expect-error the endpoint takes no body
  caller.call('GET /orders/{order_id}', { ...order, body: {} });
  // @ts-expect-error the query is missing
  caller.call('GET /carts/{cart_id}/promo-codes/validate', cart);
  // @ts-expect-error the filter does not exist
  caller.call('GET /orders', { query: { state: 'PENDING' } });
  caller.call('POST /orders/{order_id}/cancel', order);
});

test('an endpoint without a kind, and a table that misses an endpoint, do not compile', () => {
  // @ts-expect-error the kind is missing
  const facts: EndpointFacts = { mayBeEmpty: true };
  // @ts-expect-error the kind does not exist
  const kind: EndpointFacts = { kind: 'delete' };
  // @ts-expect-error all other endpoints are missing
  const table: Readonly<Record<OperationName, EndpointFacts>> = { 'GET /orders': { kind: 'read' } };
  void [facts, kind, table];
});

test('only a list is a list', () => {
  expectTypeOf<ListName>().toEqualTypeOf<
    'GET /locations' | 'GET /locations/{location_id}/inventory' | 'GET /orders' | 'GET /webhooks'
  >();
  // @ts-expect-error one order is no list
  listOf(caller, 'GET /orders/{order_id}', order);
  // @ts-expect-error the location is missing
  listOf(caller, 'GET /locations/{location_id}/inventory', {});
});

test('a list of values and the records that name them hold the same values', () => {
  expectTypeOf<PaymentRequest['payment_method']>().toEqualTypeOf<TenderType>();
  expectTypeOf<WebhookEvent['event_type']>().toEqualTypeOf<WebhookEventType>();
  expectTypeOf<keyof WriteOptions | keyof ListOptions>().toEqualTypeOf<CallOptionName>();
  expectTypeOf<'cart_item_not_found'>().toExtend<Scenario>();
});
