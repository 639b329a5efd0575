import { createMockService } from 'online-ordering-sdk/mock';
import { describe, expect, onTestFinished, test } from 'vitest';
import { controlRoutes } from '../../../../src/mock/workbench/routes/index.js';

/** What `service.*` offers, and the operations of the control API that do the same. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  credentials: ['readService'],
  samples: ['readService'],
  reset: ['reset'],
  snapshot: ['snapshot'],
  requests: ['listRequests', 'readRequest'],
  ledger: ['readLedger'],
  onRequest: ['follow'],
  onChange: ['follow'],
  orders: ['listOrders', 'readOrder'],
  'orders.advance': ['advanceOrder'],
  'payments.declineNext': ['declineNextPayment', 'listDeclines'],
  'payments.settleAfter': ['settlePaymentsAfter'],
  'menu.update': ['readMenu', 'changeMenu', 'changeMenuItem'],
  'stock.set': ['readStock', 'changeStock'],
  'stock.setMany': ['changeStock'],
  'hours.set': ['changeHours'],
  'locations.list': ['listLocations'],
  'locations.update': ['changeLocation'],
  'partners.add': ['addPartner'],
  'partners.configure': ['configurePartner'],
  'partners.rotateSecret': ['rotateSecret'],
  'faults.next': ['armFault'],
  'faults.list': ['listFaults'],
  'faults.clear': ['clearFaults'],
  'behaviour.current': ['readBehaviour'],
  'behaviour.set': ['changeBehaviour'],
  'behaviour.setKind': ['setKind'],
  'clock.now': ['readClock'],
  'clock.isRunning': ['readClock'],
  'clock.advance': ['advanceClock'],
  'clock.step': ['stepClock'],
  'clock.stop': ['stopClock'],
  'clock.start': ['startClock'],
  'webhooks.subscribe': ['subscribe', 'listSubscriptions'],
  'webhooks.route': ['routeDeliveries'],
  'webhooks.deliverTo': ['deliverTo'],
  'webhooks.resend': ['resendDeliveries'],
  'webhooks.emit': ['emitEvent'],
  'webhooks.events': ['listEvents'],
  'webhooks.deliveries': ['listDeliveries', 'readDelivery'],
  'webhooks.onDelivery': ['follow'],
};

/** What can only be done in the process of the service, and why. */
const IN_PROCESS: Readonly<Record<string, string>> = {
  fetch: 'how the service is reached in its process',
  dispatcher: 'how the service is reached in its process',
  handlers: 'how the service is reached in its process',
  listen: 'the control API is served by it',
  close: 'would end the server that is asked',
  'clock.monotonic': 'for those who share the clock',
  'clock.setTimer': 'for those who share the clock',
  'clock.during': 'for those who share the clock',
  'clock.runUntil': 'waits for a promise',
  'clock.onMove': 'internal',
  'faults.take': 'internal',
  'faults.onTaken': 'internal',
  'faults.onChange': 'internal',
  'behaviour.draw': 'internal',
  'behaviour.reset': 'internal',
};

/** Names of what an object offers, its class's included. */
function namesOf(thing: object): string[] {
  const names = new Set(Object.keys(thing));
  for (let at = Object.getPrototypeOf(thing); at && at !== Object.prototype && at !== Function.prototype; ) {
    for (const name of Object.getOwnPropertyNames(at)) if (name !== 'constructor') names.add(name);
    at = Object.getPrototypeOf(at);
  }
  return [...names];
}

const CONTROLS = [
  'payments',
  'orders',
  'menu',
  'stock',
  'hours',
  'locations',
  'partners',
  'faults',
  'behaviour',
  'clock',
  'webhooks',
] as const;

describe('The control API', () => {
  test('does everything that `service.*` does', () => {
    const service = createMockService();
    onTestFinished(() => service.close());
    const own = namesOf(service).filter((name) => !(CONTROLS as readonly string[]).includes(name));
    const below = CONTROLS.flatMap((control) => namesOf(service[control]).map((name) => `${control}.${name}`));

    const members = [...own, 'orders', ...below].sort();

    expect(members).toEqual([...Object.keys(SAME), ...Object.keys(IN_PROCESS)].sort());
  });

  test('has no operation beside those', () => {
    const operations = controlRoutes.map(({ name }) => name);

    const named = new Set(Object.values(SAME).flat());
    // Carts are in no list of the service; the page shows them.
    expect([...operations, 'follow'].filter((name) => !named.has(name))).toEqual(['listCarts']);
    expect([...named].filter((name) => name !== 'follow' && !operations.includes(name))).toEqual([]);
  });
});
