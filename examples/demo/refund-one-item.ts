import { formatMoney, type OnlineOrdering, type Order, paidForLine } from 'online-ordering-sdk';
import { amountLine, say } from './terminal.js';

/** Gives back what the customer paid for one line: its price and tax, less its share of the order's discounts. */
export async function refundOneItem(client: OnlineOrdering, order: Order): Promise<void> {
  const line = order.items.at(-1)!;
  const paid = paidForLine(order, line.id);
  const refund = await client.orders.refunds.create(order.id, {
    amount: paid.amount,
    line_items: [{ order_item_id: line.id, quantity: line.quantity, amount: paid.amount }],
    reason: 'CUSTOMER_REQUEST',
  });
  say(amountLine(`${line.quantity} x ${line.name}`, formatMoney(paid)));
  for (const { payment_method: method, amount } of refund.distributions ?? []) {
    say(amountLine(`  to ${method}`, formatMoney(amount)));
  }
  const after = await client.orders.retrieve(order.id);
  say(amountLine('Refunded in all', formatMoney(after.amount_refunded)));
}
