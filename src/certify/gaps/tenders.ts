import type { Order, Refund } from '../../contract/index.js';
import { newUuid } from '../../platform/uuid.js';
import { CannotTry } from '../result.js';
import { described } from '../scene.js';
import { type Deciders, isSuccess, neither } from './decider.js';
import { LITTLE, partlyPaid } from './orders.js';

const PAYMENTS = 'POST /orders/{order_id}/payments';
const REFUNDS = 'POST /orders/{order_id}/refunds';

const params = (order: Pick<Order, 'id'>) => ({ order_id: order.id });

export const TENDER_DECIDERS = {
  'ORD-2': {
    about: 'what confirms an order',
    readings: { first_payment: 'its first completed payment', paid_in_full: 'the payment that covers its total' },
    async decide(scene) {
      const { order } = await partlyPaid(scene);
      const part = await scene.readOrder(order.id);
      if (part.status === 'CONFIRMED') return 'first_payment';
      await scene.pay(order.id, part.balance_due.amount);
      const whole = await scene.readOrder(order.id);
      if (whole.payment_status === 'PAID' && whole.status === 'CONFIRMED') return 'paid_in_full';
      throw new CannotTry(`the order is ${whole.status} and ${whole.payment_status}: the store may confirm it`);
    },
  },
  'REF-6': {
    about: 'which tender a refund goes to',
    readings: { non_cash_first: 'cash last', latest_first: 'the latest payment first' },
    async decide(scene) {
      if (scene.settings.paymentToken === undefined) throw new CannotTry('no card was given; see --payment-token');
      const order = await scene.order();
      const card = await scene.pay(order.id, order.total.amount - LITTLE);
      const cash = await scene.call(PAYMENTS, {
        params: params(order),
        body: { payment_method: 'CASH', amount: LITTLE },
      });
      if (!isSuccess(card) || !isSuccess(cash))
        throw new CannotTry(`a payment got ${described(isSuccess(card) ? cash : card)}`);
      const refund = await scene.call<Refund>(REFUNDS, {
        params: params(order),
        body: { amount: LITTLE, reason: 'CUSTOMER_REQUEST' },
      });
      const [first] = refund.ours?.distributions ?? [];
      if (!isSuccess(refund) || !first) throw neither(refund);
      return first.payment_method === 'CASH' ? 'latest_first' : 'non_cash_first';
    },
  },
  'PAY-11': {
    about: 'two payments with one key at the same time',
    readings: {
      waits: 'one payment, told twice (or the two never met)',
      conflict: 'the second is refused with 409',
      run_twice: 'both are executed',
    },
    async decide(scene) {
      const [order, key] = [await scene.order(), newUuid()];
      const replies = await Promise.all([scene.pay(order.id, LITTLE, key), scene.pay(order.id, LITTLE, key)]);
      if (replies.some(({ status }) => status === 409)) return 'conflict';
      const other = replies.find((reply) => !isSuccess(reply));
      if (other) throw neither(other);
      const { payments } = await scene.readOrder(order.id);
      return payments.filter(({ status }) => status !== 'FAILED').length > 1 ? 'run_twice' : 'waits';
    },
  },
} as const satisfies Deciders;
