import { existsSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';

/** Debian's package, or what CHROMIUM names. */
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

export const hasChromium = existsSync(EXECUTABLE);

export const NO_CHROMIUM =
  'No Chromium: the tests of pages are left out. Install it (apt-get install chromium), or name it: CHROMIUM=/path/to/chrome.';

/**
 * A Chromium of its own, with a profile of its own. Each page has a window: one that stands behind another in the same window
 * is drawn once a second, and each click waits for that.
 */
export async function openChromium(): Promise<{ newPage: () => Promise<Page>; close: () => Promise<void> }> {
  const browser = await chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const newPage = async (): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    // Where the whole browser was closed, its contexts are gone as well.
    page.once('close', () => context.close().catch(() => {}));
    return page;
  };
  return { newPage, close: () => browser.close() };
}
