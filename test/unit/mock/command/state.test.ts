import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createMockService } from 'online-ordering-sdk/mock';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readState, StateFile } from '../../../../src/mock/command/state-file.js';
import type { Json } from '../open-service.js';

const COMMAND = fileURLToPath(new URL('../../../../src/command/index.ts', import.meta.url));

function stateFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'mock-state-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'mock.state');
}

function start(file: string, ...args: string[]): ChildProcess {
  const all = ['--import', 'tsx', COMMAND, 'mock', '--port', '0', '--log', 'json', '--state', file, ...args];
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** The command in a process of its own, and a way to ask it. */
async function serve(file: string, ...args: string[]) {
  const child = start(file, ...args);
  let started: Json;
  for await (const line of createInterface(child.stdout!)) {
    started = JSON.parse(line);
    if (started.type === 'started') break;
  }
  const call = async (method: string, path: string, token: string, body?: unknown): Promise<Json> => {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(started.baseUrl + path, init);
    return { status: response.status, body: await response.json() };
  };
  return { child, started, call };
}

describe('A state file', () => {
  test('lets a command that was killed go on, with its tokens, carts and credentials', async () => {
    const file = stateFile();
    const first = await serve(file, '--seed', '7');
    const { clientId: client_id, clientSecret: client_secret } = first.started;
    const grant = { grant_type: 'CLIENT_CREDENTIALS', client_id, client_secret };
    const { access_token: token } = (await first.call('POST', '/auth/token', '', grant)).body;
    const [{ id: location_id }] = (await first.call('GET', '/locations', token)).body.data;
    const cart = (await first.call('POST', '/carts', token, { location_id })).body;
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain(cart.id), { timeout: 5000 });
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    const second = await serve(file);
    const kept = await second.call('GET', `/carts/${cart.id}`, token);
    const next = await second.call('POST', '/carts', token, { location_id });
    second.child.kill('SIGTERM');
    const [code] = await once(second.child, 'exit');

    expect(second.started.clientSecret).toBe(client_secret);
    expect([kept.status, kept.body.id]).toEqual([200, cart.id]);
    expect(next.body.id).not.toBe(cart.id);
    // What came last is there when the command was ended, and not killed.
    expect([code, readFileSync(file, 'utf8').includes(next.body.id)]).toEqual([0, true]);
    expect(statSync(file).mode & 0o077).toBe(0);
  }, 60_000);

  test('that is damaged is refused in words, and left as it is', async () => {
    const file = stateFile();
    const service = createMockService();
    await new StateFile(service, file, () => {}).save();
    const whole = readFileSync(file, 'utf8');

    for (const text of [whole.slice(0, -40), whole.replace('turkey', 'turnip'), whole.replace('Turkey', 'Turnip')]) {
      if (text === whole) continue;
      writeFileSync(file, text);
      await expect(readState(file)).rejects.toThrow(`${file} is damaged: it was cut, or changed by hand.`);
    }
    writeFileSync(file, '{"orders":[]}');
    await expect(readState(file)).rejects.toThrow(/is no state of the mock.*Move it away to begin anew/);
    writeFileSync(file, '');
    await expect(readState(file)).rejects.toThrow(/is no state of the mock/);
    const child = start(file);
    let said = '';
    child.stderr!.on('data', (part) => {
      said += part;
    });
    const [code] = await once(child, 'close');

    expect([code, said]).toEqual([1, expect.stringContaining('is no state of the mock')]);
    expect(readFileSync(file, 'utf8')).toBe('');
  }, 30_000);

  test('is whole at every moment while requests come', async () => {
    const file = stateFile();
    const service = createMockService({ rateLimits: false });
    const state = new StateFile(service, file, () => {});
    await state.save();
    const { baseUrl } = service.credentials;

    for (let round = 0; round < 40; round += 1) {
      await service.fetch(`${baseUrl}/orders`);
      service.stock.set(
        service.samples.locations.downtown,
        service.samples.items.latte,
        round % 2 ? 'IN_STOCK' : 'LOW_STOCK',
      );
      await Promise.all([state.save(), readState(file), readState(file)]);
    }
    await state.end();

    const later = createMockService({ snapshot: (await readState(file))! });
    expect(later.webhooks.events()).toEqual(service.webhooks.events());
  });

  test('is given up when somebody else writes into it', async () => {
    const file = stateFile();
    const state = new StateFile(createMockService(), file, () => {});
    await state.save();
    writeFileSync(file, 'mine');

    await expect(state.save()).rejects.toThrow(`${file} was written by somebody else`);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('that cannot be written is told at once', async () => {
    const state = new StateFile(createMockService(), join(stateFile(), 'no', 'such', 'folder'), () => {});

    await expect(state.save()).rejects.toThrow('The state cannot be written to');
  });
});
