import type { Order } from '../../contract/index.js';
import { isObject } from '../../wire/wire.js';
import { CannotTry, Differs } from '../result.js';
import { described, errorOf, type Reply, type Scene } from '../scene.js';
import { byStatus, type Deciders, isSuccess, moneyOrCents, nameIn, neither, takenOrRefused } from './decider.js';

const ORDER = 'GET /orders/{order_id}';
const PAYMENTS = 'POST /orders/{order_id}/payments';
const REFUNDS = 'POST /orders/{order_id}/refunds';
const CANCEL = 'POST /orders/{order_id}/cancel';
const REASON = { reason: 'CUSTOMER_REQUEST' };
/** Cents of payments and refunds that only shall show what they look like. */
export const LITTLE = 100;

const params = (order: Pick<Order, 'id'>) => ({ order_id: order.id });
const unpaid = (scene: Scene): Promise<Order> => scene.keep('unpaid order', () => scene.order());

/** The raw order that was not paid. */
async function rawUnpaid(scene: Scene): Promise<Readonly<Record<string, unknown>>> {
  const { data } = await scene.call(ORDER, { params: params(await unpaid(scene)) });
  if (isObject(data)) return data;
  throw new CannotTry('the order could not be read');
}

/** A little of an order, paid as gap PAY-1 was decided; the response as it came. */
export const partlyPaid = (scene: Scene): Promise<{ order: Order; response: Reply<unknown> }> =>
  scene.keep('partly paid', async () => {
    const order = await scene.order();
    const response = await scene.pay(order.id, LITTLE);
    if (isSuccess(response)) return { order, response };
    throw new CannotTry(`a payment got ${described(response)}; see --payment-token`);
  });

async function rawPaidRecord(scene: Scene): Promise<Readonly<Record<string, unknown>>> {
  const { order } = await partlyPaid(scene);
  const { data } = await scene.call(ORDER, { params: params(order) });
  const payments = isObject(data) && Array.isArray(data.payments) ? data.payments.filter(isObject) : [];
  if (payments[0]) return payments[0];
  throw new CannotTry('the order shows no payment');
}

/** A refund whose amount is written as gap REF-1 was decided. */
const amountOf = (scene: Scene, cents: number): unknown =>
  scene.choices['REF-1'] === 'money' ? { amount: cents, currency: 'USD' } : cents;

const cancelled = (scene: Scene): Promise<Order> =>
  scene.keep('cancelled order', async () => {
    const order = await scene.order();
    return scene.must<Order>(CANCEL, { params: params(order), body: REASON });
  });

