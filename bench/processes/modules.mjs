/**
 * How many modules are loaded by the import of the package, and by its first response: files, and modules of Node beside
 * those of an empty process.
 *
 *   node bench/processes/modules.mjs '{"service":{…}}'
 */
import { createRequire } from 'node:module';

const { service } = JSON.parse(process.argv[2]);
const require = createRequire(import.meta.url);
const builtIn = () => process.moduleLoadList.length;
const files = () => Object.keys(require.cache);
const before = { files: files().length, builtIn: builtIn() };

const { OnlineOrdering } = require('../../dist/index.cjs');
const atImport = { files: files().length - before.files, builtIn: builtIn() - before.builtIn };

const client = new OnlineOrdering({
  clientId: '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11',
  clientSecret: 'secret',
  baseUrl: `${service.origin}/v1/online-ordering`,
});
await client.orders.retrieve(service.orderId);
const zod = files().filter((file) => /[\\/]node_modules[\\/]zod[\\/]/.test(file)).length;
const atFirstResponse = { files: files().length - before.files, zod };
process.stdout.write(JSON.stringify({ atImport, atFirstResponse }));
process.exit(0);
