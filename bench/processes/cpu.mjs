/**
 * CPU per call (user and system), throughput and the 99th percentile, of all contestants in turn within one process.
 *
 *   node bench/processes/cpu.mjs '{"service":{…},"call":"get","concurrency":1,"rounds":20,"calls":500}'
 */
import { performance } from 'node:perf_hooks';
import { CONTESTANTS, contestant } from './contestants.mjs';

const { service, call, concurrency, rounds, calls, names = Object.keys(CONTESTANTS) } = JSON.parse(process.argv[2]);
const WARM_UP_ROUNDS = Math.max(2, Math.ceil(rounds / 4));

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

const measured = Object.fromEntries([...running.keys()].map((name) => [name, []]));
const order = [...running.keys()];
for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
  // Who goes first takes turns, so that nobody always runs on the garbage of the same other.
  order.push(order.shift());
  for (const name of order) {
    const figures = await measure(running.get(name)[call]);
    if (round >= 0) measured[name].push(figures);
  }
}
for (const calls of running.values()) await calls.close();
process.stdout.write(JSON.stringify(measured));
process.exit(0);
