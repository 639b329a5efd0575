/**
 * Import and first response of one contestant in a fresh process: wall time and CPU up to there.
 *
 *   node bench/processes/start.mjs '{"service":{…},"name":"client","until":"first_response"}'
 */
const { service, name, until } = JSON.parse(process.argv[2]);
const IMPORTS = {
  client: new URL('../../dist/index.js', import.meta.url).href,
  'undici.request': 'undici',
  stripe: 'stripe',
  openai: 'openai',
  square: 'square',
};

try {
  if (name !== 'empty' && until === 'import') await import(IMPORTS[name]);
  if (name !== 'empty' && until === 'first_response') {
    const { CONTESTANTS } = await import('./contestants.mjs');
    await (await CONTESTANTS[name](service)).get();
  }
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  process.stdout.write('null');
  process.exit(0);
}
// From the start of the process: what a partner pays on a cold start.
const { user, system } = process.cpuUsage();
process.stdout.write(JSON.stringify({ wallMs: performance.now(), userMs: user / 1000, cpuMs: (user + system) / 1000 }));
process.exit(0);
