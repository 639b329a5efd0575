/**
 * A reporter of vitest. Writes to the file that REPORT names: each file with its tests, those that never ended too (their
 * process died), and the errors that no test caught, which fail a run without failing a test.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const textOf = (error) => String(error?.stack || error?.message || error);

export default class Reporter {
  onTestRunEnd(modules, uncaught) {
    const files = modules.map((module) => {
      const tests = [...module.children.allTests()].map((test) => {
        const { state, errors = [] } = test.result();
        return { title: test.fullName, state, why: errors.map(textOf).join('\n') };
      });
      // A hook or an import that failed, or a process that died, may leave no failed test.
      const own = [module, ...module.children.allSuites()].flatMap((part) => part.errors()).map(textOf);
      const hasEnded = module.state() !== 'pending' && module.state() !== 'queued';
      if (!hasEnded) own.push('Its process ended before the file did.');
      for (const why of own) tests.push({ title: 'the file itself', state: 'failed', why });
      return { name: relative(process.cwd(), module.moduleId), tests, hasEnded };
    });
    for (const error of uncaught) {
      const path = error?.VITEST_TEST_PATH;
      // Of a process that died, told at its file.
      if (!path && files.some(({ hasEnded }) => hasEnded === false)) continue;
      const name = path ? relative(process.cwd(), path) : 'no file';
      const test = { title: 'an error that nobody caught', state: 'failed', why: textOf(error) };
      const file = files.find((one) => one.name === name);
      if (file) file.tests.push(test);
      else files.push({ name, tests: [test] });
    }
    writeFileSync(process.env.REPORT, JSON.stringify(files));
  }
}
