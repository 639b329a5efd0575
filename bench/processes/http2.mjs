/**
 * The client over TLS, with HTTP/1.1 and with HTTP/2 (`allowH2`), by turns in one process: CPU per call and calls a second.
 *
 *   node bench/processes/http2.mjs '{"service":{…},"rounds":7,"calls":400,"concurrency":50}'
 */
import { Agent } from 'undici';
import { CERTIFICATE } from './certificate.mjs';
import { clientOver } from './contestants.mjs';

const { service, rounds, calls, concurrency } = JSON.parse(process.argv[2]);
const overTls = { ...service, origin: service.tlsOrigin };
const agents = { 'HTTP/1.1': {}, 'HTTP/2': { allowH2: true } };

const clients = {};
for (const [name, options] of Object.entries(agents)) {
  const dispatcher = new Agent({ ...options, connections: 128, connect: { ca: CERTIFICATE } });
  clients[name] = await clientOver(overTls, dispatcher);
}

async function measure(client) {
  let left = calls;
  const worker = async () => {
    for (; left > 0; left -= 1) await client.get();
  };
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: concurrency }, worker));
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / calls, perSecond: (calls * 1000) / (performance.now() - startedAt) };
}

const measured = Object.fromEntries(Object.keys(agents).map((name) => [name, []]));
for (let round = -2; round < rounds; round += 1) {
  for (const [name, client] of Object.entries(clients)) {
    const figures = await measure(client);
    if (round >= 0) measured[name].push(figures);
  }
}
process.stdout.write(JSON.stringify(measured));
process.exit(0);
