/**
 * What the client costs beside a bare `undici.request`, other ways of sending, and public SDKs, on the same responses.
 *
 *   npm run bench                          every table; some ten minutes
 *   npm run bench -- --quick --check       a tenth of it, held against limits.ts
 *   npm run bench -- --only get,post       some tables
 *   npm run bench -- --processes 4         in so many processes
 *   npm run bench -- --without openai,square  in less time
 *   npm run bench -- --json bench.json     the figures in a file, too
 *
 * The service runs in a process of its own on loopback. Contestants take turns in rounds, in several fresh processes; a
 * ratio is the median over rounds of one process, and the range is that between processes.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { markdown, type Table } from './figures.js';
import { MARGIN, RATIO_LIMITS } from './limits.js';
import { withService } from './processes.js';
import { FULL, QUICK, tables } from './tables.js';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'string' },
    processes: { type: 'string' },
    without: { type: 'string' },
  },
});

const root = fileURLToPath(new URL('..', import.meta.url));
const isInstalled = existsSync(`${root}bench/node_modules`);
if (!isInstalled && !values.quick) execFileSync('npm', ['ci', '--prefix', `${root}bench`], { stdio: 'inherit' });
if (!isInstalled && values.quick)
  console.log('stripe, openai and square are left out; `npm ci --prefix bench` installs them.\n');

const usual = values.quick ? QUICK : FULL;
const effort = {
  ...usual,
  processes: Number(values.processes ?? usual.processes),
  without: values.without?.split(','),
};
const measured = await withService(async (service, port) => {
  const all = tables(service, port, effort);
  const wanted = values.only?.split(',') ?? [...all.keys()];
  const unknown = wanted.filter((id) => !all.has(id));
  if (unknown.length > 0)
    throw new Error(`No table is called ${unknown.join(', ')}; there are ${[...all.keys()].join(', ')}.`);

  const done: Table[] = [];
  for (const id of wanted) {
    const make = all.get(id);
    if (!make) continue;
    const table = await make();
    done.push(table);
    console.log(`${markdown(table)}\n`);
  }
  return done;
});

if (values.json) {
  const machine = { node: process.version, platform: `${process.platform} ${process.arch}` };
  await writeFile(values.json, `${JSON.stringify({ machine, effort, tables: measured }, null, 2)}\n`);
}

if (values.check) {
  const above = measured.flatMap(({ id, title, rows }) => {
    const limit = RATIO_LIMITS[id];
    const ratio = rows.find(({ name }) => name === 'client')?.ratio?.median;
    return limit !== undefined && ratio !== undefined && ratio > limit + MARGIN
      ? [`${title}: ${ratio.toFixed(2)}, the limit is ${limit} and a margin of ${MARGIN}`]
      : [];
  });
  for (const line of above) console.error(`Above its limit: ${line}`);
  if (above.length > 0) process.exitCode = 1;
  else console.log('Every ratio is within its limit.');
}
