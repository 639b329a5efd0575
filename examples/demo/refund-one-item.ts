import { formatMoney, money, type OnlineOrdering, type Order, type OrderLineItem } from 'online-ordering-sdk';
import { amountLine, say } from './terminal.js';

/** Gives back what the customer paid for one line: its price and tax, less its share of the order's discounts. */
export async function refundOneItem(client: OnlineOrdering, order: Order): Promise<void> {
  const line = order.items.at(-1)!;
  const cents = paidForLine(order, line);
  const refund = await client.orders.refunds.create(order.id, {
    amount: cents,
    line_items: [{ order_item_id: line.id, quantity: line.quantity, amount: cents }],
    reason: 'CUSTOMER_REQUEST',
  });
  say(amountLine(`${line.quantity} x ${line.name}`, formatMoney(money(cents, order.total.currency))));
  for (const { payment_method: method, amount } of refund.distributions ?? []) {
    say(amountLine(`  to ${method}`, formatMoney(amount)));
  }
  const after = await client.orders.retrieve(order.id);
  say(amountLine('Refunded in all', formatMoney(after.amount_refunded)));
}

function paidForLine(order: Order, { item_subtotal: subtotal, item_total: total }: OrderLineItem): number {
  if (!subtotal || order.subtotal.amount === 0) return total.amount;
  const discountShare = Math.floor((order.total_discount.amount * subtotal.amount) / order.subtotal.amount);
  return total.amount - discountShare;
}