export const ORDER_DECIDERS = {
  'ORD-3': {
    about: 'lines of an order',
    readings: { items: 'called `items`', line_items: 'called `line_items`' },
    decide: async (scene) => nameIn(await rawUnpaid(scene), ['items', 'line_items'], 'order'),
  },
  'ORD-4': {
    about: "item_total of an order's line",
    readings: { with_tax: 'with its tax', without_tax: 'without its tax' },
    async decide(scene) {
      // Read again: since the order was made, gap ORD-3 has been decided.
      const order = await scene.readOrder((await unpaid(scene)).id);
      const taxed = order.items.find((line) => (line.item_tax?.amount ?? 0) > 0);
      if (!taxed) throw new CannotTry('no line of the order was taxed');
      const [subtotal, tax, total] = [taxed.item_subtotal?.amount, taxed.item_tax?.amount, taxed.item_total.amount];
      if (subtotal === undefined || tax === undefined) throw new CannotTry('the line shows no item_subtotal');
      if (total === subtotal + tax) return 'with_tax';
      if (total === subtotal) return 'without_tax';
      throw new Differs('item_total is neither the subtotal nor the subtotal with its tax');
    },
  },
  'ORD-11': {
    about: 'estimated_ready_at of an order',
    readings: { sent: 'there, or null', absent: 'not there' },
    decide: async (scene) => ('estimated_ready_at' in (await rawUnpaid(scene)) ? 'sent' : 'absent'),
  },
  'PAY-10': {
    about: 'balance_due of an order',
    readings: { money: 'Money', cents: 'integer cents' },
    decide: async (scene) => moneyOrCents((await rawUnpaid(scene)).balance_due, 'balance_due'),
  },
  'PAY-30': {
    about: 'id of an order in upper case',
    readings: { same: 'the same order', not_found: '404' },
    async decide(scene) {
      const { id } = await unpaid(scene);
      if (id === id.toUpperCase()) throw new CannotTry('the id has no letters');
      return byStatus(await scene.call(ORDER, { params: { order_id: id.toUpperCase() } }), {
        200: 'same',
        404: 'not_found',
      } as const);
    },
  },
  'ORD-6': {
    about: 'date_from and date_to',
    readings: { date_time: 'ISO 8601 date-times', date: 'plain dates' },
    async decide(scene) {
      const day = new Date(await scene.now()).toISOString();
      const response = await scene.call('GET /orders', { query: { date_from: day } });
      if (isSuccess(response)) return 'date_time';
      const plain = await scene.call('GET /orders', { query: { date_from: day.slice(0, 10) } });
      if (isSuccess(plain)) return 'date';
      throw neither(plain);
    },
  },
  'ORD-12': {
    about: 'filter of a status that is not known',
    readings: { '400': 'refused with 400', empty: 'an empty list' },
    decide: async (scene) =>
      byStatus(await scene.call('GET /orders', { query: { status: 'NO_SUCH_STATUS' } }), {
        400: '400',
        200: 'empty',
      } as const),
  },
  'PAY-1': {
    about: 'amount of a payment request',
    readings: { cents: 'integer cents', money: 'Money' },
    async decide(scene) {
      const order = await scene.order();
      let last: Reply<unknown> | undefined;
      for (const [reading, amount] of [
        ['cents', LITTLE],
        ['money', { amount: LITTLE, currency: 'USD' }],
      ] as const) {
        const sent = { params: params(order), body: { ...scene.tender(), amount } };
        last = await scene.call(PAYMENTS, sent, { verbatim: true });
        if (isSuccess(last)) return reading;
      }
      throw new CannotTry(`neither was taken: ${described(last!)}; see --payment-token`);
    },
  },
  'PAY-2': {
    about: 'response to a payment',
    readings: { payment: '201 and the payment', payment_200: '200 and the payment', order: 'the order' },
    async decide(scene) {
      const { response } = await partlyPaid(scene);
      if (isObject(response.data) && Array.isArray(response.data.payments)) return 'order';
      return byStatus(response, { 201: 'payment', 200: 'payment_200' } as const);
    },
  },
  'PAY-3': {
    about: 'amount of a payment record',
    readings: { money: 'Money', cents: 'integer cents' },
    decide: async (scene) => moneyOrCents((await rawPaidRecord(scene)).amount, 'the amount of a payment'),
  },
  'PAY-17': {
    about: 'key of a payment record',
    readings: { hidden: 'not shown', shown: 'shown as `idempotency_key`' },
    decide: async (scene) => ('idempotency_key' in (await rawPaidRecord(scene)) ? 'shown' : 'hidden'),
  },
  'PAY-13': {
    about: 'payment with an unknown method',
    readings: { '400': '400', '422': '422' },
    async decide(scene) {
      await partlyPaid(scene);
      const body = { payment_method: 'NO_SUCH_METHOD', amount: LITTLE };
      const response = await scene.call(PAYMENTS, { params: params(await unpaid(scene)), body });
      return byStatus(response, { 400: '400', 422: '422' } as const);
    },
  },
  'PAY-8': {
    about: 'payment above the balance',
    readings: { refused: 'refused', accepted: 'taken' },
    async decide(scene) {
      await partlyPaid(scene);
      const order = await scene.order();
      return takenOrRefused(await scene.pay(order.id, order.total.amount + LITTLE), 'accepted', 'refused');
    },
  },
  'PAY-7': {
    about: 'what a declined payment leaves behind',
    readings: { recorded: 'a FAILED payment', not_recorded: 'nothing' },
    async decide(scene) {
      const { declinedToken } = scene.settings;
      if (declinedToken === undefined) throw new CannotTry('no token that is declined was given; see --declined-token');
      const order = await scene.order();
      const body = { payment_method: 'CREDIT_CARD', payment_token: declinedToken, amount: LITTLE };
      const response = await scene.call(PAYMENTS, { params: params(order), body });
      if (response.status !== 422) throw new CannotTry(`the token was not declined: ${described(response)}`);
      const { payments } = await scene.readOrder(order.id);
      return payments.some(({ status }) => status === 'FAILED') ? 'recorded' : 'not_recorded';
    },
  },
  'REF-1': {
    about: 'amount of a refund request',
    readings: { cents: 'integer cents', money: 'Money' },
    async decide(scene) {
      const order = await scene.sharedPaidOrder();
      for (const [reading, amount] of [
        ['cents', LITTLE],
        ['money', { amount: LITTLE, currency: 'USD' }],
      ] as const) {
        const response = await scene.call(
          REFUNDS,
          { params: params(order), body: { amount, ...REASON } },
          { verbatim: true },
        );
        if (!isSuccess(response)) continue;
        await scene.keep('refund', async () => response);
        return reading;
      }
      throw new CannotTry('neither was taken');
    },
  },
  'REF-4': {
    about: 'status of a refund',
    readings: { refund: '201', refund_200: '200' },
    async decide(scene) {
      const response = await scene.keep<Reply<unknown>>('refund', () =>
        Promise.reject(new CannotTry('no refund was taken')),
      );
      return byStatus(response, { 201: 'refund', 200: 'refund_200' } as const);
    },
  },
  'REF-2': {
    about: 'reason of a refund',
    readings: { optional: 'may be left out', required: 'must be sent' },
    async decide(scene) {
      const order = await scene.sharedPaidOrder();
      const body = { amount: amountOf(scene, LITTLE) };
      const response = await scene.call(REFUNDS, { params: params(order), body }, { verbatim: true });
      return takenOrRefused(response, 'optional', 'required');
    },
  },
  'REF-7': {
    about: 'refund without Idempotency-Key',
    readings: { required: 'refused', optional: 'taken' },
    async decide(scene) {
      const order = await scene.sharedPaidOrder();
      const body = { amount: amountOf(scene, LITTLE), ...REASON };
      const response = await scene.call(REFUNDS, { params: params(order), body, key: null }, { verbatim: true });
      return takenOrRefused(response, 'optional', 'required');
    },
  },
  'REF-5': {
    about: 'refunds of an order',
    readings: { listed: 'listed in `refunds`', not_listed: 'not listed' },
    async decide(scene) {
      await scene.keep('refund', () => Promise.reject(new CannotTry('no refund was taken')));
      const { refunds } = await scene.readOrder((await scene.sharedPaidOrder()).id);
      return (refunds?.length ?? 0) > 0 ? 'listed' : 'not_listed';
    },
  },
  'REF-8': {
    about: 'refund of an order that was never paid',
    readings: { exceeds_balance: '"Refund exceeds refundable balance"', payment_required: '"Payment required"' },
    async decide(scene) {
      const response = await scene.call(REFUNDS, {
        params: params(await unpaid(scene)),
        body: { amount: LITTLE, ...REASON },
      });
      if (response.status !== 422) throw neither(response);
      return /payment required/i.test(String(errorOf(response).message)) ? 'payment_required' : 'exceeds_balance';
    },
  },
  'PAY-5': {
    about: 'payment of a cancelled order',
    readings: { refunded: 'REFUNDED', completed: 'stays COMPLETED' },
    async decide(scene) {
      const order = await scene.paidOrder();
      await scene.must(CANCEL, { params: params(order), body: REASON });
      const { payments } = await scene.readOrder(order.id);
      const status = payments[0]?.status;
      if (status === 'REFUNDED') return 'refunded';
      if (status === 'COMPLETED') return 'completed';
      throw new CannotTry(`the payment is ${status}: it was not captured before the cancel`);
    },
  },
  'ORD-7': {
    about: 'body of a cancel',
    readings: { optional: 'may be left out', required: 'must be sent' },
    async decide(scene) {
      const order = await scene.order();
      const bare = await scene.call(CANCEL, { params: params(order) }, { verbatim: true });
      if (isSuccess(bare)) return 'optional';
      const response = await scene.call(CANCEL, { params: params(order), body: REASON });
      if (isSuccess(response)) return 'required';
      throw neither(bare);
    },
  },
  'ORD-9': {
    about: 'second cancel with another key',
    readings: { '409': '409', '200': 'the cancelled order' },
    async decide(scene) {
      const order = await cancelled(scene);
      return byStatus(await scene.call(CANCEL, { params: params(order), body: REASON }), {
        409: '409',
        200: '200',
      } as const);
    },
  },
  'PAY-12': {
    about: 'payment of a cancelled order',
    readings: { '409': '409', '422': '422' },
    async decide(scene) {
      await partlyPaid(scene);
      const response = await scene.pay((await cancelled(scene)).id, LITTLE);
      return byStatus(response, { 409: '409', 422: '422' } as const);
    },
  },
} as const satisfies Deciders;
