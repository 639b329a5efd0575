import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

export type Sdk = typeof import('../../src/index.js');

/** Copies that a history needs: one process each, and one for the last calls. */
export const COPIES = 8;

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

/** A change of the sources, for a mistake that the model is to find. */
export interface Patch {
  /** Path below `src`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/**
 * Copies of the package, each with its own module state, as processes have them: what one of them remembers in memory
 * is unknown to the others.
 */
export async function sdkCopies(count: number, patches: readonly Patch[] = []): Promise<Sdk[]> {
  const { outputFiles } = await build({
    stdin: { contents: "export * from './index.ts';", resolveDir: SOURCES, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    external: ['undici', 'zod', 'zod/*'],
    plugins: patches.length > 0 ? [patched(patches)] : [],
    logLevel: 'error',
  });
  const code = outputFiles[0]?.text ?? '';
  const evaluate = new Function('require', 'module', 'exports', code);
  const require = createRequire(import.meta.url);
  return Array.from({ length: count }, () => {
    const module = { exports: {} as Sdk };
    evaluate(require, module, module.exports);
    return module.exports;
  });
}

function patched(patches: readonly Patch[]): Plugin {
  return {
    name: 'mistakes',
    setup({ onLoad }) {
      for (const file of new Set(patches.map((patch) => patch.file))) {
        const path = new URL(file, new URL('../../src/', import.meta.url));
        onLoad({ filter: new RegExp(`${file.replaceAll(/[.\\/]/g, '\\$&')}$`) }, async ({ path: loaded }) => {
          if (loaded !== fileURLToPath(path)) return undefined;
          const { readFile } = await import('node:fs/promises');
          let contents = await readFile(loaded, 'utf8');
          for (const { find, replace } of patches.filter((patch) => patch.file === file)) {
            const parts = contents.split(find);
            if (parts.length !== 2)
              throw new Error(`${file}: the text to change stands there ${parts.length - 1} times`);
            contents = parts.join(replace);
          }
          return { contents, loader: 'ts' };
        });
      }
    },
  };
}
