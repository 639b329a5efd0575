/**
 * Whether the heap stays flat over many calls: KB that it holds more after all calls than after the first tenth.
 *
 *   node --expose-gc bench/processes/heap.mjs '{"service":{…},"calls":200000,"signal":true}'
 */
import { CONTESTANTS } from './contestants.mjs';

const { service, calls, signal } = JSON.parse(process.argv[2]);
const IN_FLIGHT = 50;
const client = await CONTESTANTS.client(service);
const options = signal ? { signal: new AbortController().signal } : undefined;

async function heapAfter(count) {
  let left = count;
  const worker = async () => {
    for (; left > 0; left -= 1) await client.get(options);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

const first = await heapAfter(calls / 10);
const last = await heapAfter(calls - calls / 10);
process.stdout.write(JSON.stringify({ grownKb: (last - first) / 1024, heapMb: last / 1024 / 1024 }));
process.exit(0);
