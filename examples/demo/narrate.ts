import type { OnlineOrdering } from 'online-ordering-sdk';
import type { ReceivedEvent } from 'online-ordering-sdk/webhooks';
import { aside } from './terminal.js';

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Shows what the client does by itself: waiting, sending again, replacing its token. */
export function narrateClient(client: OnlineOrdering): void {
  client.on('retry', ({ method, path, reason, waitMs }) => {
    aside(`${method} ${path} got ${reason}; the client sends it again in ${seconds(waitMs)}`);
  });
  client.on('token', ({ state, expiresInSeconds = 0 }) => {
    if (state === 'rejected') aside('the service no longer takes the access token; the client asks for a new one');
    if (state === 'obtained') aside(`access token obtained, good for ${expiresInSeconds / 3600} hours`);
  });
}

/** A verified event in a line: what it says has changed. */
export function eventText(event: ReceivedEvent): string {
  if (!event.known || event.event_type !== 'order.status_changed') return event.event_type;
  const { data } = event;
  const changes = [
    ['order', data.previous_status, data.current_status],
    ['payment', data.previous_payment_status, data.current_payment_status],
    ['fulfillment', data.previous_fulfillment_status, data.current_fulfillment_status],
  ].filter(([, before, after]) => before !== after);
  return `${event.event_type}: ${changes.map(([name, before, after]) => `${name} ${before} -> ${after}`).join(', ')}`;
}
