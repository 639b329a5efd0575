import type { AddPartnerOptions, PartnerChange } from '../../control/partners.js';
import type { ResetOptions } from '../../service.js';
import { type Bench, type ControlRoute, found } from '../control-route.js';
import { DONE, done, duration, fields, listOf, ref, text } from '../schemas.js';

const clockOf = ({ service }: Bench) => ({
  now: new Date(service.clock.now()).toISOString(),
  running: service.clock.isRunning,
});

/** At most this many requests in one response. */
const MOST_REQUESTS = 2000;

export const routes: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/service',
    name: 'readService',
    tag: 'Service',
    summary: 'Credentials, ids of the sample data, values with a meaning, and the clock.',
    response: {
      type: 'object',
      properties: { credentials: ref('Credentials'), clock: ref('Clock'), samples: { type: 'object' } },
    },
    run: (_, bench) => {
      const { locations, items, cartItems, promoCodes, customers, instruments } = bench.service.samples;
      return {
        credentials: bench.service.credentials,
        clock: clockOf(bench),
        samples: { locations, items, cartItems, promoCodes, customers, instruments },
      };
    },
  },
  {
    method: 'POST',
    path: '/reset',
    name: 'reset',
    tag: 'Service',
    summary: 'Forgets everything but the time, the servers and the routes of webhooks.',
    body: fields({ 'keepSubscriptions?': { type: 'boolean', description: 'Subscriptions stay, with their secrets.' } }),
    response: DONE,
    run({ body }, { service }) {
      service.reset(body as ResetOptions);
      return done;
    },
  },
  {
    method: 'GET',
    path: '/snapshot',
    name: 'snapshot',
    tag: 'Service',
    summary: 'Everything that the service remembers, secrets too, for createMockService({ snapshot }).',
    response: { type: 'object', properties: { snapshot: { type: 'string' } } },
    run: (_, { service }) => ({ snapshot: service.snapshot() }),
  },
  {
    method: 'POST',
    path: '/partners',
    name: 'addPartner',
    tag: 'Service',
    summary: 'A further partner, with carts, orders and webhooks of its own.',
    body: fields({ 'locations?': listOf({ type: 'string' }) }),
    response: ref('Credentials'),
    run: ({ body }, { service }) => service.partners.add(body as AddPartnerOptions),
  },
  {
    method: 'POST',
    path: '/partners/secret',
    name: 'rotateSecret',
    tag: 'Service',
    summary: 'A new client secret; the old one is refused at once.',
    body: fields({ 'clientId?': text('Of the partner; without it, of the first one.') }),
    response: ref('Credentials'),
    run: ({ body }, { service }) => service.partners.rotateSecret(body.clientId as string | undefined),
  },
  {
    method: 'POST',
    path: '/partners/configure',
    name: 'configurePartner',
    tag: 'Service',
    summary: 'Switches features of a partner on and off, and where tenders are enforced for it.',
    body: fields({
      'features?': { type: 'object', additionalProperties: { type: 'boolean' }, examples: [{ payments: false }] },
      'enforceTenders?': { enum: [true, false, 'payment', 'checkout', 'cart'] },
      'clientId?': text('Of the partner; without it, of the first one.'),
    }),
    response: DONE,
    run({ body }, { service }) {
      const { clientId, ...change } = body as { clientId?: string } & PartnerChange;
      service.partners.configure(change, clientId);
      return done;
    },
  },
  {
    method: 'GET',
    path: '/requests',
    name: 'listRequests',
    tag: 'Requests',
    summary: 'The latest requests, oldest first.',
    query: {
      after: { type: 'integer', minimum: 0, description: 'Only requests with a larger number.' },
      limit: { type: 'integer', minimum: 1, maximum: MOST_REQUESTS, description: 'At most so many, the latest ones.' },
    },
    response: listOf(ref('Request')),
    run({ query }, { recorder }) {
      const after = Number(query.after ?? 0);
      const requests = recorder.list().filter(({ number }) => number > after);
      return requests.slice(-Number(query.limit ?? MOST_REQUESTS));
    },
  },
  {
    method: 'GET',
    path: '/requests/{number}',
    name: 'readRequest',
    tag: 'Requests',
    summary: 'One request, with headers and bodies.',
    response: ref('RequestDetails'),
    run: ({ params }, { recorder }) =>
      found(recorder.find(Number(params.number)), 'request', params.number!, '/_mock/requests'),
  },
  {
    method: 'GET',
    path: '/clock',
    name: 'readClock',
    tag: 'Clock',
    summary: 'The time of the service, and whether it passes by itself.',
    response: ref('Clock'),
    run: (_, bench) => clockOf(bench),
  },
  {
    method: 'POST',
    path: '/clock/advance',
    name: 'advanceClock',
    tag: 'Clock',
    summary: 'Moves the clock ahead; what falls due happens in order. Responds when all of it is over.',
    body: fields({ duration: duration('How far.') }),
    response: ref('Clock'),
    changes: 'clock',
    async run({ body }, bench) {
      await bench.service.clock.advance(body.duration as string);
      return clockOf(bench);
    },
  },
  {
    method: 'POST',
    path: '/clock/step',
    name: 'stepClock',
    tag: 'Clock',
    summary: 'Steps the wall time, as NTP or a resumed machine does; timers are not moved.',
    body: fields({ duration: duration('How far.'), 'back?': { type: 'boolean' } }),
    response: ref('Clock'),
    changes: 'clock',
    run({ body }, bench) {
      bench.service.clock.step(body.duration as string, { back: body.back === true });
      return clockOf(bench);
    },
  },
  {
    method: 'POST',
    path: '/clock/stop',
    name: 'stopClock',
    tag: 'Clock',
    summary: 'Lets time stand still until it is advanced or started.',
    response: ref('Clock'),
    changes: 'clock',
    run(_, bench) {
      bench.service.clock.stop();
      return clockOf(bench);
    },
  },
  {
    method: 'POST',
    path: '/clock/start',
    name: 'startClock',
    tag: 'Clock',
    summary: 'Lets time pass by itself from where it stands.',
    response: ref('Clock'),
    changes: 'clock',
    run(_, bench) {
      bench.service.clock.start();
      return clockOf(bench);
    },
  },
];
