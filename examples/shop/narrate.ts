import { formatMoney, type OnlineOrdering, type Settlement } from 'online-ordering-sdk';

/** Says in words what the client does by itself: waits, retries, lost responses, new tokens. */
export function narrate(client: OnlineOrdering, tell: (text: string) => void): void {
  client.on('retry', ({ method, path, reason, waitMs }) =>
    tell(`${method} ${path}: ${reason}. Sent again in ${(waitMs / 1000).toFixed(1)} s, with the same key.`),
  );
  client.on('response', ({ method, path, failure, status }) => {
    const isPayment = method === 'POST' && path === '/orders/{order_id}/payments';
    if (!isPayment || (status !== undefined && status < 500)) return;
    tell(`A payment got no sure response (${failure ?? status}). The order is read before anything is sent again.`);
  });
  client.on('token', ({ state }) => {
    if (state === 'rejected') tell('The access token was refused. A new one is asked for, and the request repeated.');
  });
}

/** `GIFT_CARD $5.00 COMPLETED, CREDIT_CARD $3.05 COMPLETED. Charged $8.05, due $0.00.` */
export function settledText({ tenders, charged, balanceDue }: Settlement): string {
  const each = tenders.map(({ payment_method: method, amount, status }) =>
    [method, amount === 'remaining' ? amount : formatMoney(amount), status].join(' '),
  );
  return `${each.join(', ')}. Charged ${formatMoney(charged)}, due ${formatMoney(balanceDue)}.`;
}
