#!/usr/bin/env node
import { parseCommand, USAGE } from './command/arguments.js';
import { runMock } from './command/run-mock.js';

const parsed = parseCommand(process.argv.slice(2));

if ('help' in parsed) {
  console.log(USAGE);
} else if ('problem' in parsed) {
  console.error(`${parsed.problem}\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  runMock(parsed, console.log).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
