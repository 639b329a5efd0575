import { readFile } from 'node:fs/promises';
import { demand, listOf, objectOf, text, valueThat } from '../checks/check.js';
import type { Fault, FaultQueue } from '../faults/faults.js';

/** The parsed JSON of a file. @throws Error that names the file, and what is wrong with it. */
export async function readJson(file: string): Promise<unknown> {
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read: ${error.message}`);
  });
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new Error(`${file} is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const FAULTS = listOf(
  objectOf({
    endpoint: text,
    fault: valueThat<Fault>('an object such as { "status": 503 }', (value) => typeof value === 'object'),
  }),
);

/** Sets the faults of a file: a list of `{ "endpoint": "GET /orders", "fault": { "status": 503 } }`. */
export async function setFaultsOf(file: string, faults: FaultQueue): Promise<number> {
  const list = demand(file, await readJson(file), FAULTS);
  list.forEach(({ endpoint, fault }, index) => {
    try {
      faults.next(endpoint, fault);
    } catch (error) {
      throw new TypeError(`${file}: [${index}]: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  return list.length;
}
