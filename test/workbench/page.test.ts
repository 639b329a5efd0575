import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { OnlineOrdering } from 'online-ordering-sdk';
import { createMockService } from 'online-ordering-sdk/mock';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildWorkbenchPage } from '../../build/workbench-page.js';
import { hasChromium, NO_CHROMIUM, openChromium } from '../support/chromium.js';

const ARTIFACTS = fileURLToPath(new URL('../../artifacts/', import.meta.url));
const VIEWS = ['Requests', 'Orders', 'Money', 'Carts', 'Menu', 'Webhooks', 'Faults'];

if (!hasChromium) console.log(NO_CHROMIUM);

let newPage: () => Promise<Page>;
let closeBrowser: () => Promise<void>;
beforeAll(async () => {
  if (hasChromium) ({ newPage, close: closeBrowser } = await openChromium());
});
afterAll(() => closeBrowser?.());

/** The page of a service, with a client of that service; everything that goes wrong in the page is kept. */
async function openPage() {
  const service = createMockService({ seed: 7, rateLimits: false });
  const server = await service.listen({ workbench: true });
  const client = new OnlineOrdering({ ...service.credentials, dispatcher: service.dispatcher, clock: service.clock });
  const page = await newPage();
  onTestFinished(async () => {
    await page.close();
    await client.close();
    await service.close();
  });
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  page.setDefaultTimeout(60_000);
  await page.goto(server.workbenchUrl!);
  await page.getByText('live', { exact: true }).waitFor();

  const placeOrder = async (): Promise<string> => {
    const cart = await client.carts.create({ location_id: service.samples.locations.downtown });
    await client.carts.items.add(cart.id, service.samples.cartItems.turkeySubCombo);
    return (await client.carts.checkout(cart.id, { handoff_mode: { mode: 'PICKUP' } })).order_id;
  };
  const pay = (orderId: string) =>
    service.clock.runUntil(
      client.orders.settle(orderId, {
        tenders: [{ payment_method: 'CREDIT_CARD', payment_token: 'tok_approved', amount: 'remaining' }],
      }),
    );
  return { service, server, page, problems, hosts, placeOrder, pay };
}

/** Controls without a name, in the words of the page: tests have no types of a browser. */
const NAMELESS = `[...document.querySelectorAll('button, input, select')].filter((one) => {
  const label = one.labels?.[0]?.textContent ?? '';
  const own = one.tagName === 'BUTTON' ? one.textContent : '';
  return ((one.getAttribute('aria-label') ?? '') + label + own).trim() === '';
}).length`;

/** Controls and texts that end beyond the window, where nobody can see them; tables may be scrolled in a narrow one. */
const CUT_OFF = `[...document.querySelectorAll('#view :is(select, input, button, summary, td, b)')]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  .filter((one) => innerWidth > 500 || !one.closest('.scroll'))
  .map((one) => one.tagName + ' ' + one.textContent.slice(0, 20))`;

