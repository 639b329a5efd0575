/**
 * What the client costs beside a bare `undici.request`, other ways of sending, and public SDKs, on the same responses.
 *
 *   npm run bench                          every table; some eleven minutes on two cores
 *   npm run bench -- --write docs/performance.md   the same, and puts the tables between the marks in that file
 *   npm run bench -- --quick --check       a part of it, held against limits.ts
 *   npm run bench -- --only get,post       some tables
 *   npm run bench -- --processes 2         in so many processes
 *   npm run bench -- --without openai,square  in less time
 *   npm run bench -- --json bench.json     the figures in a file, too
 *
 * The service runs in a process of its own on loopback. Contestants take turns in rounds, in several fresh processes; a
 * ratio is the median over rounds of one process, and the range is that between processes.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { goalsMarkdown, markdown, reachedOf, type Table } from './figures.js';
import { MARGIN } from './limits.js';
import { withService } from './processes.js';
import { FULL, QUICK, tables } from './tables.js';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'string' },
    write: { type: 'string' },
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
    const startedAt = performance.now();
    const table = await make();
    process.stderr.write(`  ${id} took ${Math.round((performance.now() - startedAt) / 1000)} s\n`);
    done.push(table);
    console.log(`${markdown(table)}\n`);
  }
  return done;
});

if (values.json) {
  const machine = { node: process.version, platform: `${process.platform} ${process.arch}` };
  await writeFile(values.json, `${JSON.stringify({ machine, effort, tables: measured }, null, 2)}\n`);
}

const goals = goalsMarkdown(measured);
if (goals !== '') console.log(`${goals}\n`);

/** What stands between these two in a file is replaced by a run. */
const MARKS = ['<!-- figures of a run -->', '<!-- end of the figures -->'] as const;

if (values.write) {
  const text = await readFile(values.write, 'utf8');
  const [before, rest] = text.split(MARKS[0]);
  const after = rest?.split(MARKS[1])[1];
  if (after === undefined) throw new Error(`${values.write} lacks the lines ${MARKS.join(' and ')}.`);
  const load = loadavg()[0]?.toFixed(1);
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores of ${cpus()[0]?.model.trim() || 'an unknown model'}, load ${load} at the end`;
  const how = `${effort.processes} processes of ${effort.rounds} rounds`;
  const tables = measured.map((table) => markdown(table)).join('\n\n');
  const block = `${machine}; ${how}.\n\n${goals}\n\n${tables}`;
  await writeFile(values.write, `${before}${MARKS[0]}\n\n${block}\n\n${MARKS[1]}${after}`);
}
if (values.check) {
  const above = measured.flatMap((table) => {
    const goal = reachedOf(table);
    if (!goal || goal.of === 'value' || goal.reached <= goal.goal + MARGIN) return [];
    return [`${table.title}: ${goal.reached.toFixed(2)}, the limit is ${goal.goal} and a margin of ${MARGIN}`];
  });
  for (const line of above) console.error(`Above its limit: ${line}`);
  if (above.length > 0) process.exitCode = 1;
  else console.log('Every ratio is within its limit.');
}
