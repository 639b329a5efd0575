/**
 * Reads what vitest's JSON reporter wrote.
 *
 *   node .ci/report.mjs failed REPORT           the files with a failure, a line each
 *   node .ci/report.mjs summary REPORT [...]    what failed, and a last line `N passed, N failed`
 *
 * REPORT.again is the report of a second run of the files that failed in REPORT: what passes there is told as unsteady.
 */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [, , what, ...paths] = process.argv;

/** The files of a report with their tests; a file that cannot be loaded has no tests, and is a failure all the same. */
function filesOf(path) {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (text === '') return [];
  return JSON.parse(text).testResults.map(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.map((test) => ({
      title: test.fullName,
      status: test.status,
      why: test.failureMessages[0],
    }));
    if (status === 'failed' && tests.every((test) => test.status !== 'failed')) {
      tests.push({ title: 'the file itself', status: 'failed', why: message });
    }
    return { name: relative(process.cwd(), name), tests };
  });
}

const failuresOf = ({ tests }) => tests.filter(({ status }) => status === 'failed');
const firstLines = (text = '') => text.split('\n').slice(0, 4).join('\n    ');

function printFailed(path) {
  for (const file of filesOf(path)) if (failuresOf(file).length > 0) console.log(file.name);
}

/** How many tests of a run passed and failed in the end; tells those that did not pass at once. */
function summaryOf(path) {
  const secondRun = filesOf(`${path}.again`);
  const counts = { passed: 0, failed: 0 };
  for (const file of filesOf(path)) {
    const again = secondRun.find(({ name }) => name === file.name);
    const last = again ?? file;
    const failures = failuresOf(last);
    counts.passed += last.tests.filter(({ status }) => status === 'passed').length;
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

if (what === 'failed') printFailed(paths[0]);
else {
  const runs = paths.map(summaryOf);
  const total = (key) => runs.reduce((sum, run) => sum + run[key], 0);
  console.log(`${total('passed')} passed, ${total('failed')} failed`);
}
