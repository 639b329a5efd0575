import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    // Tests and examples import the package by its public names, as partners do.
    alias: [
      { find: /^online-ordering-sdk$/, replacement: source('index.ts') },
      { find: /^online-ordering-sdk\/(contract|webhooks|menus|mock|otel|stores)$/, replacement: source('$1/index.ts') },
      { find: /^online-ordering-sdk\/stores\/(redis|postgres)$/, replacement: source('stores/$1.ts') },
      { find: /^online-ordering-sdk\/inbox\/([a-z-]+)$/, replacement: source('webhooks/inbox/$1.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
    typecheck: { enabled: false },
    // Limits for what hangs, and for nothing else: a machine with much else to do takes ten times as long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // Two for each core: many tests wait for engines, browsers and processes.
    maxWorkers: 2 * availableParallelism(),
    // Tests that say they are concurrent wait more than they work.
    maxConcurrency: 20,
    // Real PostgreSQL and Redis servers, each started when the first test file asks for it.
    globalSetup: ['test/support/engines/global-setup.ts'],
  },
});
