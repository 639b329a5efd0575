// What a partner's project does with the package: each program prints what the value under `EXPECTED` says.

/** Prints the modules that importing an entry loads beyond those of the package itself. */
const HEAVY = `
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
for (const entry of ['', '/webhooks', '/menus', '/mock']) require('online-ordering-sdk' + entry);
console.log(Object.keys(require.cache).filter((file) => /node_modules.(undici|zod|msw)/.test(file)).length);
`;

const COMMAND = `
import { spawn } from 'node:child_process';
const child = spawn(process.execPath, ['node_modules/online-ordering-sdk/dist/command.js', 'mock', '--port', '0']);
let printed = '';
child.stdout.on('data', (chunk) => {
  const started = printed.includes('CLIENT_SECRET');
  printed += chunk;
  if (!started && printed.includes('CLIENT_SECRET')) child.kill('SIGINT');
});
child.on('exit', (code, signal) => console.log(code, signal));
`;

/** The commands for the first hour, from the built package: exit codes, and the profile that was written. */
const FIRST_HOUR = `
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createMockService } from 'online-ordering-sdk/mock';
const service = createMockService({ clock: 'real', rateLimits: false, profile: { format: 1, choices: { 'PAY-1': 'money' } } });
const { url } = await service.listen();
const { clientId, clientSecret } = service.credentials;
const env = { ...process.env, ONLINE_ORDERING_BASE_URL: url, ONLINE_ORDERING_CLIENT_ID: clientId, ONLINE_ORDERING_CLIENT_SECRET: clientSecret };
for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']) delete env[name];
const command = (...args) =>
  new Promise((resolve) => spawn(process.execPath, ['node_modules/online-ordering-sdk/dist/command.js', ...args], { env }).on('exit', resolve).stdout.resume());
const doctor = await command('doctor');
const certify = await command('certify', '--sandbox', '--yes', '--payment-token', 'tok_approved', '--profile', 'written.json');
console.log(doctor, certify, JSON.parse(readFileSync('written.json', 'utf8')).choices['PAY-1']);
await service.close();
`;

/** On Bun undici has no sockets: the client uses the fetch of the runtime, without being told. */
const WITHOUT_UNDICI = `
globalThis.Bun = {};
globalThis.fetch = async (url) => Response.json(url.endsWith('/auth/token') ? { access_token: 'token', token_type: 'BEARER', expires_in: 86400 } : { name: 'QuickStop' });
const { OnlineOrdering } = await import('online-ordering-sdk');
const client = new OnlineOrdering({ baseUrl: 'https://x.test/v1/online-ordering', clientId: 'id', clientSecret: 'secret', validation: 'off' });
console.log((await client.locations.retrieve('location')).name);
`;

export const PROGRAMS = {
  'heavy.mjs': HEAVY,
  'command.mjs': COMMAND,
  'first-hour.mjs': FIRST_HOUR,
  'without-undici.mjs': WITHOUT_UNDICI,
};

export const EXPECTED = {
  'heavy.mjs': '0',
  'command.mjs': '0 null',
  'first-hour.mjs': '0 0 money',
  'without-undici.mjs': 'QuickStop',
};

/** Compiled in the strictest project, without msw, DOM or `skipLibCheck`. */
export const CONSUMER = `
import { OnlineOrdering, type Cart } from 'online-ordering-sdk';
import { constructEvent } from 'online-ordering-sdk/webhooks';
import { indexMenu } from 'online-ordering-sdk/menus';
import { createMockService } from 'online-ordering-sdk/mock';
import * as contract from 'online-ordering-sdk/contract';

const { dispatcher, clock, credentials } = createMockService({ seed: 7 });
const optional: { baseUrl: string | undefined; timeout: number | undefined; key: string | undefined; signal: AbortSignal | undefined } =
  { baseUrl: process.env.X, timeout: undefined, key: undefined, signal: undefined };
const client = new OnlineOrdering({ ...credentials, baseUrl: optional.baseUrl, timeout: optional.timeout, dispatcher, clock, fetch: undefined });
export const cart: Promise<Cart> = client.carts.create({ location_id: 'x' }, { idempotencyKey: optional.key, signal: optional.signal });
export const orders = client.orders.list({ cursor: optional.key, customer_id: optional.key });
export const other = new OnlineOrdering({ fetch });
export default [constructEvent, indexMenu, contract];
`;

export const TSCONFIGS = [
  { module: 'nodenext', moduleResolution: 'nodenext', files: ['consumer.mts', 'consumer.cts'] },
  { module: 'esnext', moduleResolution: 'bundler', files: ['consumer.mts'] },
].map(({ files, ...compilerOptions }) => ({
  files,
  compilerOptions: {
    ...compilerOptions,
    target: 'ES2022',
    lib: ['ES2022'],
    types: ['node'],
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  },
}));
