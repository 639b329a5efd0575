/**
 * Wall time over a slow link, of the client alone: the menu as it is and compressed, pages one after the other, and reads at
 * once.
 *
 *   node bench/processes/link.mjs '{"service":{…},"rounds":5}'
 */
import { CONTESTANTS } from './contestants.mjs';

const { service, rounds } = JSON.parse(process.argv[2]);
const { origin } = service;

async function median(run) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}

const plain = await CONTESTANTS.client(service);
const squeezed = await CONTESTANTS.client({ ...service, origin: `${origin}/compressed` });
await plain.get();
await squeezed.get();
const figures = {
  'menu, as it is': await median(() => plain.menu()),
  'menu, compressed': await median(() => squeezed.menu()),
  '20 pages, one after the other': await median(() => plain.pages()),
  '20 pages, one after the other, compressed': await median(() => squeezed.pages()),
  '20 pages, each used for 30 ms': await median(() => plain.usedPages(false)),
  '20 pages, each used for 30 ms, prefetched': await median(() => plain.usedPages(true)),
  '20 reads, one after the other': await median(async () => {
    for (let read = 0; read < 20; read += 1) await plain.get();
  }),
  '20 reads, Promise.all': await median(() => Promise.all(Array.from({ length: 20 }, () => plain.get()))),
};
await plain.close();
await squeezed.close();
process.stdout.write(JSON.stringify(figures));
process.exit(0);
