/**
 * Reads what reporter.mjs wrote.
 *
 *   node .ci/report.mjs again REPORT            the files with a failure, a line each; none when a run of them would say nothing
 *   node .ci/report.mjs summary REPORT [...]    what failed, and a last line `N passed, N failed`
 *
 * REPORT.again is the report of a second run of the files that failed in REPORT: what passes there is told as unsteady.
 */
import { existsSync, readFileSync } from 'node:fs';

const [, , what, ...paths] = process.argv;

/** More failures than a busy machine explains. */
const TOO_MANY = 20;

const NO_REPORT = { title: 'ended without a report; see the log', state: 'failed', why: '' };

const filesOf = (path) =>
  existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [{ name: `The run ${path}`, tests: [NO_REPORT] }];
const failuresOf = ({ tests }) => tests.filter(({ state }) => state === 'failed');
const firstLines = (text = '') => text.split('\n').slice(0, 4).join('\n    ');

function printAgain(path) {
  const names = filesOf(path)
    .filter((file) => failuresOf(file).length > 0)
    .map(({ name }) => name);
  if (names.length <= TOO_MANY && names.every((name) => existsSync(name))) for (const name of names) console.log(name);
}

/** How many tests of a run passed and failed in the end; tells those that did not pass at once. */
function summaryOf(path) {
  const secondRun = existsSync(`${path}.again`) ? filesOf(`${path}.again`) : [];
  const counts = { passed: 0, failed: 0 };
  const files = filesOf(path);
  // What failed in the second run alone, such as an error of another file's.
  files.push(...secondRun.filter(({ name }) => files.every((file) => file.name !== name)));
  for (const file of files) {
    const again = secondRun.find(({ name }) => name === file.name);
    const last = again ?? file;
    const failures = failuresOf(last);
    counts.passed += last.tests.filter(({ state }) => state === 'passed').length;
    counts.failed += failures.length;
    for (const { title, why } of failures) console.log(`FAILED ${file.name}: ${title}\n    ${firstLines(why)}`);
    const unsteady = again
      ? failuresOf(file).filter((first) => failures.every((late) => late.title !== first.title))
      : [];
    for (const { title, why } of unsteady) {
      console.log(`unsteady, passed alone: ${file.name}: ${title}\n    ${firstLines(why)}`);
    }
  }
  return counts;
}

if (what === 'again') printAgain(paths[0]);
else {
  const runs = paths.map(summaryOf);
  const total = (key) => runs.reduce((sum, run) => sum + run[key], 0);
  console.log(`${total('passed')} passed, ${total('failed')} failed`);
}
