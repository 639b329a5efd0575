import { createServer } from 'node:http';
import { fileJournal, OnlineOrdering } from 'online-ordering-sdk';
import { createWebhookReceiver } from 'online-ordering-sdk/webhooks';

const receiver = createWebhookReceiver({ secrets: 'whsec_1' });
receiver.on('order.created', ({ data }) => console.log(data.order_id));
export const server = createServer(receiver.nodeHandler);

export const client = new OnlineOrdering({ fetch });
export const journal = fileJournal('./payments');
