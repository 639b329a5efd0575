/** Twenty calls that are refused at once with 401: how many tokens are asked for, and how long it takes. */
import { CONTESTANTS } from './contestants.mjs';

const { service } = JSON.parse(process.argv[2]);
const client = await CONTESTANTS.client(service);
await client.get();
await fetch(`${service.origin}/control/revoke`);
const startedAt = performance.now();
await Promise.all(Array.from({ length: 20 }, () => client.get()));
const wallMs = performance.now() - startedAt;
const tokens = Number(await (await fetch(`${service.origin}/control/tokens`)).text());
await client.close();
process.stdout.write(JSON.stringify({ wallMs, tokens }));
process.exit(0);
