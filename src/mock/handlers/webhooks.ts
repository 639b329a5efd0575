import type { WebhookEventType } from '../../contract/index.js';
import { paginate } from '../kernel/pagination.js';
import type { Handler, Route } from '../kernel/route.js';
import { ownedSubscription } from '../operations/owned-records.js';
import { addSubscription } from '../operations/subscriptions.js';
import { readBody, requireArray, requireString } from '../refusals/read-fields.js';
import { conflict, invalidBody, unprocessable } from '../refusals/refusal.js';
import { EVENT_TYPES } from '../webhooks/event-types.js';

const createSubscription: Handler = (request, state) => {
  const body = readBody(request.body);
  const url = requireString(body, 'url');
  const eventTypes = readEventTypes(requireArray(body, 'event_types'));
  if (!isHttps(url)) throw unprocessable('Invalid webhook URL', 'url must be an https address.', 'url'); // gap HOOK-4

  const mine = [...state.subscriptions.values()].filter(({ partnerId }) => partnerId === request.partnerId);
  const isDuplicate = mine.some(
    ({ subscription }) =>
      subscription.url === url &&
      // A disabled subscription is replaced by a new one.
      subscription.status === 'ACTIVE' &&
      subscription.event_types.some((type) => eventTypes.some((wanted) => wanted === type)),
  );
  if (isDuplicate) {
    throw conflict('Duplicate webhook subscription', 'A subscription for this URL and event type exists.', 'url');
  }

  return { status: 201, body: addSubscription(state, request.partnerId, { url, event_types: eventTypes }) };
};

const listSubscriptions: Handler = (request, state) => {
  const rows = [...state.subscriptions.values()].filter(({ partnerId }) => partnerId === request.partnerId).reverse();
  const page = paginate(request.query, rows, {
    list: 'webhooks',
    defaultLimit: 20,
    maximumLimit: 100,
    newestFirst: ({ sequence }) => sequence,
  });
  return { status: 200, body: { ...page, data: page.data.map(({ subscription }) => subscription) } };
};

const deleteSubscription: Handler = (request, state) => {
  const { subscription } = ownedSubscription(state, request.partnerId, request.params.webhook_id ?? '');
  state.subscriptions.delete(subscription.id);
  return { status: 204 }; // gap HOOK-3
};

function readEventTypes(sent: readonly unknown[]): WebhookEventType[] {
  if (sent.length === 0) throw invalidBody('event_types', 'event_types must name at least one event type.');
  const types = sent.map((type, index) => {
    const known = EVENT_TYPES.find((one) => one === type);
    if (known) return known;
    throw invalidBody(`event_types[${index}]`, `event_types[${index}] must be one of ${EVENT_TYPES.join(', ')}.`);
  });
  return [...new Set(types)];
}

const isHttps = (url: string): boolean => URL.canParse(url) && new URL(url).protocol === 'https:';

export const routes: readonly Route[] = [
  { method: 'POST', path: '/webhooks', handler: createSubscription, idempotency: 'required', scope: 'partner' },
  { method: 'GET', path: '/webhooks', handler: listSubscriptions, idempotency: 'none', scope: 'partner' },
  {
    method: 'DELETE',
    path: '/webhooks/{webhook_id}',
    handler: deleteSubscription,
    idempotency: 'required', // gap REF-7
    scope: 'partner',
  },
];
