/**
 * Opens the built documentation from disk in Chromium, and uses it as a reader does:
 *
 *   npm run docs && npm run test:docs
 */
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { hasChromium, NO_CHROMIUM, openChromium } from '../support/chromium.js';

const site = fileURLToPath(new URL('../../docs/api/', import.meta.url));
if (!existsSync(`${site}index.html`)) throw new Error('There is no docs/api yet: npm run docs');
if (!hasChromium) throw new Error(NO_CHROMIUM);

/** What is searched for, and a result that must be among the first. */
const SEARCHES = [
  ['settle', 'settle'],
  ['RateLimitError', 'RateLimitError'],
  ['Web frameworks', 'frameworks'],
  ['PriceCalculation', 'PriceCalculation'],
] as const;

function check(what: string, holds: boolean): void {
  console.log(`${holds ? 'ok   ' : 'WRONG'} ${what}`);
  if (!holds) process.exitCode = 1;
}

async function search(page: Page, words: string): Promise<string> {
  await page.goto(pathToFileURL(`${site}index.html`).href);
  await page.locator('#tsd-search-trigger').click();
  await page.locator('#tsd-search-input').fill(words);
  await page.locator('#tsd-search-results li').first().waitFor({ timeout: 15_000 });
  return (await page.locator('#tsd-search-results').textContent()) ?? '';
}

const { newPage, close } = await openChromium();
try {
  const page = await newPage();
  const failed: string[] = [];
  page.on('pageerror', (error) => failed.push(String(error)));
  await page.goto(pathToFileURL(`${site}index.html`).href);
  check(
    'the first page is the README',
    ((await page.locator('h1').first().textContent()) ?? '').includes('online-ordering-sdk'),
  );
  for (const [words, result] of SEARCHES) {
    check(`"${words}" finds ${result}`, (await search(page, words)).toLowerCase().includes(result.toLowerCase()));
  }
  for (const guide of ['payments', 'webhooks', 'frameworks']) {
    await page.goto(pathToFileURL(`${site}documents/${guide}.html`).href).catch(() => {});
    check(`the guide ${guide} stands beside the reference`, (await page.locator('.tsd-panel h2').count()) > 1);
  }
  check(`no script failed ${failed.join(' ')}`, failed.length === 0);
} finally {
  await close();
}
