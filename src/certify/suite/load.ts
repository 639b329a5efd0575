import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ContractSuite } from './suite.js';

let loading: Promise<ContractSuite> | undefined;

/**
 * The contract suite of this repository, `test/contract`, in a form that needs no test runner.
 *
 * In the package this module is replaced by the built suite; here, in the sources, it is built when it is first asked for.
 */
export function loadSuite(): Promise<ContractSuite> {
  loading ??= build();
  return loading;
}

async function build(): Promise<ContractSuite> {
  const { buildContractSuite } = await import('../../../build/contract-suite.js');
  const folder = await mkdtemp(join(tmpdir(), 'contract-suite-'));
  try {
    const file = join(folder, 'suite.mjs');
    await writeFile(file, await buildContractSuite());
    const built = (await import(pathToFileURL(file).href)) as { loadSuite(): Promise<ContractSuite> };
    return await built.loadSuite();
  } finally {
    await rm(folder, { recursive: true });
  }
}