/** Scrolls the list from end to end, a window a frame, and tells the longest time between two frames. */
const SCROLL = `new Promise((resolve) => {
  const list = document.querySelector('[role=listbox]');
  let frames = 0;
  let longestMs = 0;
  let before = performance.now();
  const step = () => {
    const now = performance.now();
    if (frames > 1) longestMs = Math.max(longestMs, now - before);
    before = now;
    frames += 1;
    if (list.scrollTop + list.clientHeight >= list.scrollHeight - 1) return resolve({ frames, longestMs });
    list.scrollTop += list.clientHeight;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

const rows = (page: Page, hasText: string | RegExp = '') =>
  page.getByRole('listbox', { name: 'Requests, newest first' }).getByRole('option').filter({ hasText });

const view = (page: Page, name: string) => page.getByRole('tab', { name }).click();

test('The page is at most 60 KB gzipped', async () => {
  expect(gzipSync(await buildWorkbenchPage()).length).toBeLessThan(60_000);
});

describe.skipIf(!hasChromium)('The page of the workbench', () => {
  test('shows an order while it is placed, a fault that was armed by clicking, and what a click does to the order', async () => {
    const { service, server, page, problems, hosts, placeOrder, pay } = await openPage();
    service.webhooks.subscribe({
      url: 'https://hooks.example/a',
      event_types: ['order.created', 'order.status_changed'],
    });
    service.webhooks.route('https://hooks.example', () => new Response(null, { status: 204 }));

    const orderId = await placeOrder();
    await rows(page, /checkout/).click();
    await page.getByRole('complementary').getByText(orderId).first().waitFor();

    await view(page, 'Faults');
    await page.getByRole('combobox', { name: 'Fault', exact: true }).selectOption({ label: '503 before the work' });
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.getByRole('list', { name: 'Armed faults' }).getByText('POST /orders/{order_id}/payments').waitFor();
    await pay(orderId);
    await page.getByRole('list', { name: 'Requests that met a fault' }).getByText('503', { exact: true }).waitFor();
    expect(service.ledger(orderId).entries).toHaveLength(1);

    await view(page, 'Requests');
    await page.getByLabel('Kind of requests').selectOption('repeats');
    await rows(page, /payments.*#2/).waitFor();
    await view(page, 'Money');
    await page.getByRole('cell', { name: 'charge' }).waitFor();
    await view(page, 'Orders');
    await page
      .getByRole('button', { name: 'preparing' })
      .or(page.getByRole('button', { name: 'in progress' }))
      .click();
    await page.getByRole('list', { name: /Fulfillment: (preparing|in progress)/ }).waitFor();
    await view(page, 'Webhooks');
    await page.getByRole('button', { name: 'Shuffle all' }).click();
    await page.getByText('attempt 2').first().waitFor();

    expect(problems).toEqual([]);
    expect([...hosts]).toEqual([`127.0.0.1:${server.port}`]);
  });

  test('steps, runs and stops the clock', async () => {
    const { service, page } = await openPage();
    const noon = service.clock.now();

    await page.getByRole('button', { name: 'Step 1h' }).click();
    await page.getByText('18:00:00').waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('button', { name: 'Stand still' }).click();
    await page.getByRole('button', { name: 'Run' }).waitFor();

    expect(service.clock.now() - noon).toBeGreaterThanOrEqual(3_600_000);
    expect(service.clock.isRunning).toBe(false);
  });

  test('changes stock and prices', async () => {
    const { service, page } = await openPage();
    await view(page, 'Menu');

    await page.getByLabel('Stock of Turkey sub').selectOption('OUT_OF_STOCK');
    await expect.poll(() => service.webhooks.events().map(({ event_type }) => event_type)).toContain('stock.updated');
    await page.getByLabel('Price of Turkey sub in dollars').fill('9.99');
    await page.getByLabel('Price of Turkey sub in dollars').press('Enter');

    await expect.poll(() => service.webhooks.events().map(({ event_type }) => event_type)).toContain('menu.changed');
  });

  test('shows the menu as a tree, and what a delivery sent and got', async () => {
    const { service, page, placeOrder } = await openPage();
    service.webhooks.subscribe({ url: 'https://hooks.example/a', event_types: ['order.created'] });
    service.webhooks.route(
      'https://hooks.example',
      () => new Response('{"error":"no such table"}', { status: 500, headers: { 'x-trace': 'abc' } }),
    );
    await placeOrder();

    await view(page, 'Menu');
    await page.getByText('Turkey sub').first().click();
    const sub = page.getByRole('listitem').filter({ has: page.getByText('Turkey sub') });
    await sub.getByText('choose 0 to 3, one several times too').first().waitFor();
    await sub.getByText('Toast level').first().waitFor();
    await page.getByText('sold 22:00 to 02:00').waitFor();
    await page.screenshot({ path: `${ARTIFACTS}workbench-menu-tree.png` });
    await view(page, 'Webhooks');
    await page.getByText('Body and response').first().click();

    await page.getByText('"event_type": "order.created"').waitFor();
    expect(await page.getByText('x-trace: abc').textContent()).toMatch(
      /^HTTP 500\n[\s\S]*x-trace: abc[\s\S]*\{"error":"no such table"\}$/,
    );
  });

  test('works a cart out line by line, and shows what each tender took and gave back', async () => {
    const { service, page, placeOrder, pay } = await openPage();
    const orderId = await placeOrder();
    await pay(orderId);
    service.orders.advance(orderId, 'CANCELLED');
    const total = `$${(service.orders()[0]!.total.amount / 100).toFixed(2)}`;

    await view(page, 'Carts');
    await page.getByRole('cell', { name: '1 × Turkey sub' }).waitFor();
    const lines = await page.getByRole('row').allTextContents();
    const sums = await page.locator('dl.sums').textContent();
    await view(page, 'Money');
    await page.getByRole('row', { name: `CREDIT_CARD refunded ${total} ${total}` }).waitFor();
    const facts = await page.locator('dl.figures').textContent();

    // $7.49 for the sub, $3.00 for the combo.
    expect(lines).toEqual(['LineUnitModifiersSubtotalTaxTotal', expect.stringMatching(/^1 × Turkey sub\$7\.49\$\d/)]);
    expect(sums).toContain(`Total${total}`);
    expect(facts).toBe(`Total${total}Charged${total}Refunded${total}Net$0.00Due$0.00`);
  });

  test('sends a delivery again, and twice, and copies a request', async () => {
    const { service, page, placeOrder } = await openPage();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const taken: string[] = [];
    service.webhooks.subscribe({ url: 'https://hooks.example/a', event_types: ['order.created'] });
    service.webhooks.route('https://hooks.example', async (request) => {
      taken.push(`${await request.text()} ${request.headers.get('x-service-signature')}`);
      return new Response(null, { status: 204 });
    });
    await placeOrder();

    await view(page, 'Webhooks');
    await page.getByLabel('Choose delivery 1').check();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('attempt 2').waitFor();
    await page.getByRole('button', { name: 'Duplicate' }).click();
    await page.getByText('attempt 4').waitFor();
    await view(page, 'Requests');
    await rows(page, /POST.*checkout/).click();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Copied curl.').waitFor();
    const curl = await page.evaluate('navigator.clipboard.readText()');
    await page.getByRole('button', { name: 'Copy as SDK' }).click();
    await page.getByText('Copied a line of the SDK.').waitFor();

    expect(taken).toEqual(Array(4).fill(taken[0]));
    expect(curl).toMatch(/^curl -X 'POST' 'http:\/\/127\.0\.0\.1:\d+\/v1\/online-ordering\/carts\/[-\w]+\/checkout'/);
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^await client\.request\(\{ method: "POST"/);
  });

  test('arms errors with code, message and field, and responses with other fields', async () => {
    const { service, page } = await openPage();
    await view(page, 'Faults');
    const fault = page.getByRole('combobox', { name: 'Fault', exact: true });

    await fault.selectOption('an error of your own');
    await page.getByRole('combobox', { name: 'Code', exact: true }).selectOption('CONFLICT_ERROR');
    await page.getByLabel('Status').fill('409');
    await page.getByLabel('Message').fill('Kitchen is closed');
    await page.getByLabel('Field', { exact: true }).fill('items[0]');
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.getByText('Kitchen is closed').waitFor();
    await fault.selectOption('a response with other fields');
    await page.getByLabel('Fields that are others, as JSON').fill('{ "status": ');
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.getByRole('alert').getByText('write JSON').waitFor();
    await page.getByLabel('Fields that are others, as JSON').fill('{ "status": "ON_HOLD" }');
    await page.getByLabel('Fields that are missing').fill('payments[0].status, total');
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.getByText('ON_HOLD').last().waitFor();

    expect(service.faults.list().map(({ fault: armed }) => armed)).toEqual([
      { status: 409, code: 'CONFLICT_ERROR', message: 'Kitchen is closed', field: 'items[0]', times: 1 },
      { set: { status: 'ON_HOLD' }, remove: ['payments[0].status', 'total'], times: 1 },
    ]);
  });

  test('follows what a test does in its own process', async () => {
    const { service, page, placeOrder } = await openPage();
    const orderId = await placeOrder();
    await view(page, 'Faults');

    service.faults.next('GET /orders', { status: 503 });
    await page.getByRole('list', { name: 'Armed faults' }).getByText('GET /orders').waitFor();
    service.faults.clear();
    await page.getByText('No fault waits for a request.').waitFor();
    await service.clock.advance('1h');
    await page.getByText('18:00:00').waitFor();
    await view(page, 'Orders');
    service.orders.advance(orderId, 'IN_PROGRESS');
    await page.getByRole('list', { name: 'Fulfillment: in progress' }).waitFor();
    await view(page, 'Menu');
    service.locations.update(service.samples.locations.downtown, { name: 'Renamed Store' });
    await page.getByRole('option', { name: 'Renamed Store' }).waitFor({ state: 'attached' });
    service.reset();
    await view(page, 'Orders');
    await page.getByText('No order yet.').waitFor();
  });

  test('shows whatever a name holds as text, in every view', async () => {
    const { service, page, problems } = await openPage();
    const evil = `<img src=x onerror="globalThis.pwned=1">"'&lt;</script><script>globalThis.pwned=1</script>`;
    const { downtown } = service.samples.locations;
    service.locations.update(downtown, { name: evil });
    service.menu.update(downtown, (menu) => {
      menu.categories[0]!.name = evil;
      for (const item of menu.categories.flatMap(({ items }) => items)) item.name = evil;
    });
    service.webhooks.route(
      'https://hooks.example',
      () => new Response(evil, { status: 500, headers: { 'x-odd': '<b>' } }),
    );
    service.webhooks.subscribe({ url: `https://hooks.example/a?${evil}`, event_types: ['order.created'] });
    service.webhooks.emit('<img src=x onerror=globalThis.pwned=1>', { evil });
    service.faults.next('GET /orders', { status: 422, message: evil, field: evil });
    const client = new OnlineOrdering({ ...service.credentials, dispatcher: service.dispatcher, clock: service.clock });
    const cart = await client.carts.create({ location_id: downtown });
    await client.carts.items.add(cart.id, { ...service.samples.cartItems.turkeySub, special_instructions: evil });
    await client.carts.checkout(cart.id, { handoff_mode: { mode: 'PICKUP' } });
    await client.orders.list({ limit: 1 }).then(
      () => {},
      () => {},
    );
    await client.close();

    for (const name of VIEWS) {
      await view(page, name);
      await page.locator('#view > *').first().waitFor();
      for (const summary of await page.getByText('Body and response').all()) await summary.click();
    }
    await view(page, 'Requests');
    for (const row of await rows(page).all()) await row.click();

    expect(await page.evaluate('[globalThis.pwned, document.querySelectorAll("img").length]')).toEqual([undefined, 0]);
    await view(page, 'Menu');
    await page.getByText('<img src=x').last().waitFor();
    expect(problems).toEqual([]);
  });

  test('shows the same to two browsers, and all of it again when the service was gone for a while', async () => {
    const { service, server, page, placeOrder } = await openPage();
    const second = await newPage();
    onTestFinished(() => second.close());
    await second.goto(server.workbenchUrl!);
    await second.getByText('live', { exact: true }).waitFor();

    await view(page, 'Faults');
    await view(second, 'Faults');
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    await second.getByText('1 left').waitFor();
    await second.getByRole('button', { name: 'Disarm all' }).click();
    await page.getByText('No fault waits for a request.').waitFor();
    await server.close();
    await page.getByText('not connected').waitFor();
    const orderId = await placeOrder();
    await service.listen({ workbench: true, port: server.port });
    await page.getByText('live', { exact: true }).waitFor();
    await view(page, 'Orders');

    await page.getByText(orderId).waitFor();
    await view(second, 'Orders');
    await second.getByText(orderId).waitFor();
  });

  test('is live in nine tabs of one browser, and goes on in the others when one is closed', async () => {
    const { service, server, page, placeOrder } = await openPage();
    let last = page;
    const live = (tab: Page) => tab.getByText('live', { exact: true }).waitFor();

    // A browser opens six connections to one address, and a stream of events keeps one for itself.
    for (let count = 2; count <= 9; count += 1) {
      const tab = await page.context().newPage();
      await tab.goto(server.workbenchUrl!);
      await live(tab);
      last = tab;
    }
    const orderId = await placeOrder();
    await page.bringToFront();
    await live(page);
    await view(page, 'Orders');

    await page.getByText(orderId).waitFor();
    await page.getByRole('button', { name: 'Step 1h' }).click();
    await page.getByText('18:00:00').waitFor();
    expect(new Date(service.clock.now()).toISOString()).toContain('18:00:00');
    await page.goto('about:blank');
    const next = await placeOrder();
    await view(last, 'Orders');
    await last.getByText(next).first().waitFor();
  });

  test('says that the service is away when a click cannot reach it, and how many requests it shows of how many', async () => {
    const { service, server, page } = await openPage();
    const { baseUrl } = service.credentials;
    for (let count = 0; count < 2010; count += 1) await service.fetch(`${baseUrl}/orders?page=${count}`);

    await page.getByText('2000 of the last 2000').waitFor();
    await page.getByLabel('Filter requests').fill('page=3');
    await page.getByText('of the last 2000').waitFor();
    await view(page, 'Faults');
    await server.close();
    await page.getByText('not connected').waitFor();
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.getByRole('alert').getByText('The service does not respond').waitFor();
    await service.listen({ workbench: true, port: server.port });
    await page.getByText('live', { exact: true }).waitFor();

    await page.getByRole('alert').waitFor({ state: 'hidden' });
  });

  test('is used by keyboard alone', async () => {
    const { page, placeOrder } = await openPage();
    await placeOrder();
    await rows(page).first().waitFor();

    await page.getByRole('tab', { name: 'Requests' }).focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Filter requests');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('complementary').getByRole('button', { name: 'Copy as curl' }).waitFor();
    await page.getByRole('tab', { name: 'Requests' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('list', { name: /^Fulfillment/ }).waitFor();
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');

    expect(await page.evaluate('document.activeElement.textContent')).toBe('Orders');
    expect(outline).toBe('solid');
  });

  test('stays quick with more than a thousand requests', async () => {
    const { service, page } = await openPage();
    const { baseUrl } = service.credentials;
    for (let count = 0; count < 1200; count += 1) await service.fetch(`${baseUrl}/orders?page=${count}`);
    await page.getByText('1200 of 1200').waitFor();

    const startedAt = Date.now();
    await page.getByLabel('Filter requests').fill('page=777');
    await page.getByText('1 of 1200').waitFor();

    expect(Date.now() - startedAt).toBeLessThan(1500);
    expect(await rows(page).count()).toBe(1);
    await page.getByLabel('Filter requests').fill('');
    await page.getByText('1200 of 1200').waitFor();
    // As many rows as can be seen, and some around them, whatever the number of requests.
    expect(await rows(page).count()).toBeLessThan(100);
    const { frames, longestMs } = (await page.evaluate(SCROLL)) as { frames: number; longestMs: number };
    console.log(`1,200 requests scrolled from end to end: ${frames} frames, the longest ${Math.round(longestMs)} ms`);
    expect(longestMs).toBeLessThan(500);
  });

  test('fits wide and narrow windows in both themes, and has a name for everything', async () => {
    const { service, page, problems, placeOrder, pay } = await openPage();
    mkdirSync(ARTIFACTS, { recursive: true });
    const { downtown } = service.samples.locations;
    service.locations.update(downtown, { name: `Congress ${'W'.repeat(200)}` });
    service.menu.update(downtown, ({ categories }) => {
      for (const { items } of categories) for (const item of items) item.name += 'W'.repeat(200);
    });
    await pay(await placeOrder());

    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 });
        for (const name of VIEWS) {
          await view(page, name);
          await page.locator('#view > *').first().waitFor();
          const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          expect([name, width, beyond]).toEqual([name, width, 0]);
          await expect
            .poll(() => page.evaluate(`document.querySelector('#view').innerText.length`))
            .toBeGreaterThan(10);
          expect([name, width, await page.evaluate(CUT_OFF)]).toEqual([name, width, []]);
          const nameless = await page.evaluate(NAMELESS);
          expect([name, nameless]).toEqual([name, 0]);
          await page.screenshot({ path: `${ARTIFACTS}workbench-${name.toLowerCase()}-${colorScheme}-${width}.png` });
        }
      }
    }
    expect(problems).toEqual([]);
  });
});
