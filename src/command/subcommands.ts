import type { Subcommand } from './subcommand.js';

/** Every subcommand, in the order in which `--help` shows them. */
export const SUBCOMMANDS: readonly Subcommand[] = [
  {
    name: 'mock',
    summary: 'serves the online ordering service in memory, over HTTP',
    load: async () => (await import('../mock/command/index.js')).runMockCommand,
  },
  {
    name: 'hooks',
    summary: 'sends signed webhook events to a receiver',
    load: async () => (await import('../mock/command/index.js')).runHooksCommand,
  },
];
