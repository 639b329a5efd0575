import type { EmitOptions, ResendOptions, SubscriptionRequest } from '../../control/webhooks.js';
import type { DeliverToOptions } from '../../webhooks/deliver-to.js';
import type { RecordedDelivery } from '../../webhooks/deliveries.js';
import { EVENT_TYPES } from '../../webhooks/event-types.js';
import { ControlError, type ControlRoute, found } from '../control-route.js';
import { DONE, done, fields, listOf, ref, text } from '../schemas.js';

const TIMES = { type: 'integer', minimum: 1, maximum: 100 } as const;

const withoutBodies = ({ requestBody, responseHeaders, responseBody, ...delivery }: RecordedDelivery) => delivery;

function addressOf(target: unknown): string {
  const isHttp = URL.canParse(String(target)) && /^https?:$/.test(new URL(String(target)).protocol);
  if (isHttp) return String(target);
  throw new ControlError(
    400,
    `"target" is ${JSON.stringify(target)}; write the address of a receiver, such as "http://127.0.0.1:4020/hooks".`,
  );
}

export const routes: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/subscriptions',
    name: 'listSubscriptions',
    tag: 'Webhooks',
    summary: 'Every subscription of every partner, without its secret, and where deliveries are routed.',
    response: {
      type: 'object',
      properties: { subscriptions: listOf({ type: 'object' }), routes: listOf({ type: 'object' }) },
    },
    run: (_, { state, deliveries }) => ({
      subscriptions: [...state().subscriptions.values()].map(({ subscription }) => subscription),
      routes: deliveries.routed(),
    }),
  },
  {
    method: 'POST',
    path: '/subscriptions',
    name: 'subscribe',
    tag: 'Webhooks',
    summary: 'Subscribes a partner, as POST /webhooks does; the response has the signing secret.',
    body: fields({
      url: text('An https address.'),
      event_types: listOf({ enum: EVENT_TYPES }),
      'clientId?': text('Of the partner; without it, of the first one.'),
    }),
    response: { type: 'object' },
    changes: 'webhooks',
    run({ body }, { service }) {
      const { clientId, ...subscription } = body as unknown as { clientId?: string } & SubscriptionRequest;
      return service.webhooks.subscribe(subscription, { clientId });
    },
  },
  {
    method: 'GET',
    path: '/webhook-events',
    name: 'listEvents',
    tag: 'Webhooks',
    summary: 'Every event so far, whether or not somebody subscribed to it.',
    response: listOf(ref('Event')),
    run: (_, { service }) => service.webhooks.events(),
  },
  {
    method: 'POST',
    path: '/webhook-events',
    name: 'emitEvent',
    tag: 'Webhooks',
    summary: 'Sends an event that the service does not send by itself.',
    body: fields({
      type: text('Of today or of the future.'),
      data: { type: 'object' },
      'clientId?': text('Of the partner; without it, of the first one.'),
    }),
    response: ref('Event'),
    changes: 'webhooks',
    run({ body }, { service }) {
      const { type, data, ...options } = body as unknown as {
        type: string;
        data: Record<string, unknown>;
      } & EmitOptions;
      return service.webhooks.emit(type, data, options);
    },
  },
  {
    method: 'POST',
    path: '/webhook-routes',
    name: 'routeDeliveries',
    tag: 'Webhooks',
    summary: 'From now on deliveries to subscriptions whose address begins with `url` go, with retries, to `target`.',
    body: fields({ url: text('An https address.'), target: text('Where the receiver listens, http or https.') }),
    response: DONE,
    changes: 'webhooks',
    run({ body }, { service }) {
      service.webhooks.route(body.url as string, addressOf(body.target));
      return done;
    },
  },
  {
    method: 'GET',
    path: '/deliveries',
    name: 'listDeliveries',
    tag: 'Webhooks',
    summary: 'Every attempt to deliver so far, without bodies.',
    query: { limit: { type: 'integer', minimum: 1, description: 'At most so many, the latest ones.' } },
    response: listOf(ref('Delivery')),
    run({ query }, { service }) {
      const deliveries = service.webhooks.deliveries();
      return deliveries.slice(-Number(query.limit ?? deliveries.length)).map(withoutBodies);
    },
  },
  {
    method: 'GET',
    path: '/deliveries/{number}',
    name: 'readDelivery',
    tag: 'Webhooks',
    summary: 'One attempt, with what was sent and what the receiver responded.',
    response: ref('DeliveryDetails'),
    run: ({ params }, { service }) =>
      found(
        service.webhooks.deliveries().find(({ number }) => number === Number(params.number)),
        'delivery',
        params.number!,
        '/_mock/deliveries',
      ),
  },
  {
    method: 'POST',
    path: '/deliveries',
    name: 'deliverTo',
    tag: 'Webhooks',
    summary: 'Delivers, signed, every event that a target has not taken yet, and responds with what the target said.',
    body: fields({
      target: text('Where the receiver listens.'),
      'duplicates?': TIMES,
      'shuffle?': { type: 'boolean' },
      'signWith?': text('Signs with this secret, and delivers every event, subscribed or not.'),
      'subscriptionId?': text('Only the events of this subscription.'),
    }),
    response: listOf(ref('Delivery')),
    changes: 'webhooks',
    run({ body }, { service }) {
      const { target, ...options } = body as unknown as { target: string } & DeliverToOptions;
      return service.webhooks.deliverTo(addressOf(target), options).then((made) => made.map(withoutBodies));
    },
  },
  {
    method: 'POST',
    path: '/deliveries/resend',
    name: 'resendDeliveries',
    tag: 'Webhooks',
    summary: 'Makes deliveries once more, or several times, in their order or shuffled.',
    body: fields({
      numbers: listOf({ type: 'integer', minimum: 1 }),
      'times?': TIMES,
      'shuffle?': { type: 'boolean' },
    }),
    response: listOf(ref('Delivery')),
    changes: 'webhooks',
    run({ body }, { service }) {
      const { numbers, ...options } = body as unknown as { numbers: readonly number[] } & ResendOptions;
      return service.webhooks.resend(numbers, options).then((made) => made.map(withoutBodies));
    },
  },
];
