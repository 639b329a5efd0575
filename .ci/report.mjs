/**
 * Reads what vitest's JSON reporter wrote.
 *
 *   node .ci/report.mjs failed FIRST            the files with a failure, a line each
 *   node .ci/report.mjs summary FIRST [SECOND]  what failed, and a last line `N passed, N failed`
 *
 * SECOND is the report of a second run of the files that failed in FIRST: what passes there is told as unsteady.
 */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [, , what, ...paths] = process.argv;
const [first, second] = paths.map(read);

/** The files of a report with their tests; a file that cannot be loaded has no tests, and is a failure all the same. */
function read(path) {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (text === '') return { files: [] };
  const files = JSON.parse(text).testResults.map(({ name, status, message, assertionResults }) => {
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
  return { files };
}

const failuresOf = ({ tests }) => tests.filter(({ status }) => status === 'failed');
const firstLines = (text = '') => text.split('\n').slice(0, 4).join('\n    ');

if (what === 'failed') {
  for (const file of first.files) if (failuresOf(file).length > 0) console.log(file.name);
} else {
  let passed = 0;
  let failed = 0;
  for (const file of first.files) {
    const again = second?.files.find(({ name }) => name === file.name);
    const last = again ?? file;
    passed += last.tests.filter(({ status }) => status === 'passed').length;
    failed += failuresOf(last).length;
    for (const { title, why } of failuresOf(last)) console.log(`FAILED ${file.name}: ${title}\n    ${firstLines(why)}`);
    const failsStill = (title) => failuresOf(last).some((failure) => failure.title === title);
    for (const { title, why } of again ? failuresOf(file) : []) {
      if (!failsStill(title)) console.log(`unsteady, passed alone: ${file.name}: ${title}\n    ${firstLines(why)}`);
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
}
