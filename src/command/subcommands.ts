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
  {
    name: 'contract',
    summary: 'exports the interface as OpenAPI 3.1 or JSON Schema',
    load: async () => (await import('./contract/contract-command.js')).runContractCommand,
  },
  {
    name: 'doctor',
    summary: 'looks at address, credentials, network and data, and says what is wrong',
    load: async () => (await import('./doctor.js')).runDoctor,
  },
  {
    name: 'certify',
    summary: 'holds a sandbox to the interface document, and writes a profile of what it chose',
    load: async () => (await import('./certify.js')).runCertify,
  },
];
