// What a partner does on every runtime, against the mock over HTTP. Prints one line a part; ends with status 1 on a failure.
import { NotFoundError, OnlineOrdering } from 'online-ordering-sdk';
import { WebhookVerificationError } from 'online-ordering-sdk/webhooks';

const EVENT = {
  event_id: 'evt_1',
  event_type: 'menu.changed',
  created_at: '2026-01-31T10:00:00Z',
  data: {
    location_id: 'location',
    version_hash: 'sha256:1',
    change_type: 'FULL_UPDATE',
    changed_at: '2026-01-31T10:00:00Z',
  },
};

function equal(actual, expected) {
  if (actual !== expected) throw new Error(`${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}

async function orderIn(client) {
  const locations = await client.locations.list().toArray({ limit: 10 });
  const location = locations.find((candidate) => candidate.online_ordering_enabled);
  const menu = await client.menus.retrieve(location.id);
  const water = menu.categories.flatMap(({ items }) => items).find(({ name }) => name === 'Bottled water');
  const cart = await client.carts.create({ location_id: location.id });
  await client.carts.items.add(cart.id, { menu_item_id: water.id, quantity: 2, modifier_selections: [] });
  await client.carts.setHandoff(cart.id, { mode: 'PICKUP' });
  const { total } = await client.carts.calculate(cart.id);
  const { order_id } = await client.carts.checkout(cart.id, { expected_total: total.amount });
  return { orderId: order_id, total };
}

/** The parts, by name. `journal` is given where there is a disk, `sign` and `verify` are those of the runtime. */
export function parts({ options, journal, sign, verify }) {
  const client = new OnlineOrdering({ ...options, logLevel: 'error' });
  return {
    'an order is placed and paid': async () => {
      const { orderId, total } = await orderIn(client);
      const settlement = await client.orders.settle(orderId, {
        tenders: [{ payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' }],
        ...(journal && { journal }),
      });
      equal(settlement.status, 'PAID');
      equal(settlement.amountPaid.amount, total.amount);
    },
    'a list is walked': async () => {
      let count = 0;
      for await (const _order of client.orders.list({ limit: 1 })) count += 1;
      equal(count > 0, true);
    },
    'an error is mapped': async () => {
      const error = await client.orders.retrieve('0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11').catch((caught) => caught);
      equal(error instanceof NotFoundError, true);
      equal(error.scenario, 'order_not_found');
    },
    'a webhook is verified': async () => {
      const body = JSON.stringify(EVENT);
      const headers = await sign(body, 'whsec_1');
      const event = await verify(body, headers, 'whsec_1');
      equal(event.event_type, 'menu.changed');
      const refused = await Promise.resolve()
        .then(() => verify(`${body} `, headers, 'whsec_1'))
        .catch((caught) => caught);
      equal(refused instanceof WebhookVerificationError, true);
    },
    'the client closes': async () => client.close(),
  };
}

export async function runParts(all) {
  const failures = [];
  const lines = [];
  for (const [name, part] of Object.entries(all)) {
    try {
      await part();
      lines.push(`ok ${name}`);
    } catch (error) {
      failures.push(name);
      lines.push(`not ok ${name}: ${error?.stack ?? error}`);
    }
  }
  return { ok: failures.length === 0, lines };
}
