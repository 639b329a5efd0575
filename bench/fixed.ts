/**
 * What does not depend on the machine: bytes allocated per GET, modules loaded, and the size of a bundle with the client.
 *
 *   npm run bench:fixed            prints the figures, and ends with status 1 when one has grown by more than 5 %
 */
import { bundledBytes } from './bundle.js';
import { FIXED_LIMITS, type FixedFigure, GROWTH } from './limits.js';
import { measure, withService } from './processes.js';
import { allocatedPerGet } from './tables.js';

interface Modules {
  readonly atImport: { readonly files: number; readonly builtIn: number };
  readonly atFirstResponse: { readonly files: number; readonly zod: number };
}

const figures = await withService(async (service): Promise<Record<FixedFigure, number>> => {
  const floor = (await allocatedPerGet(service, 'undici.request')) ?? Number.NaN;
  const client = (await allocatedPerGet(service, 'client')) ?? Number.NaN;
  const { atImport, atFirstResponse } = await measure<Modules>('modules', { service });
  return {
    'bytes allocated per GET, of those of undici.request': client / floor,
    'files loaded at import': atImport.files,
    'modules of Node loaded at import': atImport.builtIn,
    'files loaded until the first response': atFirstResponse.files,
    'files of zod among them': atFirstResponse.zod,
    'bytes of a bundle with the client, gzipped': (await bundledBytes('client')) ?? Number.NaN,
  };
});

for (const [name, limit] of Object.entries(FIXED_LIMITS) as [FixedFigure, number][]) {
  const value = figures[name];
  const isAbove = !(value <= limit * (1 + GROWTH));
  const shown = Number.isInteger(value) ? String(value) : value.toFixed(3);
  console.log(`${isAbove ? 'too much' : 'ok'}: ${name}: ${shown} (expected ${limit})`);
  if (isAbove) process.exitCode = 1;
}
if (process.exitCode) {
  console.error(
    `A figure has grown by more than ${GROWTH * 100} %. If that is meant, write the new one into bench/limits.ts.`,
  );
}
