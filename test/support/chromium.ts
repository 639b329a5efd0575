import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

/** Debian's package, or what CHROMIUM names. */
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

export const hasChromium = existsSync(EXECUTABLE);

export const NO_CHROMIUM =
  'No Chromium: the tests of pages are left out. Install it (apt-get install chromium), or name it: CHROMIUM=/path/to/chrome.';

/** A Chromium of its own, with a profile of its own. */
export async function openChromium(): Promise<{ browser: BrowserContext; close: () => Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'online-ordering-sdk-chromium-'));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: EXECUTABLE,
    viewport: { width: 1280, height: 800 },
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
  const close = async (): Promise<void> => {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { browser, close };
}
