/**
 * CPU of a GET through the whole client (token, retries, cool-downs, time-out, parsing, contract check), beside a bare
 * `undici.request` with `JSON.parse`, against the same server on loopback in a process of its own.
 *
 *   npm run build && npx tsx bench/get.ts
 *
 * Rounds take turns in one process; the figure is the median of the ratios of all pairs. Ends with status 1 when that
 * of the default settings is 1 or more.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'undici';

// The build, as partners run it: loaders for TypeScript add a call to every function that is made at run time.
const built = new URL('../dist/index.js', import.meta.url).href;
const { OnlineOrdering }: typeof import('online-ordering-sdk') = await import(built);

const ROUNDS = 41;
const WARM_UP_ROUNDS = 10;
const CALLS = 1000;
const CONCURRENCY = 10;
const CART_ID = '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11';

/** Answers a token, and a cart with two items for everything else. */
const SERVER = `
  const usd = (amount) => ({ amount, currency: 'USD' });
  const id = '${CART_ID}';
  const item = {
    id, menu_item_id: id, name: 'Turkey sub', quantity: 2, base_price: usd(799), modifier_total: usd(100),
    item_total: usd(1798), special_instructions: null, modifier_selections: [], age_verification_required: false,
    minimum_age: null,
  };
  const cart = JSON.stringify({
    id, location_id: id, customer_id: null, status: 'ACTIVE', items: [item, item], handoff_mode: null,
    age_verification_required: false, promo_codes: [], subtotal: usd(3596), total_tax: usd(268),
    total_discount: usd(0), fees: [], total_fees: usd(0), total: usd(3864), created_at: '2026-01-31T10:00:00Z',
    updated_at: '2026-01-31T10:00:00Z',
  });
  const token = JSON.stringify({ access_token: 'token', token_type: 'BEARER', expires_in: 86400 });
  require('node:http').createServer({ keepAliveTimeout: 60000 }, (incoming, outgoing) => {
    const body = incoming.url.endsWith('/auth/token') ? token : cart;
    incoming.resume();
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length, 'x-request-id': id });
    outgoing.end(body);
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

type Get = () => Promise<unknown>;

/** Microseconds of CPU, user and system, that one call takes. */
async function cpuPerCall(get: Get): Promise<number> {
  const before = process.cpuUsage();
  const worker = async (): Promise<void> => {
    for (let call = 0; call < CALLS / CONCURRENCY; call += 1) await get();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

const server = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
const [line] = (await once(server.stdout, 'data')) as [Buffer];
const origin = `http://127.0.0.1:${Number(line)}`;
const baseUrl = `${origin}/v1/online-ordering`;

// Both have as many sockets as they want; what is compared is the work of one call.
const agent = new Agent({ keepAliveTimeout: 4000 });
const headers = { accept: 'application/json', authorization: 'Bearer token' };
const bare: Get = async () => {
  const { body } = await request(`${baseUrl}/carts/${CART_ID}`, { dispatcher: agent, headers });
  return JSON.parse(await body.text());
};
const client = new OnlineOrdering({ baseUrl, clientId: CART_ID, clientSecret: 'secret' });
const unchecked = client.withOptions({ validation: 'off' });
const subjects: Record<string, Get> = {
  'client, default settings': () => client.carts.retrieve(CART_ID),
  "client, validation: 'off'": () => unchecked.carts.retrieve(CART_ID),
};

const pairs: Record<string, { bare: number; subject: number }[]> = Object.fromEntries(
  Object.keys(subjects).map((name) => [name, []]),
);
for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
  for (const [name, get] of Object.entries(subjects)) {
    // Who goes first takes turns, so that neither always runs on the other's garbage.
    const first = round % 2 === 0 ? await cpuPerCall(bare) : undefined;
    const subject = await cpuPerCall(get);
    const pair = { bare: first ?? (await cpuPerCall(bare)), subject };
    if (round >= 0) pairs[name]?.push(pair);
  }
}

for (const [name, measured] of Object.entries(pairs)) {
  const ratio = median(measured.map((pair) => pair.subject / pair.bare));
  const [own, theirs] = [median(measured.map(({ subject }) => subject)), median(measured.map((pair) => pair.bare))];
  console.log(
    `${name}: ${own.toFixed(1)} µs CPU per GET; bare undici.request: ${theirs.toFixed(1)} µs; ratio ${ratio.toFixed(3)}`,
  );
  if (name.includes('default') && ratio >= 1) process.exitCode = 1;
}
await client.close();
await agent.close();
server.kill();
