import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { ALONE, TOGETHER } from './test/support/run/files.js';
import { LongestFirst } from './test/support/run/longest-first.js';

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

// Tests and examples import the package by its public names, as partners do.
const resolve = {
  alias: [
    { find: /^online-ordering-sdk$/, replacement: source('index.ts') },
    { find: /^online-ordering-sdk\/(contract|webhooks|menus|mock|otel|stores)$/, replacement: source('$1/index.ts') },
    { find: /^online-ordering-sdk\/stores\/(redis|postgres)$/, replacement: source('stores/$1.ts') },
    { find: /^online-ordering-sdk\/inbox\/([a-z-]+)$/, replacement: source('webhooks/inbox/$1.ts') },
  ],
};

const limits = {
  // For what hangs, and for nothing else: a machine with much else to do takes ten times as long.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  // Tests that say they are concurrent wait more than they work.
  maxConcurrency: 20,
};

export default defineConfig({
  resolve,
  test: {
    // Two for each core: many tests wait for engines, browsers and processes.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    // Real PostgreSQL and Redis servers, each started when the first test file asks for it.
    globalSetup: ['test/support/engines/global-setup.ts'],
    projects: [
      {
        resolve,
        test: {
          ...limits,
          name: 'alone',
          ...ALONE,
        },
      },
      {
        resolve,
        test: {
          ...limits,
          name: 'together',
          ...TOGETHER,
          isolate: false,
          unstubEnvs: true,
          unstubGlobals: true,
          setupFiles: ['test/support/run/leave-no-trace.ts'],
        },
      },
    ],
  },
});
