import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const SUITE = here('../test/contract');
const STAND_INS: Readonly<Record<string, string>> = {
  vitest: here('../src/certify/suite/runner.ts'),
  'online-ordering-sdk/mock': here('../src/certify/suite/no-mock.ts'),
};

/** The suite's files leave runner, mock and the environment to those who run it. */
const standIns: Plugin = {
  name: 'contract-suite',
  setup({ onResolve }) {
    onResolve({ filter: /^(vitest|online-ordering-sdk\/mock)$/ }, ({ path }) => ({ path: STAND_INS[path]! }));
    onResolve({ filter: /\/live\.js$/ }, () => ({ path: here('../src/certify/suite/live.ts') }));
  },
};

/** The contract suite as one module without imports but of Node; it exports `loadSuite`, as the module does whose place it takes. */
export async function buildContractSuite(): Promise<string> {
  const files = readdirSync(SUITE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
  const contents = `
    import { beginFile, collected } from './src/certify/suite/runner.ts';
    import { useService } from './src/certify/suite/live.ts';
    let all;
    async function collect() {
      ${files.map((file) => `beginFile(); await import('./test/contract/${file}');`).join('\n')}
      return collected();
    }
    const suite = { rows: () => (all ??= collect()), open: useService };
    export const loadSuite = async () => suite;`;
  const built = await build({
    stdin: { contents, resolveDir: here('..'), loader: 'ts' },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    legalComments: 'none',
    charset: 'utf8',
    plugins: [standIns],
  });
  return built.outputFiles[0]!.text;
}

/** Puts the built suite in place of the module that builds it. */
export const contractSuite: Plugin = {
  name: 'contract-suite',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]certify[\\/]suite[\\/]load\.ts$/ }, async () => ({
      contents: await buildContractSuite(),
      loader: 'js',
    }));
  },
};
