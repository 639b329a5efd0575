/**
 * CPU of a verified webhook beside createHmac, timingSafeEqual and JSON.parse written by hand, in pairs within one process.
 *
 *   node bench/processes/webhook.mjs '{"bytes":1024,"rounds":101}'
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { constructEvent } from '../../dist/webhooks.js';

const stripe = await import('stripe').then(
  ({ default: Stripe }) => new Stripe('sk_test_bench'),
  () => undefined,
);
const { bytes, rounds } = JSON.parse(process.argv[2]);
const SECRET = 'whsec_5f1c2a7b8d110b9f6a526f6e4c1e9d0f';

function stockEvent() {
  const items = [];
  const event = {
    event_id: 'evt_c3d4e5f6-a7b8-9012-cdef-234567890123',
    event_type: 'stock.updated',
    created_at: '2026-01-15T14:30:00Z',
    data: { location_id: '5f0c0a52-6f6e-4c1e-9d0f-3f1c2a7b8d11', items },
  };
  while (JSON.stringify(event).length < bytes) {
    items.push({
      item_id: '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11',
      name: 'Turkey Club',
      previous_status: 'IN_STOCK',
      current_status: 'OUT_OF_STOCK',
      updated_at: '2026-01-15T14:30:00Z',
    });
  }
  return Buffer.from(JSON.stringify(event));
}

const body = stockEvent();
const headers = {
  host: 'hooks.example.com',
  'content-type': 'application/json',
  'x-service-signature': createHmac('sha256', SECRET).update(body).digest('hex'),
};

function byHand() {
  const expected = createHmac('sha256', SECRET).update(body).digest();
  const given = Buffer.from(headers['x-service-signature'], 'hex');
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) throw new Error('no match');
  return JSON.parse(body.toString());
}

/** Signs `<time stamp>.<body>`, and is told not to look at the age of what is the same all the time. */
function stripeSignature() {
  const timestamp = Math.floor(Date.now() / 1000);
  return `t=${timestamp},v1=${createHmac('sha256', SECRET).update(`${timestamp}.`).update(body).digest('hex')}`;
}
const signedByStripe = stripeSignature();

const CONTESTANTS = {
  client: () => constructEvent(body, headers, SECRET),
  ...(stripe && { stripe: () => stripe.webhooks.constructEvent(body, signedByStripe, SECRET, 1e9) }),
};
const calls = bytes < 5000 ? 300 : 50;

function microsecondsPerCall(run) {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

const pairs = Object.fromEntries(Object.keys(CONTESTANTS).map((name) => [name, []]));
for (let round = -20; round < rounds; round += 1) {
  for (const [name, run] of Object.entries(CONTESTANTS)) {
    const first = round % 2 === 0 ? microsecondsPerCall(byHand) : undefined;
    const cpu = microsecondsPerCall(run);
    const hand = first ?? microsecondsPerCall(byHand);
    if (round >= 0 && hand > 0) pairs[name].push({ cpu, ratio: cpu / hand });
  }
}
process.stdout.write(JSON.stringify(pairs));
process.exit(0);
