import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { CART_ID, cart } from '../support/records/index.js';
import { ListeningService, type Step } from '../support/service/listening-service.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
let server: ListeningService;
afterEach(async () => server.stop());

/** Runs a program of its own against the server; it must end by itself. */
async function run(step: Step, program: string): Promise<{ output: string; code: number | null; afterMs: number }> {
  server = await ListeningService.start(step);
  const source = `
    import { OnlineOrdering } from ${JSON.stringify(`${root}src/index.ts`)};
    const client = new OnlineOrdering({
      baseUrl: ${JSON.stringify(server.baseUrl)}, clientId: 'id', clientSecret: 'secret', random: () => 0.5,
    });
    const CART_ID = ${JSON.stringify(CART_ID)};
    let doneAt = Date.now();
    process.on('exit', () => console.log('exit after', Date.now() - doneAt));
    ${program}`;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', source],
      { cwd: root, timeout: 120_000 },
      (error, stdout) => {
        const code = error === null ? 0 : ((error as { code?: number }).code ?? null);
        resolve({ output: stdout, code, afterMs: Number(/exit after (\d+)/.exec(stdout)?.[1]) });
      },
    );
  });
}

/** Less than what would hold the process: an idle socket for four seconds, an attempt for ten or thirty. */
const LEFT_OPEN_MS = 3500;

const ok: Step = (exchange) => exchange.reply(200, cart, { 'keep-alive': 'timeout=60' });

describe('a process', () => {
  test('ends by itself after its last call, without close', async () => {
    const { output, code, afterMs } = await run(
      ok,
      `const cart = await client.carts.retrieve(CART_ID); console.log(cart.id); doneAt = Date.now();`,
    );

    expect(output).toContain(CART_ID);
    expect(code).toBe(0);
    expect(afterMs).toBeLessThan(LEFT_OPEN_MS);
  });

  test('lives through the wait of a call that it awaits', async () => {
    let requests = 0;
    const { output, code } = await run((exchange) => {
      requests += 1;
      if (requests === 1) exchange.reply(429, '', { 'retry-after': '1', connection: 'close' });
      else ok(exchange);
    }, `const cart = await client.carts.retrieve(CART_ID); console.log(cart.id); doneAt = Date.now();`);

    expect(output).toContain(CART_ID);
    expect(code).toBe(0);
    expect(requests).toBe(2);
  });

  test('ends though a stalled attempt of an aborted call had half a minute left', async () => {
    const { output, code, afterMs } = await run(
      () => {},
      `await client.carts.retrieve(CART_ID, { signal: AbortSignal.timeout(50) }).catch((error) => console.log(error.name));
       doneAt = Date.now();`,
    );

    expect(output).toContain('APIUserAbortError');
    expect(code).toBe(0);
    expect(afterMs).toBeLessThan(LEFT_OPEN_MS);
  });

  test('ends though a connection that nobody accepts was still being tried when its attempt timed out', async () => {
    const { output, code, afterMs } = await run(
      () => {},
      `const { createServer } = await import('node:net');
       const silent = createServer((socket) => socket.unref()).unref().listen(0, '127.0.0.1');
       await new Promise((resolve) => silent.once('listening', resolve));
       const lost = new OnlineOrdering({
         baseUrl: 'https://127.0.0.1:' + silent.address().port, clientId: 'id', clientSecret: 'secret',
         timeout: 200, maxRetries: 0,
       });
       await lost.carts.retrieve(CART_ID).catch((error) => console.log(error.name));
       doneAt = Date.now();`,
    );

    expect(output).toContain('TokenUnavailableError');
    expect(code).toBe(0);
    expect(afterMs).toBeLessThan(LEFT_OPEN_MS);
  });
});
