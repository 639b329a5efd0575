/**
 * How large the webhooks entry point is in a bundle: under 12 KB minified and gzipped, without zod, undici and the client.
 *
 *   npx tsx bench/webhooks-size.ts
 */
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const LIMIT_BYTES = 12_000;
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
const handler = await bundled("export { createWebhookReceiver } from './src/webhooks/index.ts'");
const verification = await bundled("export { constructEvent } from './src/webhooks/index.ts'");
console.log(`webhooks, everything:          ${whole.bytes} bytes (limit ${LIMIT_BYTES})`);
console.log(`webhooks, a receiver only:     ${handler.bytes} bytes`);
console.log(`webhooks, constructEvent only: ${verification.bytes} bytes`);

const strangers = whole.inputs.filter((input) => KEPT_OUT.some((pattern) => pattern.test(input)));
if (strangers.length > 0) console.error(`The webhooks entry point carries: ${strangers.join(', ')}`);
if (whole.bytes >= LIMIT_BYTES) console.error('The webhooks entry point is too large.');
if (strangers.length > 0 || whole.bytes >= LIMIT_BYTES) process.exitCode = 1;
