/**
 * Load and faults: what goes through, what is refused, and how many requests it costs, beside openai-node under the same
 * trouble where that has an answer. On loopback; less than four minutes. Ends with 1 when a limit does not hold.
 *
 *   npm run test:pressure                                 every trouble
 *   npm run test:pressure -- 401 store                    those whose title has one of the words
 *   npm run test:pressure -- --build ../old/dist/index.js  beside another build of this package; its limits do not count
 */
import { loadBuild, loadOpenAI, type SubjectMaker, sdk } from './subjects.js';
import { type Figures, type Trouble, troubles } from './troubles.js';

/** A trouble that does not end is a failure, and not the end of the run. */
const LONGEST_MS = 110_000;

const words = process.argv.slice(2);
const buildAt = words.indexOf('--build');
const [, buildPath] = buildAt < 0 ? [] : words.splice(buildAt, 2);
const build = buildPath === undefined ? undefined : await loadBuild(buildPath);
const wanted = troubles.filter(({ title }) => words.length === 0 || words.some((word) => title.includes(word)));
const openai = await loadOpenAI();
if (!openai) console.log('openai-node is left out: it is not installed (npm ci --prefix bench).');

const startedAt = performance.now();
const broken: string[] = [];
for (const trouble of wanted) {
  console.log(`\n${trouble.title}`);
  const figures = await bounded(trouble, sdk);
  show('online-ordering-sdk', figures);
  if (build) show('the other build', await bounded(trouble, build));
  if (openai && trouble.isShared) show('openai-node', await bounded(trouble, openai));
  const failed = figures ? trouble.limits.filter(({ holds }) => !holds(figures)).map(({ says }) => says) : ['it ends'];
  for (const says of failed) {
    broken.push(`${trouble.title}: ${says}`);
    console.log(`  DOES NOT HOLD: ${says}`);
  }
}
const seconds = Math.round((performance.now() - startedAt) / 1000);
console.log(
  broken.length === 0
    ? `\nAll limits of ${wanted.length} troubles hold (${seconds} s).`
    : `\n${broken.length} limits do not hold (${seconds} s):\n  ${broken.join('\n  ')}`,
);
process.exit(broken.length === 0 ? 0 : 1);

async function bounded(trouble: Trouble, make: SubjectMaker): Promise<Figures | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LONGEST_MS);
  });
  const figures = await Promise.race([trouble.run(make), late]);
  clearTimeout(timer);
  return figures;
}

function show(name: string, figures: Figures | undefined): void {
  console.log(`  ${name.padEnd(20)} ${figures ? line(figures) : `did not end in ${LONGEST_MS / 1000} s`}`);
}

function line({ ok, failed, p50, slowest, errors, requests, tokenRequests, refused, seconds, note }: Figures): string {
  const names = Object.entries(errors).map(([name, count]) => `${count} ${name}`);
  return [
    `${ok} ok, ${failed} failed${names.length > 0 ? ` (${names.join(', ')})` : ''}`,
    `p50 ${p50} ms, slowest ${slowest} ms`,
    `${requests ?? 0} requests, ${refused ?? 0} refused, ${tokenRequests ?? 0} for a token`,
    `${seconds} s`,
    ...(note === undefined ? [] : [note]),
  ].join(' · ');
}
