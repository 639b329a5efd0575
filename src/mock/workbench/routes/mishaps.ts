import type { TenderType } from '../../../contract/index.js';
import type { BehaviourChange } from '../../behaviour/behaviour.js';
import type { Fault } from '../../faults/faults.js';
import { routes as serviceRoutes } from '../../routes.js';
import type { ControlRoute } from '../control-route.js';
import { DONE, done, duration, fields, listOf, ref, SCHEMAS, text } from '../schemas.js';

const ENDPOINTS = serviceRoutes.map(({ method, path }) => `${method} ${path}`);

export const routes: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/faults',
    name: 'listFaults',
    tag: 'Faults',
    summary: 'The faults that have not met their requests yet, and the endpoints for which one can be armed.',
    response: {
      type: 'object',
      properties: { waiting: listOf(ref('WaitingFault')), endpoints: listOf({ type: 'string' }) },
    },
    run: (_, { service }) => ({ waiting: service.faults.list(), endpoints: ['*', ...ENDPOINTS] }),
  },
  {
    method: 'POST',
    path: '/faults',
    name: 'armFault',
    tag: 'Faults',
    summary: 'Lets the next request of an endpoint go wrong.',
    body: fields({
      endpoint: {
        ...text("Method and path: 'POST /orders/{order_id}/payments', a path with real ids, or '*' for any request."),
        examples: ['POST /orders/{order_id}/payments'],
      },
      fault: SCHEMAS.Fault,
    }),
    response: listOf(ref('WaitingFault')),
    changes: 'faults',
    run({ body }, { service }) {
      service.faults.next(body.endpoint as string, body.fault as Fault);
      return service.faults.list();
    },
  },
  {
    method: 'DELETE',
    path: '/faults',
    name: 'clearFaults',
    tag: 'Faults',
    summary: 'Forgets every fault that has not met its requests.',
    response: DONE,
    changes: 'faults',
    run(_, { service }) {
      service.faults.clear();
      return done;
    },
  },
  {
    method: 'GET',
    path: '/payments/declines',
    name: 'listDeclines',
    tag: 'Payments',
    summary: 'Declines that wait for their payments.',
    response: listOf({ type: 'object', properties: { method: { type: 'string' }, reason: { type: 'string' } } }),
    run: (_, { state }) => state().payments.declines.map((decline) => ({ ...decline })),
  },
  {
    method: 'POST',
    path: '/payments/declines',
    name: 'declineNextPayment',
    tag: 'Payments',
    summary: 'Declines the next payment by a method with 422; called twice, the next two.',
    body: fields({
      method: {
        enum: ['CREDIT_CARD', 'DEBIT_CARD', 'CASH', 'GIFT_CARD', 'LOYALTY_POINTS', 'DIGITAL_WALLET', 'EBT', '*'],
      },
      'reason?': text('card_declined when left out.'),
    }),
    response: DONE,
    changes: 'faults',
    run({ body }, { service }) {
      const { method, ...options } = body as { method: TenderType; reason?: string };
      service.payments.declineNext(method, options);
      return done;
    },
  },
  {
    method: 'POST',
    path: '/payments/settlement',
    name: 'settlePaymentsAfter',
    tag: 'Payments',
    summary: 'From now on payments take time, on the service’s clock, before they end.',
    body: fields({
      duration: duration('0 lets payments complete at once again.'),
      'outcome?': { enum: ['COMPLETED', 'FAILED'] },
    }),
    response: DONE,
    changes: 'faults',
    run({ body }, { service }) {
      const { duration: after, ...options } = body as { duration: string; outcome?: 'COMPLETED' | 'FAILED' };
      service.payments.settleAfter(after, options);
      return done;
    },
  },
  {
    method: 'GET',
    path: '/behaviour',
    name: 'readBehaviour',
    tag: 'Behaviour',
    summary: 'What the service does where the interface document promises nothing.',
    response: { type: 'object' },
    run: (_, { service }) => service.behaviour.current,
  },
  {
    method: 'POST',
    path: '/behaviour',
    name: 'changeBehaviour',
    tag: 'Behaviour',
    summary: 'Changes some switches from now on.',
    body: { type: 'object', description: 'Switches by name.', examples: [{ keysInFlight: 'run_twice' }] },
    response: { type: 'object' },
    changes: 'behaviour',
    run({ body }, { service }) {
      service.behaviour.set(body as BehaviourChange);
      return service.behaviour.current;
    },
  },
  {
    method: 'POST',
    path: '/behaviour/kind',
    name: 'setKind',
    tag: 'Behaviour',
    summary: 'Sets every switch to its kind default.',
    response: { type: 'object' },
    changes: 'behaviour',
    run(_, { service }) {
      service.behaviour.setKind();
      return service.behaviour.current;
    },
  },
];
