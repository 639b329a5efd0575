/**
 * The page, in one piece: markup, styles and program.
 *
 * In the package this module is replaced by the built page; here, in the sources, it is built when it is first read.
 */
export async function readPage(): Promise<string> {
  const { buildWorkbenchPage } = await import('../../../build/workbench-page.js');
  return buildWorkbenchPage();
}
