import { newUuid } from '../../platform/uuid.js';
import { createMockService } from '../index.js';
import type { MockService } from '../service.js';
import { sendDelivery } from '../webhooks/send.js';
import type { HooksCommand } from './arguments.js';
import { historyFile, readHistory, remember, type Sent } from './history.js';
import { deliveryHint } from './texts.js';

/** What deliveries are signed with when no secret is given: a receiver under test is told it. */
const TEST_SECRET = 'whsec_test';
const TIMEOUT_MS = 10_000;

/** Sends one signed event to a receiver, or one that was sent again, and says what it responded. True when it took it. */
export async function runHooks(
  command: HooksCommand,
  print: (line: string) => void,
  file = historyFile(),
): Promise<boolean> {
  const sent =
    command.command === 'hooks send' ? await newEvent(command) : sentBefore(command, await readHistory(file));
  const secret = command.secret ?? sent.secret ?? TEST_SECRET;
  const response = await sendDelivery({
    target: sent.to,
    url: sent.to,
    body: sent.body,
    secret,
    timeoutMs: TIMEOUT_MS,
  });
  const { status, error } = response;
  const hint = deliveryHint(response);
  await remember(file, sent);
  const signed = command.secret === undefined ? `signed with "${secret}"` : 'signed with the given secret';
  const outcome = [status ?? `no response: ${error}`, ...(hint === undefined ? [] : [hint])].join(', ');
  print(`${sent.id}  ${outcome}  ${sent.to}  (${signed})`);
  return status !== null && status >= 200 && status < 300;
}

async function newEvent({ subject, to, data }: HooksCommand): Promise<Sent> {
  const id = newUuid();
  const content = data ?? (await sampleData(subject));
  const body = JSON.stringify({
    event_id: id,
    event_type: subject,
    created_at: new Date().toISOString(),
    data: content,
  });
  return { id, to: to!, body };
}

function sentBefore({ subject, to }: HooksCommand, history: readonly Sent[]): Sent {
  const sent = history.find(({ id }) => id === subject.toLowerCase());
  if (!sent)
    throw new Error(
      `No event ${subject} was sent from here; \`hooks send\` and \`mock --forward-to\` print the id of each.`,
    );
  return to === undefined ? sent : { ...sent, to };
}

/** What the mock service says in an event of this type. */
async function sampleData(type: string): Promise<unknown> {
  const service = createMockService({ rateLimits: false });
  await aDay(service);
  const event = service.webhooks.events().find(({ event_type }) => event_type === type);
  await service.close();
  if (event) return event.data;
  throw new Error(`The service has no event "${type}"; write what it carries, as in --data '{"order_id":"…"}'.`);
}

/** A little of everything that has an event. */
async function aDay(service: MockService): Promise<void> {
  const { baseUrl, clientId, clientSecret } = service.credentials;
  let token = '';
  const post = async (path: string, body: unknown): Promise<Record<string, string>> => {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': newUuid() };
    const response = await service.fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as Record<string, string>;
  };
  const grant = { grant_type: 'CLIENT_CREDENTIALS', client_id: clientId, client_secret: clientSecret };
  token = (await post('/auth/token', grant)).access_token!;
  const location_id = service.samples.locations.downtown;
  const cart = await post('/carts', { location_id });
  await post(`/carts/${cart.id}/items`, service.samples.cartItems.turkeySub);
  const { order_id } = await post(`/carts/${cart.id}/checkout`, { handoff_mode: { mode: 'PICKUP' } });
  await post(`/orders/${order_id}/payments`, { payment_method: 'CREDIT_CARD', amount: 500 });
  await post(`/orders/${order_id}/cancel`, { reason: 'CUSTOMER_REQUEST' });
  service.stock.set(location_id, service.samples.items.houseCoffee, 'OUT_OF_STOCK');
  service.menu.update(location_id, (menu) => {
    menu.categories[0]!.items[0]!.base_price.amount += 25;
  });
  service.hours.set(location_id, []);
}
