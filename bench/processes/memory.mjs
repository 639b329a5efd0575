/**
 * Bytes allocated per GET, or resident memory after many, of one contestant in a process of its own.
 *
 *   node --expose-gc --max-semi-space-size=512 --min-semi-space-size=512 bench/processes/memory.mjs '{"service":{…},"name":"client","measure":"allocated"}'
 */
import { contestant } from './contestants.mjs';

const { service, name, measure } = JSON.parse(process.argv[2]);
const CALLS = { allocated: 2000, resident: 20_000 };

if (name === 'empty') {
  process.stdout.write(JSON.stringify(process.memoryUsage.rss()));
  process.exit(0);
}
const calls = await contestant(name, service);
if (!calls) {
  process.stdout.write('null');
  process.exit(0);
}
for (let call = 0; call < 2000; call += 1) await calls.get();

if (measure === 'allocated') {
  // The young generation is larger than all of it: nothing is collected between the two readings.
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  for (let call = 0; call < CALLS.allocated; call += 1) await calls.get();
  process.stdout.write(JSON.stringify((process.memoryUsage().heapUsed - before) / CALLS.allocated));
} else {
  const worker = async () => {
    for (let call = 0; call < CALLS.resident / 10; call += 1) await calls.get();
  };
  await Promise.all(Array.from({ length: 10 }, worker));
  process.stdout.write(JSON.stringify(process.memoryUsage.rss()));
}
process.exit(0);
