#!/usr/bin/env node
import { parseCommand, USAGE } from './command/arguments.js';
import { runHooks } from './command/run-hooks.js';
import { runMock } from './command/run-mock.js';

// Who reads no more is no reason to end: `online-ordering-sdk mock | head -1` goes on serving.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const parsed = parseCommand(process.argv.slice(2));

if ('help' in parsed) {
  console.log(USAGE);
} else if ('problem' in parsed) {
  console.error(`${parsed.problem}\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  const run = async (): Promise<void> => {
    if (parsed.command === 'mock') await runMock(parsed, console.log);
    else if (!(await runHooks(parsed, console.log))) process.exitCode = 1;
  };
  run().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
