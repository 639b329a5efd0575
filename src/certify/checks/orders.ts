import { randomUUID } from 'node:crypto';
import type { Order, OrderSummary } from '../../contract/index.js';
import { CannotTry } from '../result.js';
import { described, insist, type Scene } from '../scene.js';
import { answeredWith, asInContract, type Check, equal, refusedWith, section } from './check.js';

const ORDER = 'GET /orders/{order_id}';
const CANCEL = 'POST /orders/{order_id}/cancel';
const REFUNDS = 'POST /orders/{order_id}/refunds';
const LITTLE = 100;

const at = (order: Pick<Order, 'id'>) => ({ order_id: order.id });
const unpaid = (scene: Scene): Promise<Order> => scene.keep('unpaid order', () => scene.order());

interface Page {
  readonly data: OrderSummary[];
}

/** Rows that no partner can bring about from outside, and why. */
const OUT_OF_REACH: Readonly<Record<string, readonly [section: string, why: string]>> = {
  'A key is forgotten after 24 hours': ['Idempotency', 'it takes a day'],
  'A token ends after 86400 seconds': ['Authentication', 'it takes a day'],
  'A resource of another partner is refused with 403': ['Errors', 'it takes credentials of a second partner'],
  'A rate limit is refused with 429 and Retry-After': ['Limits', 'limits are not provoked on purpose'],
  'An order whose preparation has begun cannot be cancelled (409)': [
    'Cancel',
    'the store prepares orders, no endpoint does',
  ],
  'Fulfillment leads to FULFILLED, or to DELIVERED': ['Orders', 'the store leads it, no endpoint does'],
  'A failed payment leaves the earlier ones as they are': ['Payments', 'it takes a tender that fails after another'],
  'An item outside its sale hours is refused with 422': ['Carts', 'it depends on the time of day'],
};

const outOfReach: readonly Check[] = Object.entries(OUT_OF_REACH).map(([row, [name, why]]) => ({
  section: name,
  row,
  run: () => Promise.reject(new CannotTry(why)),
}));

export const ORDER_CHECKS: readonly Check[] = [
  ...section('Orders', {
    'A new order is as in the contract, and nothing of it is paid': async (scene) => {
      const reply = await scene.call<Order>(ORDER, { params: at(await unpaid(scene)) });
      answeredWith(reply, 200);
      await asInContract(ORDER, reply);
      const { status, payment_status, fulfillment_status, balance_due, total } = reply.ours;
      equal(status, 'PENDING', 'status');
      equal(payment_status, 'UNPAID', 'payment_status');
      equal(fulfillment_status, 'PENDING', 'fulfillment_status');
      equal(balance_due.amount, total.amount, 'balance_due');
    },
    'The list is newest first, without items and payments': async (scene) => {
      const { id } = await scene.order();
      const reply = await scene.call<Page>('GET /orders', { query: { limit: 5 } });
      answeredWith(reply, 200);
      await asInContract('GET /orders', reply);
      insist(
        reply.ours.data.some((order) => order.id === id),
        'the newest order is not on the first page',
      );
      const times = reply.ours.data.map(({ created_at }) => created_at);
      equal(times.join(), [...times].sort().reverse().join(), 'the order of creation');
      insist(
        reply.ours.data.every((order) => !('payments' in order)),
        'a summary shows payments',
      );
    },
    'Filters of the list combine': async (scene) => {
      const { id } = await scene.location();
      const { data } = await scene.must<Page>('GET /orders', { query: { location_id: id, status: 'PENDING' } });
      insist(
        data.every((order) => order.status === 'PENDING' && order.location_id === id),
        'an order does not match',
      );
    },
  }),
  ...section('Payments', {
    'A payment of the total makes the order PAID': async (scene) => {
      const order = await scene.readOrder((await scene.sharedPaidOrder()).id);
      equal(order.payment_status, 'PAID', 'payment_status');
      equal(order.balance_due.amount, 0, 'balance_due');
      equal(order.amount_paid.amount, order.total.amount, 'amount_paid');
    },
    'A payment with the same key is not executed again': async (scene) => {
      const [order, key] = [await scene.order(), randomUUID()];
      for (let times = 0; times < 2; times += 1) {
        const reply = await scene.pay(order.id, LITTLE, key);
        if (reply.status >= 300) throw new CannotTry(`a payment was answered with ${described(reply)}`);
      }
      const { payments } = await scene.readOrder(order.id);
      equal(payments.filter(({ status }) => status !== 'FAILED').length, 1, 'the number of payments');
    },
    'A part of the total leaves the rest due': async (scene) => {
      const order = await scene.order();
      const reply = await scene.pay(order.id, LITTLE);
      if (reply.status >= 300) throw new CannotTry(`a payment was answered with ${described(reply)}`);
      const after = await scene.readOrder(order.id);
      equal(after.balance_due.amount, order.total.amount - LITTLE, 'balance_due');
      insist(
        ['PARTIALLY_PAID', 'PROCESSING'].includes(after.payment_status),
        `payment_status is ${after.payment_status}`,
      );
    },
  }),
  ...section('Refunds', {
    'A refund raises amount_refunded': async (scene) => {
      const order = await scene.sharedPaidOrder();
      const before = await scene.readOrder(order.id);
      const body = { amount: LITTLE, reason: 'CUSTOMER_REQUEST' };
      const reply = await scene.call(REFUNDS, { params: at(order), body });
      answeredWith(reply, 201, 200);
      await asInContract(REFUNDS, reply);
      const after = await scene.readOrder(order.id);
      equal(after.amount_refunded.amount, before.amount_refunded.amount + LITTLE, 'amount_refunded');
    },
    'A refund above what was paid is refused with 422': async (scene) => {
      const order = await scene.sharedPaidOrder();
      const body = { amount: order.total.amount + LITTLE, reason: 'CUSTOMER_REQUEST' };
      refusedWith(await scene.call(REFUNDS, { params: at(order), body }), 422);
    },
  }),
  ...section('Cancel', {
    'A cancel ends order and fulfillment, and the same key shows the order again': async (scene) => {
      const [order, key] = [await scene.order(), randomUUID()];
      const sent = { params: at(order), body: { reason: 'CUSTOMER_REQUEST' }, key };
      const reply = await scene.call<Order>(CANCEL, sent);
      answeredWith(reply, 200);
      await asInContract(CANCEL, reply);
      equal(reply.ours.status, 'CANCELLED', 'status');
      equal(reply.ours.fulfillment_status, 'CANCELLED', 'fulfillment_status');
      const again = await scene.call<Order>(CANCEL, sent);
      answeredWith(again, 200);
      equal(again.ours.status, 'CANCELLED', 'status');
    },
  }),
  ...outOfReach,
];
