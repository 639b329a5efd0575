// Writes docs/openapi.yaml and docs/contract.schema.json anew.
import { writeFileSync } from 'node:fs';
import { contractFiles } from './files.js';

for (const { path, content } of await contractFiles()) {
  writeFileSync(path, content);
  console.log(`${path}: ${content.split('\n').length} lines`);
}
