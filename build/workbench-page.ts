import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const PAGE = new URL('../src/mock/workbench/page/', import.meta.url);

/** The workbench's page as one text: markup, styles and program, nothing beside it. */
export async function buildWorkbenchPage(): Promise<string> {
  const built = await build({
    entryPoints: [fileURLToPath(new URL('main.tsx', PAGE))],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    charset: 'utf8',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const styles = await build({
    entryPoints: [fileURLToPath(new URL('page.css', PAGE))],
    write: false,
    minify: true,
    charset: 'utf8',
  });
  const program = built.outputFiles[0]!.text.trim().replaceAll('</script', '<\\/script');
  const css = styles.outputFiles[0]!.text.trim();
  return readFileSync(new URL('page.html', PAGE), 'utf8')
    .replace('<style></style>', () => `<style>${css}</style>`)
    .replace('<script></script>', () => `<script>${program}</script>`);
}

/** Puts the built page in place of the module that builds it, so that the package carries a text and no build. */
export const workbenchPage: Plugin = {
  name: 'workbench-page',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]workbench[\\/]page-text\.ts$/ }, async () => ({
      contents: `export const readPage = async () => ${JSON.stringify(await buildWorkbenchPage())};`,
      loader: 'js',
    }));
  },
};
