#!/usr/bin/env node
import { runCommand } from './run-command.js';

// Who reads no more is no reason to end: `online-ordering-sdk mock | head -1` goes on serving.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

runCommand(process.argv.slice(2), { out: console.log, err: console.error }).then((code) => {
  // Not `process.exit`: a server that was started goes on, and lines on their way to a pipe arrive.
  process.exitCode = code;
});
