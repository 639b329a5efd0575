/**
 * CPU per call (user and system), throughput and the 99th percentile, of all contestants in turn within one process.
 *
 *   node bench/processes/cpu.mjs '{"service":{…},"call":"get","concurrency":1,"rounds":20,"calls":500}'
 */
import { performance } from 'node:perf_hooks';
import { CONTESTANTS, contestant } from './contestants.mjs';

const { service, call, concurrency, rounds, calls, without = [] } = JSON.parse(process.argv[2]);
const names = Object.keys(CONTESTANTS).filter((name) => !without.includes(name));
/** What is measured before is the compiler: whoever has more code is later done with it. */
const WARM_UP_CALLS = { get: 3000, post: 3000, menu: 80, pages: 8 };
/** They cost several times as much, and their ratios are far from any goal: they take part in every fourth round. */
const PEERS = ['fetch', 'stripe', 'openai', 'square'];
const WARM_UP_ROUNDS = Math.ceil(WARM_UP_CALLS[call] / calls);

const running = new Map();
for (const name of names) {
  const calls = await contestant(name, service);
  if (calls?.[call]) running.set(name, calls);
}

async function measure(run) {
  const latencies = [];
  let left = calls;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const startedAt = performance.now();
      await run();
      latencies.push(performance.now() - startedAt);
    }
  };
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: concurrency }, worker));
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(before);
  latencies.sort((a, b) => a - b);
  return {
    cpu: (user + system) / calls,
    perSecond: calls / seconds,
    p99: latencies[Math.floor(latencies.length * 0.99)],
  };
}

// Another draw in each process: one order for all of them would favour whoever follows the light ones in it.
let drawn = process.pid;
function shuffle(names) {
  for (let last = names.length - 1; last > 0; last -= 1) {
    drawn = (drawn * 48_271) % 2_147_483_647;
    const other = drawn % (last + 1);
    [names[last], names[other]] = [names[other], names[last]];
  }
}

const measured = Object.fromEntries([...running.keys()].map((name) => [name, []]));
const order = [...running.keys()];
for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
  // In another order each time: nobody always runs on the garbage of the same other. A collection before each would be no
  // better, since it takes the shapes of objects away for which code was optimised.
  shuffle(order);
  for (const name of order) {
    if (round % 4 !== 0 && PEERS.includes(name)) continue;
    const figures = await measure(running.get(name)[call]);
    if (round >= 0) measured[name].push({ round, ...figures });
  }
}
for (const calls of running.values()) await calls.close();
process.stdout.write(JSON.stringify(measured));
process.exit(0);
