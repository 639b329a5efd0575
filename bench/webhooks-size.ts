/**
 * How large the webhooks entry point is in a bundle, minified and gzipped, without zod, undici and the client. A serverless
 * handler carries a receiver or `constructEvent` alone; the reconciler belongs into a process that stays up.
 *
 *   npx tsx bench/webhooks-size.ts
 */
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const LIMITS_BYTES = { everything: 17_900, receiver: 11_350, constructEvent: 3_500 };
/** What must not be reachable from the entry point: nothing of it may cost a serverless handler its start. */
const KEPT_OUT = [
  /node_modules/,
  /src\/(?:client|index|options|connection)\.ts/,
  /src\/(?:http|auth|resources|mock|contract)\//,
];

async function bundled(contents: string): Promise<{ bytes: number; inputs: string[] }> {
  const result = await build({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
    metafile: true,
  });
  return {
    bytes: gzipSync(result.outputFiles[0]!.contents, { level: 9 }).length,
    inputs: Object.keys(result.metafile.inputs),
  };
}

const whole = await bundled("export * from './src/webhooks/index.ts'");
const parts = {
  everything: whole.bytes,
  receiver: (await bundled("export { createWebhookReceiver } from './src/webhooks/index.ts'")).bytes,
  constructEvent: (await bundled("export { constructEvent } from './src/webhooks/index.ts'")).bytes,
};
for (const [part, bytes] of Object.entries(parts)) {
  const limit = LIMITS_BYTES[part as keyof typeof parts];
  console.log(`webhooks, ${part}: ${bytes} bytes (limit ${limit})`);
  if (bytes > limit) {
    console.error(`The webhooks entry point is too large (${part}).`);
    process.exitCode = 1;
  }
}

const unwanted = whole.inputs.filter((input) => KEPT_OUT.some((pattern) => pattern.test(input)));
if (unwanted.length > 0) {
  console.error(`The webhooks entry point carries: ${unwanted.join(', ')}`);
  process.exitCode = 1;
}
