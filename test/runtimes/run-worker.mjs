// Runs the bundled Worker in workerd, through miniflare; prints what it answers.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { Miniflare } = createRequire(`${process.env.SMOKE_MODULES}/`)('miniflare');
const [bundle] = process.argv.slice(2);
const worker = new Miniflare({
  // Given as text, so that the import of undici, which no Worker reaches, is not looked for.
  modules: [{ type: 'ESModule', path: bundle, contents: readFileSync(bundle, 'utf8') }],
  compatibilityDate: '2026-01-01',
  compatibilityFlags: ['nodejs_compat'],
});
const response = await worker.dispatchFetch('http://worker.test/', { method: 'POST', body: process.env.SMOKE_OPTIONS });
const { ok, lines } = await response.json();
await worker.dispose();
console.log(lines.join('\n'));
process.exit(ok ? 0 : 1);
