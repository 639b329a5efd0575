import { defineConfig } from 'tsup';
import { contractSuite } from './build/contract-suite.js';
import { fewerFiles } from './build/fewer-files.js';
import { workbenchPage } from './build/workbench-page.js';

export default defineConfig((given) => ({
  entry: {
    index: 'src/index.ts',
    contract: 'src/contract/index.ts',
    webhooks: 'src/webhooks/index.ts',
    menus: 'src/menus/index.ts',
    mock: 'src/mock/index.ts',
    command: 'src/command/index.ts',
    otel: 'src/otel/index.ts',
    stores: 'src/stores/index.ts',
    'stores/redis': 'src/stores/redis.ts',
    'stores/postgres': 'src/stores/postgres.ts',
    'inbox/memory': 'src/webhooks/inbox/memory.ts',
    'inbox/bullmq': 'src/webhooks/inbox/bullmq.ts',
    'inbox/pg-boss': 'src/webhooks/inbox/pg-boss.ts',
  },
  format: ['esm', 'cjs'],
  target: 'node20',
  platform: 'node',
  dts: true,
  // A build without declarations leaves those of the last whole build: what is packed afterwards still has its types.
  clean: given.dts === false ? ['!**/*.d.{ts,cts}'] : true,
  // For CommonJS too: otherwise every entry point carries its own copy of the error classes.
  splitting: true,
  esbuildPlugins: [workbenchPage, contractSuite, fewerFiles],
  // hono serves the workbench, and is nobody's dependency. The others are ESM only; `require` of them fails below Node
  // 22.12 and in Jest.
  noExternal: ['p-retry', 'is-network-error', 'uuid', 'hono'],
  external: ['undici', 'zod', 'msw', '@opentelemetry/api'],
  esbuildOptions(options, { format }) {
    // `import()` in CommonJS fails where only `require` is patched (Jest): it becomes a lazy `require`.
    if (format !== 'cjs') return;
    options.supported = { ...options.supported, 'dynamic-import': false };
    // Where there is `__filename`, `import.meta.url` is never read; it only must not stand there.
    options.define = { ...options.define, 'import.meta.url': '__filename' };
  },
}));
