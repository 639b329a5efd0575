import { dirname, relative, resolve } from 'node:path';
import { build, type Metafile, type OutputFile, type Plugin } from 'esbuild';

/** An output as esbuild describes it, with its path from the working directory. */
type Outputs = Metafile['outputs'];

/**
 * Puts what the client's entry point shares into two files: one with what other entry points need too, one with what only
 * the parts need that the client loads later. esbuild makes a file for each set of entry points, which were twenty for the
 * client, and each costs its import 0.4 ms, more than most of the code in them.
 */
export const fewerFiles: Plugin = {
  name: 'fewer-files',
  setup({ initialOptions, onEnd }) {
    onEnd(async ({ errors, metafile, outputFiles }) => {
      if (errors.length > 0 || !metafile || !outputFiles) return;
      const { outputs } = metafile;
      const ofClient = loadedAtOnce(outputs, entryOf(outputs, 'src/index.ts'));
      const ofOthers = new Set(
        packageEntries(outputs, initialOptions.entryPoints)
          .filter((entry) => outputs[entry]?.entryPoint !== 'src/index.ts')
          .flatMap((entry) => [...loadedAtOnce(outputs, entry)]),
      );
      const shared = [...ofClient].filter((path) => !outputs[path]?.entryPoint);
      const extension = entryOf(outputs, 'src/index.ts').endsWith('.cjs') ? '.cjs' : '.js';
      await merge(outputFiles, outputs, {
        parts: shared.filter((path) => ofOthers.has(path)),
        into: `shared${extension}`,
      });
      await merge(outputFiles, outputs, {
        parts: shared.filter((path) => !ofOthers.has(path)),
        into: `client${extension}`,
      });
    });
  },
};

function entryOf(outputs: Outputs, source: string): string {
  const found = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === source);
  if (!found) throw new Error(`The build has no entry point ${source}.`);
  return found;
}

function packageEntries(outputs: Outputs, entryPoints: unknown): string[] {
  return Object.values(entryPoints as Record<string, string>).map((source) => entryOf(outputs, source));
}

/** An output and all that it imports, except what it imports at run time. */
function loadedAtOnce(outputs: Outputs, path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const { kind, path: imported, external } of outputs[path]?.imports ?? []) {
    if (kind === 'import-statement' && !external) loadedAtOnce(outputs, imported, seen);
  }
  return seen;
}

interface Merge {
  /** Outputs without entry points; none of them imports one that is not among them, or merged already. */
  readonly parts: readonly string[];
  readonly into: string;
}

/** Replaces outputs by one, and has all others import from that. */
async function merge(files: OutputFile[], outputs: Outputs, { parts, into }: Merge): Promise<void> {
  const paths = new Map(parts.map((part) => [resolve(part), part]));
  const texts = new Map(files.flatMap(({ path, text }) => (paths.has(path) ? [[path, text] as const] : [])));
  const [folder] = [...paths.keys()].map(dirname);
  if (folder === undefined) return;

  const names = new Names();
  const reexports = [...paths].map(([path, part]) => {
    const exported = outputs[part]?.exports.map((name) => `${name} as ${names.of(path, name)}`) ?? [];
    return `export { ${exported.join(', ')} } from ${JSON.stringify(path)};`;
  });
  const built = await build({
    stdin: { contents: reexports.join('\n'), resolveDir: folder },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    write: false,
    plugins: [textsOf(texts)],
  });
  const target = resolve(folder, into);
  const [merged] = built.outputFiles;
  if (!merged) throw new Error(`Nothing was made of the files for ${into}.`);

  const rest = files.filter(({ path }) => !paths.has(path)).map((file) => importing(file, { names, paths, target }));
  files.splice(0, files.length, ...rest, fileOf(target, merged.text));
}

/** The outputs as modules; what else they import stays an import. */
const textsOf = (texts: ReadonlyMap<string, string>): Plugin => ({
  name: 'texts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path, importer, resolveDir }) => {
      const from = importer === '<stdin>' ? resolveDir : dirname(importer);
      const found = resolve(from, path);
      return texts.has(found) ? { path: found, namespace: 'part' } : { path, external: true };
    });
    onLoad({ filter: /.*/, namespace: 'part' }, ({ path }) => ({ contents: texts.get(path) ?? '', loader: 'js' }));
  },
});

/** Names under which the parts' exports leave the merged file: two parts may have the same. */
class Names {
  readonly #taken = new Map<string, string>();

  of(path: string, name: string): string {
    for (let count = 1; ; count += 1) {
      const own = count === 1 ? name : `${name}_${count}`;
      const owner = this.#taken.get(own) ?? `${path} ${name}`;
      this.#taken.set(own, owner);
      if (owner === `${path} ${name}`) return own;
    }
  }
}

/** As esbuild writes them: names in braces, or none where the module is only to run. */
const IMPORT = /^import (?:\{([^}]*)\} from )?"(\.{1,2}\/[^"]+)";$/gm;

interface Moved {
  readonly names: Names;
  readonly paths: ReadonlyMap<string, string>;
  readonly target: string;
}

/** A file whose imports of the parts are imports of the merged file. */
function importing(file: OutputFile, { names, paths, target }: Moved): OutputFile {
  const folder = dirname(file.path);
  const way = relative(folder, target);
  const source = JSON.stringify(way.startsWith('.') ? way : `./${way}`);
  const text = file.text.replace(IMPORT, (statement, list: string | undefined, from: string) => {
    const part = resolve(folder, from);
    if (!paths.has(part)) return statement;
    if (list === undefined) return `import ${source};`;
    const renamed = list.split(',').map((one) => {
      const [name = '', local = name] = one.trim().split(' as ');
      const own = names.of(part, name);
      return own === local ? `\n  ${own}` : `\n  ${own} as ${local}`;
    });
    return `import {${renamed.join(',')}\n} from ${source};`;
  });
  return text === file.text ? file : fileOf(file.path, text);
}

function fileOf(path: string, text: string): OutputFile {
  return { path, text, contents: new TextEncoder().encode(text), hash: '' };
}
