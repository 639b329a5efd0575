import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A program that makes a client, of each contestant. */
const PROGRAMS: Readonly<Record<string, string>> = {
  client: "import { OnlineOrdering } from './src/index.ts'; new OnlineOrdering();",
  stripe: "import Stripe from 'stripe'; new Stripe('sk_test');",
  openai: "import OpenAI from 'openai'; new OpenAI();",
  square: "import { SquareClient } from 'square'; new SquareClient();",
};

/**
 * Bytes of the gzipped bundle of such a program, as far as it is loaded at once; `undefined` for a contestant that is not
 * installed. Undici and zod stay outside: schemas and profiles stand in files of their own, loaded when they are needed.
 */
export async function bundledBytes(name: string): Promise<number | undefined> {
  if (name !== 'client' && !existsSync(`${root}bench/node_modules/${name}`)) return undefined;
  const result = await build({
    stdin: { contents: PROGRAMS[name]!, resolveDir: name === 'client' ? root : `${root}bench`, loader: 'ts' },
    bundle: true,
    minify: true,
    splitting: true,
    outdir: 'never-written',
    format: 'esm',
    platform: 'node',
    external: ['undici', 'zod'],
    write: false,
    logLevel: 'silent',
  });
  const entry = result.outputFiles.find(({ path }) => path.endsWith('stdin.js')) ?? result.outputFiles[0]!;
  return gzipSync(entry.contents, { level: 9 }).length;
}
